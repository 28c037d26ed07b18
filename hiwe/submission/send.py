"""Send a filled form as a person would, and read the answer where it lands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.errors import PageTimeout
from hiwe.page.network import BLOCKED
from hiwe.page.settle import DATA_KINDS
from hiwe.page.wire import exchange_of
from hiwe.submission import press
from hiwe.submission.sent import carried_values, carries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.form.form import Form
    from hiwe.page.browser import Tab
    from hiwe.page.settle import Mark
    from hiwe.submission.attempt import Attempt
    from hiwe.submission.fill import Filled
    from hiwe.submission.submission import Submission

MOVING = frozenset({"picked", "tagged"})  # ways to fill after which a page is laid out anew


def has_left(tab: Tab, before: Mark, found: Form) -> bool:
    """A change handler already sent the form.

    A page's other frames come and go; only where the form stands in one, that one's leaving is
    taken for the form's.
    """
    navigation = tab.traffic.navigation
    commits = navigation.commits[before.commits :]
    if navigation.main_under_way or navigation.popups > before.popups:
        return True
    if found.frame and navigation.frames_under_way(before.at_s):
        return True
    return any(c.is_main or found.frame for c in commits)


def in_frame(found: Form) -> bool:
    """The form stands in a frame, or its answer is to appear in one."""
    return bool(found.frame) or found.target.lower() not in (
        "",
        "_self",
        "_top",
        "_parent",
        "_blank",
    )


async def send(attempt: Attempt, found: Form, before: Mark, filled: Filled | None) -> Submission:
    """Press, and if nothing comes of it, try the other ways a person would.

    `filled` is None when a change handler sent the form already: then only the answer is read.
    """
    tab = attempt.tab
    for way in _ways(tab, found, filled):
        attempt.start_clock()
        with tab.expecting_popups():
            if filled is not None and not has_left(tab, before, found) and not await way():
                continue
            settled = await tab.settle(before, timeout_s=attempt.left_s)
            if not settled and not _arrived(tab, before):
                return await _timed_out(attempt)
            try:
                attempt.landed = await tab.landing(
                    before, in_frame=in_frame(found), timeout_s=attempt.left_s
                )
            except PageTimeout:
                return await _timed_out(attempt)
        if attempt.landed != "none":
            return await _read(attempt)
    if _answered_while_typing(attempt):
        attempt.landed = "same_page"
        return await _read(attempt)
    return await attempt.give_up("not_sent", "no_effect")


def _answered_while_typing(attempt: Attempt) -> bool:
    """The page searches as one types: the answer came before anything could be pressed."""
    hops = attempt.tab.traffic.recorder.hops[attempt.hops :]
    asked = [exchange_of(hop) for hop in hops if hop.kind in DATA_KINDS]
    return any(carries(exchange, attempt.fills.values()) for exchange in asked)


def _ways(
    tab: Tab, found: Form, filled: Filled | None
) -> tuple[Callable[[], Awaitable[bool]], ...]:
    """How the form may be sent, as a person would try it."""
    controls = [control for element in found.elements for control in element.controls]
    submitter = found.submitters[0].control if found.submitters else -1
    still = filled is not None and not any(f.note in MOVING for f in filled.fills)
    aim = filled.aim if filled is not None and still else None

    async def by_button() -> bool:
        return submitter >= 0 and await press.press(tab, submitter, aim)

    async def by_enter() -> bool:
        return await press.enter(tab, controls)

    async def by_script() -> bool:
        return await press.force(tab, submitter, controls)

    return (by_button, by_script, by_enter) if submitter >= 0 else (by_enter, by_script)


def _arrived(tab: Tab, before: Mark) -> bool:
    """Something to read is there, though the tab did not come to rest."""
    traffic = tab.traffic
    if traffic.navigation.main_under_way:
        return False
    moved = len(traffic.commits) > before.commits or traffic.downloads > before.downloads
    return moved or traffic.recorder.ended_data > before.ended


async def _timed_out(attempt: Attempt) -> Submission:
    """No answer in time: what was sent is kept, the answer is not waited for any more."""
    attempt.tab.spent = True
    return await attempt.give_up("failed", "timeout")


async def _read(attempt: Attempt) -> Submission:
    """The answer where it landed, with everything that was exchanged for it."""
    page = await attempt.tab.answer_page(attempt.landed)
    page = replace(page, exchanges=attempt.earlier + page.exchanges)
    request = carried_values(page.exchanges, attempt.fills.values())
    attempt.request = request
    if request is not None and request.kind == "document" and request.status == 0:
        attempt.earlier = page.exchanges
        blocked = request.error == BLOCKED
        return await attempt.give_up(
            "not_sent" if blocked else "failed", "robots" if blocked else request.error
        )
    attempt.page = page
    return attempt.end("sent")
