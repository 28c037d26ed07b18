"""Carry one value assignment to the site: fill, press, wait, read the answer (design, 4)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiwe.form.find import find_forms
from hiwe.page.channel import Moved
from hiwe.page.network import BLOCKED
from hiwe.submission import press
from hiwe.submission.fill import fill, items_for, match_elements, resets
from hiwe.submission.sent import carried_values
from hiwe.submission.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from hiwe.form.form import Element, Form
    from hiwe.page.browser import Tab
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Option, Page
    from hiwe.page.settle import Mark
    from hiwe.page.tab import Landing
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.submission import Fill, Outcome

LARGEST_DOMAIN_READ = 5000


@dataclass
class _Attempt:
    """What one submission gathers on its way; turned into a frozen Submission at its end."""

    tab: Tab
    form: Form
    assignment: ValueAssignment
    until: float
    began: float
    form_page: Page
    fills: list[Fill] = field(default_factory=list)
    domains: tuple[tuple[int, tuple[Option, ...]], ...] = ()
    landed: Landing = "none"
    page: Page | None = None
    request: Exchange | None = None

    @property
    def left_s(self) -> float:
        return max(0.05, self.until - time.monotonic())

    def end(self, outcome: Outcome, reason: str = "") -> Submission:
        return Submission(
            outcome=outcome,
            reason=reason,
            landed=self.landed,
            fills=tuple(self.fills),
            form_page=self.form_page,
            page=self.page,
            request=self.request,
            duration_s=time.monotonic() - self.began,
            domains=self.domains,
        )


async def submit(
    tab: Tab, form: Form, assignment: ValueAssignment, *, timeout_s: float
) -> Submission:
    """Set the bound elements of `form` in the page that `tab` shows, send it, read the answer.

    The form is found again by its fingerprint. Elements that are not bound keep the default they
    had when the form was first found. `timeout_s` is how long the answer may take; after a
    time-out the tab must be closed, so that a late answer is never taken for another one's.
    """
    began = time.monotonic()
    form_page = await tab.snapshot()
    attempt = _Attempt(tab, form, assignment, began + timeout_s, began, form_page)
    found = find_again(form, find_forms(form_page))
    if found is None:
        return attempt.end("not_sent", "form_gone")
    elements = match_elements(form, found)
    await tab.close_overlay_once()
    before = await tab.mark()
    try:
        if not await _fill(attempt, elements):
            return attempt.end("not_sent", _first_fault(attempt.fills))
        if not _has_left(tab, before):
            why = await press.refusal(tab, _controls(found), _submitter(found))
            if why:
                return attempt.end("not_sent", f"refused: {why}")
            before = await tab.mark()
            attempt.until = time.monotonic() + timeout_s
    except Moved:
        pass  # a change handler sent the form while it was filled
    return await _send(attempt, found, before)


def find_again(form: Form, forms: tuple[Form, ...]) -> Form | None:
    """The form of a fresh page that is `form`: same fingerprint, else same target and names."""
    for candidate in forms:
        if candidate.fingerprint == form.fingerprint and candidate.index == form.index:
            return candidate
    for candidate in forms:
        if candidate.fingerprint == form.fingerprint:
            return candidate
    likeliest = max(forms, key=lambda other: _likeness(form, other), default=None)
    return likeliest if likeliest and _likeness(form, likeliest) >= 0.5 else None


def _likeness(one: Form, other: Form) -> float:
    """Share of elements in common, 0 for another method or target."""
    if one.method != other.method or one.action.split("?")[0] != other.action.split("?")[0]:
        return 0.0
    ours = {(e.name, e.id) for e in one.elements}
    theirs = {(e.name, e.id) for e in other.elements}
    return len(ours & theirs) / max(1, len(ours | theirs))


def _controls(form: Form) -> list[int]:
    return [control for element in form.elements for control in element.controls]


def _submitter(form: Form) -> int:
    return form.submitters[0].control if form.submitters else -1


async def _fill(attempt: _Attempt, elements: Mapping[int, Element]) -> bool:
    """Set what is bound; whether everything took. Notes the domains that changed."""
    items, lost = items_for(attempt.form, elements, attempt.assignment)
    attempt.fills.extend(lost)
    if lost:
        return False
    back = resets(attempt.form, elements, attempt.assignment.template)
    attempt.fills.extend(await fill(attempt.tab, [*back, *items], timeout_s=attempt.left_s))
    ours = set(attempt.assignment.template)
    attempt.fills = [f for f in attempt.fills if f.element in ours]
    attempt.domains = await _changed_domains(attempt, elements)
    return all(f.ok for f in attempt.fills)


async def _changed_domains(
    attempt: _Attempt, elements: Mapping[int, Element]
) -> tuple[tuple[int, tuple[Option, ...]], ...]:
    """Domains of the selects that depend on another element, as they are now."""
    places = [
        place
        for place, element in elements.items()
        if element.kind == "select"
        and len(element.options) <= LARGEST_DOMAIN_READ
        and (attempt.form.elements[place].depends_on is not None or not element.options)
    ]
    if not places:
        return ()
    await attempt.tab.settle(await attempt.tab.mark(), timeout_s=attempt.left_s)
    read = await press.domains(attempt.tab, [elements[p].controls[0] for p in places])
    return tuple((p, options) for p, options in zip(places, read, strict=True) if options)


def _first_fault(fills: list[Fill]) -> str:
    bad = next(f for f in fills if not f.ok)
    return f"{bad.note}: {bad.wanted}"


def _has_left(tab: Tab, before: Mark) -> bool:
    """A change handler already sent the form."""
    traffic = tab.traffic
    return (
        traffic.navigating
        or len(traffic.commits) > before.commits
        or traffic.popups > before.popups
    )


async def _send(attempt: _Attempt, found: Form, before: Mark) -> Submission:
    """Press, and if nothing comes of it, try the other ways a person would."""
    tab = attempt.tab
    for way in _ways(tab, found):
        with tab.expecting_popups():
            if not _has_left(tab, before) and not await way():
                continue
            if not await tab.settle(before, timeout_s=attempt.left_s) and not _arrived(tab, before):
                return await _timed_out(attempt)
            attempt.landed = await tab.landing(before)
        if attempt.landed != "none":
            return await _read(attempt)
    return attempt.end("not_sent", "no_effect")


def _ways(tab: Tab, found: Form) -> tuple[Callable[[], Awaitable[bool]], ...]:
    """How the form may be sent, as a person would try it."""
    controls, submitter = _controls(found), _submitter(found)

    async def by_button() -> bool:
        return submitter >= 0 and await press.press(tab, submitter)

    async def by_enter() -> bool:
        return await press.enter(tab, controls)

    async def by_script() -> bool:
        return await press.force(tab, submitter, controls)

    return (by_button, by_script, by_enter) if submitter >= 0 else (by_enter, by_script)


def _arrived(tab: Tab, before: Mark) -> bool:
    """Something to read is there, though the tab did not come to rest."""
    moved = len(tab.traffic.commits) > before.commits or tab.traffic.downloads > before.downloads
    answered = tab.traffic.recorder.ended_data > before.ended
    return (moved and not tab.traffic.navigating) or (answered and not tab.traffic.navigating)


async def _timed_out(attempt: _Attempt) -> Submission:
    """No answer in time: what was sent is kept, the answer is not waited for any more."""
    exchanges = await attempt.tab.exchanges()
    attempt.request = carried_values(exchanges, attempt.fills)
    attempt.page = None
    return attempt.end("failed", "timeout")


async def _read(attempt: _Attempt) -> Submission:
    """The answer where it landed, with everything that was exchanged for it."""
    tab = attempt.tab
    page = await tab.answer_page(attempt.landed)
    attempt.page = page
    attempt.request = carried_values(page.exchanges, attempt.fills)
    request = attempt.request
    if request is not None and request.error == BLOCKED:
        attempt.page = None
        return attempt.end("not_sent", "robots")
    if request is not None and request.status == 0 and request.kind == "document":
        return attempt.end("failed", request.error or "no_answer")
    return attempt.end("sent")
