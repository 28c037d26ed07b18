"""Roads: which forms and pagers go by plain HTTP, decided by checks against the browser.

`transport: browser` leaves everything in the browser. `adaptive` begins there and compares; what
told the same goes by plain HTTP, one use in 25 is compared again, and what differs once goes back
for good. `http` does not compare: what can be asked for by plain HTTP is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiwe.crawl.rows import page_row
from hiwe.engine.road import BY_BROWSER, Road
from hiwe.repository.codec import from_plain, to_plain
from hiwe.submission.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Submitted
    from hiwe.engine.check import Check
    from hiwe.engine.road import Way
    from hiwe.submission.assignment import ValueAssignment

STATE = "roads"  # where the form's state holds what was found


class Roads:
    """Decides how assignments travel, and keeps what checks told."""

    def __init__(self, stores: Stores, clock: Callable[[], float]) -> None:
        self._stores = stores
        self._clock = clock

    def road(self, work: FormWork, assignment: ValueAssignment, *, probe: bool) -> Road:
        """How an assignment travels now."""
        if work.site.settings.transport == "browser" or assignment.discover or probe:
            return BY_BROWSER
        return Road(links=self._links(work))

    def _links(self, work: FormWork) -> Way:
        if work.site.settings.transport == "http":
            return "http"
        if work.links.fault:
            return "browser"
        earned = work.links.is_earned(agreed=1, told=1)
        return "http" if earned and not work.links.is_due else "check"

    def take(self, work: FormWork, answer: Submitted, row: ActionRow) -> None:
        """Learn from the checks and the uses of plain HTTP that came with an answer."""
        stored = self._stores.submissions.find(work.id, row.payload["key"])
        assert stored is not None, "claimed before it was sent"
        submission = stored.id
        before = work.links
        if answer.plain_pages:
            work.links = work.links.used()
        for check in answer.checks:
            work.links = work.links.checked(check.reason, told=check.told)
            self._note(work, check, submission)
        if answer.checks:
            self._keep(work)
        if work.links.fault and not before.fault:
            self._tell(work, f"pager links stay in the browser: {work.links.fault}", submission)

    def _note(self, work: FormWork, check: Check, submission: int) -> None:
        """A check is a page of its own, and an event; it is no submission."""
        if check.features is not None:
            now = self._clock()
            self._stores.pages.add(page_row(work, check.features, check.archived, now, "check"))
        told = check.reason or "plain HTTP tells the same as the browser"
        self._stores.run.add_event(
            "check",
            f"{check.of} of {work.form.action}: {told}",
            site=work.site.key,
            data={"form": work.id, "submission": submission},
        )

    def _tell(self, work: FormWork, text: str, submission: int) -> None:
        self._stores.run.add_event(
            "transport",
            f"{work.form.action}: {text}",
            level="warning",
            site=work.site.key,
            data={"form": work.id, "submission": submission},
        )

    def _keep(self, work: FormWork) -> None:
        state = dict(self._stores.forms.get(work.id).state)
        state[STATE] = {"links": to_plain(work.links)}
        self._stores.forms.update(work.id, state=state)


def restore_roads(work: FormWork, state: dict[str, Any]) -> None:
    """Give a form's work what an earlier process found."""
    kept = state.get(STATE) or {}
    work.links = from_plain(Trust, kept.get("links") or {})
