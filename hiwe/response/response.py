"""What the response analysis makes of a response page: features, records, verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The class of a submission (design.md, section 2)."""

    RESULTS = "results"
    NO_RESULTS = "no_results"
    INVALID = "invalid"
    ERROR = "error"
    BLOCKED = "blocked"
    SAME_PAGE = "same_page"

    @property
    def is_success(self) -> bool:
        """Counts in N_success (SE-strict)."""
        return self is Verdict.RESULTS

    @property
    def is_valid(self) -> bool:
        """Counts in N_valid (SE-lenient): semantically correct."""
        return self in (Verdict.RESULTS, Verdict.NO_RESULTS)


@dataclass(frozen=True, slots=True)
class Record:
    """One item of a result page: named fields in order, its own address if it links one.

    `key` identifies the item within its site: the address without session ids, else a
    digest of the field values.
    """

    fields: tuple[tuple[str, str], ...]
    url: str | None
    key: str


@dataclass(frozen=True, slots=True)
class Region:
    """Items of one structure. `signature` names the structure: the tag path of its items.

    `score` says how much it looks like a list of hits (0..1). `origin` is 'list', 'table',
    'detail', 'lone' (a single item that only a known structure makes a hit), 'json', 'rows'
    (a download) or 'feed'.
    """

    signature: str
    origin: str
    score: float
    records: tuple[Record, ...]
    size: int = 0  # items on the page, the same record told twice counted twice
    share: float = 0.0  # of the words of the significant part, how many stand in the items


@dataclass(frozen=True, slots=True)
class Count:
    """The site's own figures, e.g. '1-20 of 356': first and last item shown, total."""

    first: int | None
    last: int | None
    total: int | None
    text: str
    capped: bool = False  # 'showing the first 50', 'more than 1,000'

    @property
    def shown(self) -> int | None:
        """Number of items that the page says it shows; None when it does not say."""
        if self.first is None or self.last is None:
            return None
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class PagerStep:
    """How to reach the next page of results.

    `how`: 'link' (url), 'click' (a control or link with script: `locator` is a CSS-free
    description the browser side understands), 'form' (a small pager form), 'more' (load-more
    button), 'scroll', 'json' (offset or cursor in the page's own request).
    """

    how: str
    url: str = ""
    text: str = ""
    index: int = -1  # ordinal of the element among page's a/button/input in document order
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """A piece of evidence: its name, the text it rests on, how strongly it speaks (0..1)."""

    name: str
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class ResponseFeatures:
    """Everything the verdict needs to know of one response, small and picklable.

    `significant` are digests of the text lines that the form page does not show (bound values
    and clocks masked); `digest` is their combined hash. `records` are those of the likeliest
    region, `lone` the single items that a known structure may make hits. `pages` are all the
    numbered pager steps. `words` counts the words of the significant part.
    """

    url: str
    status: int
    landed: str
    content_type: str
    records: tuple[Record, ...]
    count: Count | None
    pager: PagerStep | None
    signals: tuple[Signal, ...]
    significant: frozenset[int]
    digest: str
    title: str
    has_form_again: bool
    form_unchanged: bool
    length: int
    retry_after_s: float | None = None
    region: Region | None = None
    lone: tuple[Region, ...] = ()
    pages: tuple[PagerStep, ...] = ()
    words: int = 0

    def signal(self, name: str) -> Signal | None:
        """The strongest signal called `name`, None if there is none."""
        found = [signal for signal in self.signals if signal.name == name]
        return max(found, key=lambda signal: signal.weight) if found else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its evidence and how sure it is (0..1)."""

    verdict: Verdict
    confidence: float
    evidence: tuple[Signal, ...]
    reason: str = ""
    truncated: bool = False
