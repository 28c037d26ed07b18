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
from hiwe.submission.call import Call, borrow_turn
from hiwe.submission.recipe import Recipe
from hiwe.submission.trust import RECHECK_EVERY, Trust

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
LEAST_AGREED, LEAST_TOLD = 3, 2  # checks before a form goes by plain HTTP; with records to compare
MOST_UNTOLD = 10  # checks that agreed on nothing but emptiness, after which no more are made


class Roads:
    """Decides how assignments travel, and keeps what checks told."""

    def __init__(self, stores: Stores, clock: Callable[[], float]) -> None:
        self._stores = stores
        self._clock = clock

    def road(
        self, work: FormWork, assignment: ValueAssignment, *, probe: bool, sampled: bool = True
    ) -> Road:
        """How an assignment travels now; one in so many is `sampled`: compared once more."""
        if work.site.settings.transport == "browser" or assignment.discover or probe:
            return BY_BROWSER
        call = work.calls.get(assignment.template)
        is_known = work.recipe is not None or call is not None
        form = self._form(work, is_known=is_known, sampled=sampled)
        return Road(form, self._links(work, sampled=sampled), work.recipe, call)

    def _form(self, work: FormWork, *, is_known: bool, sampled: bool) -> Way:
        trust = work.trust
        if work.steps or trust.fault:
            return "browser"
        if work.site.settings.transport == "http":
            return "http"
        earned = is_known and self._is_plain(trust)
        return "http" if earned and not (trust.is_due and sampled) else "check"

    def _links(self, work: FormWork, *, sampled: bool) -> Way:
        if work.links.fault:
            return "browser"
        if work.site.settings.transport == "http":
            return "http"
        earned = work.links.is_earned(agreed=1, told=1)
        return "http" if earned and not (work.links.is_due and sampled) else "check"

    def take(self, work: FormWork, answer: Submitted, row: ActionRow) -> None:
        """Learn from the checks and the uses of plain HTTP that came with an answer."""
        submission = self._stores.submissions.id_of(work.id, row.payload["key"])
        before = work.trust, work.links
        self._count_uses(work, answer)
        for check in answer.checks:
            self._learn(work, check, submission)
        if answer.recipe is not None:
            work.recipe = answer.recipe
        if answer.call is not None:
            call = borrow_turn(answer.call, work.calls.values())
            work.calls[call.template] = call
        if answer.by_browser:
            self._tell(work, "check", f"in the browser: {answer.by_browser}", submission)
        if answer.checks:
            self._keep(work, was_plain=self._is_plain(before[0]))
        for what, trust, old in (("form", work.trust, before[0]), ("links", work.links, before[1])):
            if trust.fault and not old.fault:
                why = f"{what} back in the browser: {trust.fault}"
                self._tell(work, "transport", why, submission, level="warning")

    def _count_uses(self, work: FormWork, answer: Submitted) -> None:
        if answer.plain_pages:
            work.links = work.links.used()
        if answer.transport == "http":
            barred = answer.judgement is not None and not answer.judgement.verdict.is_valid
            if not work.trust.agreed and not work.trust.since:  # unchecked, from the first
                self._stores.forms.update(work.id, transport="http")
            work.trust = work.trust.used(RECHECK_EVERY if barred else 1)

    def _learn(self, work: FormWork, check: Check, submission: int) -> None:
        if check.of == "links":
            work.links = work.links.checked(check.reason, told=check.told)
        else:
            work.trust = work.trust.checked(check.reason, told=check.told)
            if work.trust.agreed >= MOST_UNTOLD and work.trust.told < LEAST_TOLD:
                work.trust = work.trust.checked("too few answers with records", told=False)
        if check.features is not None:
            now = self._clock()  # a page of its own, but no submission
            self._stores.pages.add(page_row(work, check.features, check.archived, now, "check"))
        told = check.reason or "plain HTTP tells the same as the browser"
        self._tell(work, "check", f"{check.of}: {told}", submission)

    def _is_plain(self, trust: Trust) -> bool:
        return trust.is_earned(agreed=LEAST_AGREED, told=LEAST_TOLD)

    def _tell(
        self, work: FormWork, kind: str, text: str, submission: int, *, level: str = "info"
    ) -> None:
        self._stores.run.add_event(
            kind,
            f"{work.form.action}: {text}",
            level=level,
            site=work.site.key,
            data={"form": work.id, "submission": submission},
        )

    def _keep(self, work: FormWork, *, was_plain: bool) -> None:
        """Write what is known of the form's roads, and how it goes now if that has changed."""
        state = dict(self._stores.forms.get(work.id).state)
        state[STATE] = {
            "form": to_plain(work.trust),
            "links": to_plain(work.links),
            "recipe": to_plain(work.recipe),
            "calls": to_plain(tuple(work.calls.values())),
        }
        is_plain = self._is_plain(work.trust)
        transport = None if is_plain == was_plain else ("http" if is_plain else "browser")
        self._stores.forms.update(work.id, state=state, transport=transport)


def restore_roads(work: FormWork, state: dict[str, Any]) -> None:
    """Give a form's work what an earlier process found."""
    kept = state.get(STATE) or {}
    work.trust = from_plain(Trust, kept.get("form") or {})
    work.links = from_plain(Trust, kept.get("links") or {})
    if kept.get("recipe"):
        work.recipe = from_plain(Recipe, kept["recipe"])
    calls = from_plain(tuple[Call, ...], kept.get("calls") or ())
    work.calls = {call.template: call for call in calls}
