"""Mouse and keyboard of a tab."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hiwe.page.channel import Moved

if TYPE_CHECKING:
    from hiwe.page.channel import Channel

KEYS = {
    "Enter": {"windowsVirtualKeyCode": 13, "code": "Enter", "text": "\r"},
    "Escape": {"windowsVirtualKeyCode": 27, "code": "Escape"},
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "ArrowDown": {"windowsVirtualKeyCode": 40, "code": "ArrowDown"},
    "Backspace": {"windowsVirtualKeyCode": 8, "code": "Backspace"},
}
CONTROL = 2  # the modifier's bit


class Pointer:
    """Real input events, as the browser gets them from a person's devices."""

    def __init__(self, channel: Channel) -> None:
        """Send input over `channel`."""
        self._channel = channel

    async def click(self, x: float, y: float) -> None:
        """Press and release the mouse at a point of the window, in CSS pixels."""
        point = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await self._together(
            "Input.dispatchMouseEvent",
            {"type": "mouseMoved", "x": x, "y": y},
            {"type": "mousePressed", "buttons": 1, **point},
            {"type": "mouseReleased", **point},
        )

    async def press(self, key: str) -> None:
        """Press one named key (`KEYS`) on what has the focus."""
        facts = {"key": key, **KEYS[key]}
        down = "keyDown" if "text" in facts else "rawKeyDown"
        await self._together(
            "Input.dispatchKeyEvent", {"type": down, **facts}, {"type": "keyUp", **facts}
        )

    async def type(self, text: str) -> None:
        """Replace what the focused box holds by `text`, key by key."""
        select = {"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": CONTROL}
        await self._together(
            "Input.dispatchKeyEvent",
            {"type": "rawKeyDown", "commands": ["selectAll"], **select},
            {"type": "keyUp", **select},
        )
        await self.press("Backspace")
        for letter in text:
            await self._together(
                "Input.dispatchKeyEvent",
                {"type": "keyDown", "text": letter, "key": letter},
                {"type": "keyUp", "key": letter},
            )

    async def _together(self, command: str, *events: dict[str, Any]) -> None:
        """Send events in order without waiting for each; a document that goes away is fine."""
        sent = (self._channel.send(command, event) for event in events)
        for outcome in await asyncio.gather(*sent, return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, Moved):
                raise outcome
