"""The line to one tab: the browser's own protocol, with our deadlines and our errors."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import BrowserError, PageError, PageTimeout

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import CDPSession

log = logging.getLogger(__name__)

MOVED_PHRASES = (
    "navigated or closed",
    "context was destroyed",
    "Cannot find context",
    "Cannot find default execution context",
    "Execution context",
)
CLOSED_PHRASES = ("has been closed", "Target closed", "Session closed", "session closed")


class Moved(Exception):
    """The document that was asked is gone: the tab moved on to another one."""


class Channel:
    """Commands and events of one tab. `url` names the page in errors."""

    def __init__(self, cdp: CDPSession, timeout_s: float) -> None:
        """Keep the session; commands without a deadline of their own get `timeout_s`."""
        self._cdp = cdp
        self.timeout_s = timeout_s
        self.url = "about:blank"
        self.context: int | None = None  # where page functions run; None: the main document

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Call `handler` with the parameters of every `event`."""
        self._cdp.on(event, handler)

    async def send(
        self, method: str, params: dict[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> dict[str, Any]:
        """The command's answer; Moved, PageTimeout or PageError when there is none."""
        limit = self.timeout_s if timeout_s is None else timeout_s
        try:
            async with asyncio.timeout(limit):
                answer: dict[str, Any] = await self._cdp.send(method, params or {})
                return answer
        except TimeoutError as exc:
            raise PageTimeout(self.url, f"no answer within {limit:.0f} s") from exc
        except PlaywrightError as exc:
            raise self._own_error(exc) from exc

    async def try_send(
        self, method: str, params: dict[str, Any] | None = None
    ) -> dict[str, Any] | None:
        """The command's answer, None when what it speaks of is gone."""
        try:
            return await self.send(method, params)
        except (Moved, PageError, BrowserError) as exc:
            log.debug("%s: %s", method, exc)
            return None

    def _own_error(self, exc: PlaywrightError) -> Exception:
        text = str(exc)
        if any(phrase in text for phrase in MOVED_PHRASES):
            return Moved(text)
        if any(phrase in text for phrase in CLOSED_PHRASES):
            return BrowserError(f"{self.url}: the tab was closed or the browser ended")
        return PageError(self.url, text)

    async def leave(self, function: str) -> None:
        """Run a page function on a document that is about to be left; its fate is no matter."""
        try:
            await self.call(function)
        except (Moved, PageError, BrowserError) as exc:
            log.debug("leaving %s: %s", self.url, exc)

    async def context_of(self, frame: str) -> int | None:
        """Where page functions of `frame` run, None for a frame in another process."""
        found: list[int] = []

        def note(event: dict[str, Any]) -> None:
            context = event["context"]
            facts = context.get("auxData", {})
            if facts.get("frameId") == frame and facts.get("isDefault"):
                found.append(context["id"])

        self.on("Runtime.executionContextCreated", note)
        try:
            await self.send("Runtime.enable")
            await self.send("Runtime.disable")
        finally:
            self._cdp.remove_listener("Runtime.executionContextCreated", note)
        return found[-1] if found else None

    async def call(self, function: str, *arguments: Any, timeout_s: float | None = None) -> Any:
        """What the page function returns for `arguments` (both JSON); promises are awaited."""
        given = ", ".join(json.dumps(argument) for argument in arguments)
        parameters = {
            "expression": f"({function})({given})",
            "awaitPromise": True,
            "returnByValue": True,
            "userGesture": True,
        }
        if self.context is not None:
            parameters["contextId"] = self.context
        answer = await self.send("Runtime.evaluate", parameters, timeout_s=timeout_s)
        failure = answer.get("exceptionDetails")
        if failure:
            said = failure.get("exception", {}).get("description") or failure.get("text", "")
            raise PageError(self.url, f"a page function failed: {said}")
        return answer["result"].get("value")
