"""Press the right button: aim, free the way, click; or Enter, or the form's own sending."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiwe.page.page import Option
from hiwe.submission.script import AIM_JS, DOMAINS_JS, FOCUS_TEXT_JS, FORCE_JS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.browser import Tab

Aim = dict[str, Any]  # x, y, free, disabled; gone or unseen instead of a point


async def domains(tab: Tab, selects: Sequence[int]) -> list[tuple[Option, ...] | None]:
    """The choices that live selects hold now; None for one that is disabled or gone."""
    rows = json.loads(await tab.call(DOMAINS_JS, list(selects)))
    return [
        None if row is None else tuple(_option(choice, index) for choice in row)
        for index, row in zip(selects, rows, strict=True)
    ]


def _option(choice: Sequence[Any], control: int) -> Option:
    value, label, selected, disabled, group = choice
    return Option(value, label, group, bool(selected), bool(disabled), control=control)


async def press(tab: Tab, control: int, aim: Aim | None = None) -> bool:
    """Click a control with the mouse; whether it could be done at a point that lies free.

    `aim` is where it was just seen to lie. What lies over it is closed: a calendar or a list of
    suggestions by Escape, a layer by its own button.
    """
    aim = aim or await _aim(tab, control)
    if not aim["free"] and not aim.get("gone"):
        await tab.pointer.press("Escape")
        aim = await _aim(tab, control)
    if not aim["free"] and not aim.get("gone") and await tab.close_overlay(control):
        aim = await _aim(tab, control)
    if not aim["free"] or aim["disabled"]:
        return False
    await tab.pointer.click(aim["x"], aim["y"])
    return True


async def _aim(tab: Tab, control: int) -> Aim:
    aim: Aim = json.loads(await tab.call(AIM_JS, control))
    return aim


async def enter(tab: Tab, controls: Sequence[int]) -> bool:
    """Press Enter in the form's first text box; whether there is one."""
    if not await tab.call(FOCUS_TEXT_JS, list(controls)):
        return False
    await tab.pointer.press("Enter")
    return True


async def force(tab: Tab, submitter: int, controls: Sequence[int]) -> bool:
    """Send without a press: click by script, or ask the form to send itself."""
    return str(await tab.call(FORCE_JS, submitter, list(controls))) != "none"
