"""Outcome: what the plan is told of one assignment that was carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from hiwe.page.page import Option
    from hiwe.submission.assignment import Binding

# The site took the input for no query at all; an error page may be an accident, so it is none.
REFUSALS = frozenset({Verdict.INVALID, Verdict.SAME_PAGE})
COUNT_SLACK = 0.9  # sites miscount; fewer records than this share of their total are a part


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on an assignment, and the records it brought.

    `records` are keys, of all result pages that were read; `new_records` of them were not known
    before. `truncated`: more hits exist than the site shows or the crawl reads. `total` is the
    site's own count. `sent` is False when no request left (it costs no budget). `discover`
    marks the answer to such an assignment. `domains` are the options that were read of
    dependent elements while the bindings were set: (position, options). `missing` are
    elements that the site's answer asks for.
    """

    template: tuple[int, ...]
    bindings: tuple[Binding, ...]
    verdict: Verdict
    records: frozenset[str] = frozenset()
    new_records: int = 0
    truncated: bool = False
    total: int | None = None
    sent: bool = True
    discover: bool = False
    domains: tuple[tuple[int, tuple[Option, ...]], ...] = ()
    missing: tuple[int, ...] = ()

    @property
    def is_part(self) -> bool:
        """The answer holds results, but not all there are."""
        if self.verdict is not Verdict.RESULTS:
            return False
        short = self.total is not None and len(self.records) + 1 < COUNT_SLACK * self.total
        return self.truncated or short

    @property
    def is_refused(self) -> bool:
        """The site did not take the assignment for a query."""
        return self.sent and self.verdict in REFUSALS
