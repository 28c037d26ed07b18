"""The domains of dependent elements, read while their parents' choice is set."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiwe.form.caption import split_choices
from hiwe.form.find import find_forms
from hiwe.page.channel import Moved
from hiwe.submission.again import find_again, match_elements
from hiwe.submission.fill import CHILD_S, RETRY_S
from hiwe.submission.press import domains
from hiwe.submission.values import parent_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiwe.form.form import Element, Form
    from hiwe.submission.attempt import Attempt
    from hiwe.submission.fill import Filled
    from hiwe.submission.submission import Submission

LARGEST_DOMAIN_READ = 5000


async def note_domains(attempt: Attempt, elements: Mapping[int, Element]) -> None:
    """Keep what the selects that depend on another element offer now."""
    places = [
        place
        for place, element in elements.items()
        if element.kind == "select"
        and len(element.options) <= LARGEST_DOMAIN_READ
        and (parent_of(attempt.form, place) is not None or not element.options)
    ]
    if places:
        read = await domains(attempt.tab, [elements[p].controls[0] for p in places])
        attempt.domains.update(
            {p: options for p, options in zip(places, read, strict=True) if options}
        )


async def discover(attempt: Attempt, found: Form, filled: Filled | None) -> Submission:
    """Read the children's domains under the choice that was set, and send nothing.

    `filled` is None when the choice made the page load anew: then they stand in the new page.
    """
    if filled is not None and filled.fault:
        return await attempt.give_up("not_sent", filled.fault)
    if filled is None:
        again = await _reloaded(attempt)
        if again is None:
            return await attempt.give_up("not_sent", "form_gone")
        found = again
    await _wait_for_children(attempt, match_elements(attempt.form, found))
    return await attempt.give_up("not_sent", "discover")


async def _reloaded(attempt: Attempt) -> Form | None:
    """The form in the page that the choice brought."""
    if not await attempt.tab.settle(timeout_s=attempt.timeout_s):
        return None
    page = await attempt.tab.snapshot()
    attempt.earlier += page.exchanges
    return find_again(attempt.form, find_forms(page))


async def _wait_for_children(attempt: Attempt, elements: Mapping[int, Element]) -> None:
    """Read again until each child of a bound element has choices, for a limited time."""
    bound = set(attempt.assignment.template)
    children = {p for p in elements if parent_of(attempt.form, p) in bound and p not in bound}
    until = time.monotonic() + min(attempt.timeout_s, CHILD_S)
    while True:
        try:
            await note_domains(attempt, elements)
        except Moved:
            return  # the page was left: what was read before stands
        ready = {
            place
            for place, options in attempt.domains.items()
            if split_choices(options, multiple=False).values
        }
        if children <= ready or time.monotonic() > until:
            return
        await attempt.tab.traffic.wait(RETRY_S)
