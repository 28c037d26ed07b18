"""Carry one value assignment to the site: fill, press, wait, read the answer (design, 4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiwe.form.find import find_forms
from hiwe.page.channel import Moved
from hiwe.page.lists import open_lists
from hiwe.submission.again import find_again, match_elements
from hiwe.submission.attempt import Attempt
from hiwe.submission.children import discover, note_domains
from hiwe.submission.fill import Filled, Filler
from hiwe.submission.item import levels_for, untaken
from hiwe.submission.send import has_left, send

if TYPE_CHECKING:
    from hiwe.form.form import Form
    from hiwe.page.browser import Tab
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.submission import Submission

MOST_RELOADS = 4  # pages that load anew at a choice, before the form is sent


async def submit(
    tab: Tab, form: Form, assignment: ValueAssignment, *, timeout_s: float
) -> Submission:
    """Set the bound elements of `form` in the page that `tab` shows, send it, read the answer.

    The form is found again by its fingerprint. Elements that are not bound keep the default they
    had when the form was first found. An assignment to `discover` sends nothing: it only reads
    the domains of dependent elements. `timeout_s` is how long the answer may take; after a
    time-out the tab is spent, so that a late answer is never taken for another one's.
    """
    began = time.monotonic()
    if any(element.kind == "combobox" for element in form.elements):
        await open_lists(tab.call)
    form_page = await tab.snapshot()
    attempt = Attempt(tab, form, assignment, timeout_s, form_page, began)
    attempt.hops = len(tab.traffic.recorder.hops)
    found = find_again(form, find_forms(form_page))
    if found is None:
        return attempt.end("not_sent", "form_gone")
    if tab.forbids(found.submitters[0].action if found.submitters else found.action):
        return attempt.end("not_sent", "robots")
    await tab.close_overlay_once()
    for _ in range(MOST_RELOADS):
        before = tab.mark_at({})
        filled = await _fill(attempt, found)
        if assignment.discover:
            moved = filled is None or has_left(tab, before, found)
            return await discover(attempt, found, None if moved else filled)
        if filled is not None and not has_left(tab, before, found):
            return await _send_filled(attempt, found, filled)
        again = await _reloaded(attempt, found)
        if again is None:
            break
        found = again
    return await send(attempt, found, before, None)


async def _send_filled(attempt: Attempt, found: Form, filled: Filled) -> Submission:
    """Send, if everything took and the browser does not refuse."""
    if filled.fault:
        return await attempt.give_up("not_sent", filled.fault)
    if filled.why:
        return await attempt.give_up("not_sent", f"refused: {filled.why}")
    return await send(attempt, found, filled.mark, filled)


async def _fill(attempt: Attempt, found: Form) -> Filled | None:
    """Set what is bound; None when a change handler sent the form meanwhile."""
    elements = match_elements(attempt.form, found)
    levels, lost = levels_for(attempt.form, elements, attempt.assignment)
    if lost:
        attempt.fills.update({fill.element: fill for fill in lost})
        return Filled(tuple(lost), "", None, attempt.tab.mark_at({}))
    bound = frozenset(attempt.assignment.template)
    filler = Filler(attempt.tab, found, attempt.timeout_s)
    try:
        filled = await filler.fill(levels)
        await note_domains(attempt, elements)
    except Moved:
        attempt.unset = bound - filler.reached
        return None
    attempt.fills.update({f.element: f for f in filled.fills if f.element in bound})
    return filled


async def _reloaded(attempt: Attempt, found: Form) -> Form | None:
    """The form in the page that a choice brought, if it is still to be filled or sent there.

    Where the page left before all was set, it is, though what is left may stand there already.
    """
    bound = frozenset(attempt.assignment.template)
    if len(bound) < 2 or attempt.tab.traffic.navigation.popups:
        return None
    if not await attempt.tab.settle(timeout_s=attempt.timeout_s):
        return None
    page = await attempt.tab.snapshot()
    again = find_again(attempt.form, find_forms(page))
    attempt.earlier += page.exchanges
    if again is None:
        return None
    left = untaken(attempt.form, match_elements(attempt.form, again), attempt.assignment)
    if (not left and not attempt.unset) or left == bound:
        return None
    attempt.unset = frozenset()
    attempt.steps += 1
    return again
