"""Press the right button: aim, free the way, click; or Enter, or the form's own sending."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from hiwe.page.page import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.browser import Tab

BODY = resources.files("hiwe.submission").joinpath("press.js").read_text("utf-8")


def _function(name: str, parameters: str) -> str:
    return f"({parameters}) => {{\n{BODY}\nreturn {name}({parameters});\n}}"


AIM_JS = _function("aim", "index")
REFUSAL_JS = _function("refusal", "controls, submitter")
FORCE_JS = _function("force", "submitter, controls")
FOCUS_JS = _function("focusText", "controls")
DOMAINS_JS = _function("domains", "selects")


async def refusal(tab: Tab, controls: Sequence[int], submitter: int) -> str:
    """Why the browser itself would not send the form ('year: ...'), '' when it would."""
    return str(await tab.call(REFUSAL_JS, list(controls), submitter))


async def domains(tab: Tab, selects: Sequence[int]) -> list[tuple[Option, ...] | None]:
    """The choices that live selects hold now; None for one that is disabled or gone."""
    rows = json.loads(await tab.call(DOMAINS_JS, list(selects)))
    return [
        None
        if row is None
        else tuple(
            Option(v, label, group, bool(s), bool(d), control=index)
            for v, label, s, d, group in row
        )
        for index, row in zip(selects, rows, strict=True)
    ]


async def press(tab: Tab, control: int) -> bool:
    """Click a control with the mouse; whether it could be done at a point that lies free."""
    aim = await _aim(tab, control)
    if not aim["free"] and not aim.get("gone"):
        await tab.pointer.press("Escape")  # calendars and suggestion lists close
        aim = await _aim(tab, control)
    if not aim["free"] and not aim.get("gone") and await tab.close_overlay(control):
        aim = await _aim(tab, control)
    if not aim["free"] or aim["disabled"]:
        return False
    await tab.pointer.click(aim["x"], aim["y"])
    return True


async def _aim(tab: Tab, control: int) -> dict[str, Any]:
    aim: dict[str, Any] = json.loads(await tab.call(AIM_JS, control))
    return aim


async def enter(tab: Tab, controls: Sequence[int]) -> bool:
    """Press Enter in the form's first text box; whether there is one."""
    if not await tab.call(FOCUS_JS, list(controls)):
        return False
    await tab.pointer.press("Enter")
    return True


async def force(tab: Tab, submitter: int, controls: Sequence[int]) -> bool:
    """Send without a press: click by script, or ask the form to send itself."""
    return str(await tab.call(FORCE_JS, submitter, list(controls))) != "none"
