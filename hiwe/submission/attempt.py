"""One attempt to carry an assignment to the site: what it gathers on its way."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hiwe.submission.sent import carried_values
from hiwe.submission.submission import Submission

if TYPE_CHECKING:
    from hiwe.form.form import Form
    from hiwe.page.browser import Tab
    from hiwe.page.exchange import Exchange
    from hiwe.page.landing import Landing
    from hiwe.page.page import Option, Page
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.submission import Fill, Outcome

LEAST_WAIT_S = 0.05


@dataclass
class Attempt:
    """Grows while the assignment is carried; `end` makes the frozen Submission of it.

    `earlier` are the exchanges of pages that came between the form and its answer: forms that
    reload at a choice.
    """

    tab: Tab
    form: Form
    assignment: ValueAssignment
    timeout_s: float
    form_page: Page
    began: float
    until: float = 0.0
    hops: int = 0  # requests of the tab before anything was filled
    fills: dict[int, Fill] = field(default_factory=dict)
    domains: dict[int, tuple[Option, ...]] = field(default_factory=dict)
    earlier: tuple[Exchange, ...] = ()
    landed: Landing = "none"
    page: Page | None = None
    request: Exchange | None = None
    steps: int = 1
    unset: frozenset[int] = frozenset()  # elements that the page left no time to set

    @property
    def left_s(self) -> float:
        """What is left of the time for the answer; counted from the press."""
        return max(LEAST_WAIT_S, self.until - time.monotonic())

    def start_clock(self) -> None:
        """The values leave now: the answer has `timeout_s` from here."""
        self.until = time.monotonic() + self.timeout_s

    async def give_up(self, outcome: Outcome, reason: str) -> Submission:
        """No answer will be read. What was exchanged so far stays with the form page."""
        late = self.earlier + await self.tab.exchanges()
        self.form_page = replace(self.form_page, exchanges=self.form_page.exchanges + late)
        self.request = self.request or carried_values(late, self.fills.values())
        return self.end(outcome, reason)

    def end(self, outcome: Outcome, reason: str = "") -> Submission:
        """The attempt as it stands, frozen."""
        return Submission(
            outcome=outcome,
            reason=reason,
            landed=self.landed,
            fills=tuple(self.fills[place] for place in sorted(self.fills)),
            form_page=self.form_page,
            page=self.page,
            request=self.request,
            duration_s=time.monotonic() - self.began,
            steps=self.steps,
            domains=tuple(sorted(self.domains.items())),
        )
