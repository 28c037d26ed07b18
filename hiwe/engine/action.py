"""Actions the frontier hands out and the observations workers bring back (design.md, section 2).

Both are frozen and picklable: the same worker runs in this process or as a remote actor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from hiwe.engine.road import BY_BROWSER, Road

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractAsyncContextManager

    from hiwe.engine.check import Check
    from hiwe.form.form import Form
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Link, Option, Page
    from hiwe.page.sketch import Sketch
    from hiwe.page.terms import Terms
    from hiwe.response.response import Judgement, Record, ResponseFeatures
    from hiwe.response.verdict import FormKnowledge
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.call import Call
    from hiwe.submission.chain import Step
    from hiwe.submission.recipe import Recipe
    from hiwe.submission.submission import Fill


LOST = "lost"  # the failure of an action whose worker is gone, see Failure


class Permission(Protocol):
    """What robots.txt and the scope say of an address; picklable."""

    def __call__(self, url: str) -> bool: ...


class Archive(Protocol):
    """Where a worker leaves what went over the wire, before anything is judged."""

    def store(
        self,
        exchanges: tuple[Exchange, ...],
        snapshot: Page | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> tuple[str, ...]:
        """Write exchanges and the rendered page; references 'file#offset', the page's last.

        `note` is kept with the page: what it was fetched for.
        """
        ...

    def keeping(self) -> AbstractAsyncContextManager[None]:
        """Around an action: on its end what it stored is where it outlives the worker."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class SiteTerms:
    """What a worker must know of a site: its key, manners and way in.

    `delay_s` is the least time between two requests of one action; `permits` says which
    addresses may be requested (None: all). `unchecked`: forms go by plain HTTP from the first.
    `storage_state` is the file of a log-in, `proxy` the address by which the site is reached.
    """

    key: str
    delay_s: float
    timeout_s: float
    permits: Permission | None = None
    credentials: tuple[str, str] | None = None
    storage_state: str | None = None
    proxy: str | None = None
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class ReadRobots:
    """Fetch a host's robots.txt (RFC 9309)."""

    id: int
    url: str
    terms: SiteTerms

    def __repr__(self) -> str:
        return f"<ReadRobots {self.url}>"


@dataclass(frozen=True, slots=True)
class Fetch:
    """Fetch a file that no browser is needed for: a sitemap, a description of a search."""

    id: int
    url: str
    terms: SiteTerms

    def __repr__(self) -> str:
        return f"<Fetch {self.url}>"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a page that is visited again.

    `validators` are request fields that make the request conditional; `headers` those by which the
    page came; `outline` tells its controls and scripts, '' if a browser is needed in any case.
    """

    validators: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    outline: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """Open an address and bring back its links and forms.

    A page that is `known` is asked for by plain HTTP first: one that has not changed since comes
    back with status 304 and nothing else, one whose outline is the same with words and links.
    """

    id: int
    url: str
    terms: SiteTerms
    referer: str | None = None
    known: Known | None = None

    def __repr__(self) -> str:
        return f"<Visit {self.url}>"


@dataclass(frozen=True, slots=True)
class Submit:
    """Carry one assignment to the site and read its result pages.

    `page_url` is where the form stands, or the first form of its chain: `steps` are sent before
    it. `key` and `identity` are those of the submission and of its form in the run. `knowledge`
    is what was learned of the form so far: the worker needs it only to know whether to turn the
    page. `max_pages` counts result pages, the first included. A nonsense probe has `probe` set.
    With `may_ask_missing` a doubtful answer may be compared with that to a made-up path. `road`
    says what of it goes by plain HTTP.
    """

    id: int
    page_url: str
    form: Form
    assignment: ValueAssignment
    key: str
    identity: str
    knowledge: FormKnowledge
    terms: SiteTerms
    max_pages: int
    probe: bool = False
    steps: tuple[Step, ...] = ()
    may_ask_missing: bool = False
    road: Road = BY_BROWSER

    def __repr__(self) -> str:
        return f"<Submit {self.form.method} {self.form.action} {self.assignment}>"


Action = ReadRobots | Fetch | Visit | Submit


@dataclass(frozen=True, slots=True)
class Failure:
    """An action that brought nothing back: `kind` is timeout, unreachable, blocked, crash, lost.

    Of one that is lost nobody knows how far it came: its worker or browser ended.
    """

    action_id: int
    kind: str
    message: str
    duration_s: float = 0.0

    @property
    def is_silence(self) -> bool:
        """The host did not answer; anything else is no fault of the host."""
        return self.kind in ("timeout", "unreachable")

    @property
    def is_loss(self) -> bool:
        """The worker was lost with the action in hand, which is seldom the action's fault."""
        return self.kind == LOST


@dataclass(frozen=True, slots=True)
class RobotsRead:
    """A host's robots.txt: status 0 when the host did not answer; `error` then says why."""

    action_id: int
    status: int
    text: str
    duration_s: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that was fetched: status 0 when the host did not answer."""

    action_id: int
    url: str
    status: int
    body: bytes
    duration_s: float


@dataclass(frozen=True, slots=True)
class Visited:
    """A page was opened: where it landed, what it links to, which forms it holds.

    `canonical` is the address it calls its own (RFC 6596); `signposts` are (kind, address) of
    files it points to: sitemap, opensearch; `terms` what it speaks of. `plain`: it came without a
    browser, its forms are those that are known. `barred` are documents that it led to and that
    were not asked for, because robots.txt or the bounds of a shard forbid it.
    """

    action_id: int
    url: str
    status: int
    title: str
    language: str
    content_type: str
    digest: str
    headers: tuple[tuple[str, str], ...]
    meta_robots: tuple[str, ...]
    links: tuple[Link, ...]
    forms: tuple[Form, ...]
    archived: tuple[str, ...]
    duration_s: float
    sketch: Sketch
    canonical: str = ""
    signposts: tuple[tuple[str, str], ...] = ()
    terms: Terms = frozenset()
    plain: bool = False
    barred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of a submission's answer, with where it lies in the archive."""

    features: ResponseFeatures
    archived: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of an assignment: outcome, result pages in order, the request as sent.

    `judgement` is the worker's own reading of the first page, `records` those of all pages.
    `domains` are child domains read after their parent was set: element -> options.
    `further` is the form of a next step, when the answer is one. `missing` is the answer to a
    made-up path, when it was asked for. `instead` is what stood in the form's place when the
    form was gone: a log-in, a refusal. `checks` are comparisons of plain HTTP with the browser;
    `plain_pages` result pages after the first came by plain HTTP. `recipe` or `call` is what was
    recorded. `by_browser` says why an assignment that might have gone by plain HTTP did not.
    """

    action_id: int
    outcome: str
    reason: str
    landed: str
    fills: tuple[Fill, ...]
    pages: tuple[ResultPage, ...]
    judgement: Judgement | None
    records: tuple[tuple[Record, str], ...]  # with the archive reference of their page
    request: tuple[str, str, str] | None  # method, address, body
    pages_left: bool
    duration_s: float
    response_s: float
    transport: str = "browser"
    domains: tuple[tuple[int, tuple[Option, ...]], ...] = ()
    dialogs: tuple[str, ...] = field(default=())
    further: Form | None = None
    missing: ResultPage | None = None
    instead: ResponseFeatures | None = None
    checks: tuple[Check, ...] = ()
    plain_pages: int = 0
    recipe: Recipe | None = None
    call: Call | None = None
    by_browser: str = ""


Observation = Failure | RobotsRead | Fetched | Visited | Submitted
