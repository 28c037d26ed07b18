"""A tab: open an address, let it settle, read it, see where an answer lands."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import BrowserError, PageError, PageTimeout, SiteUnreachable
from hiwe.page.channel import Moved
from hiwe.page.interruptions import Interruptions
from hiwe.page.landing import landing_of
from hiwe.page.overlay import close_overlay
from hiwe.page.pointer import Pointer
from hiwe.page.popup import add_early, belongs_to
from hiwe.page.screenshot import screenshot
from hiwe.page.settle import STATUS, Mark, Settling, mark
from hiwe.page.view import View

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from contextlib import AbstractContextManager

    from playwright.async_api import Page as PlaywrightPage

    from hiwe.page.channel import Channel
    from hiwe.page.landing import Landing
    from hiwe.page.page import Page
    from hiwe.page.traffic import Traffic

CLOSE_S = 3.0
UNREACHABLE = (
    "CONNECTION_REFUSED", "NAME_NOT_RESOLVED", "ADDRESS_UNREACHABLE", "INTERNET_DISCONNECTED",
    "CONNECTION_TIMED_OUT", "CONNECTION_RESET", "CONNECTION_CLOSED", "EMPTY_RESPONSE", "SSL_",
    "CERT_", "TUNNEL", "PROXY", "ADDRESS_INVALID", "UNSAFE_PORT",
)  # fmt: skip
FORGET_JS = "() => { window.stop(); window.name = ''; try { sessionStorage.clear(); } catch { } }"


class House(Protocol):
    """What a tab needs of the session that it belongs to."""

    idle_timers: set[str]
    looked_for_overlay: bool

    def keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` beside the waiting verb."""

    def park(self, tab: Tab) -> bool:
        """Keep a tab for the next page, if it can be used again."""

    def forbids(self, url: str) -> bool:
        """Whether our rules keep us from asking for `url`."""

    async def adopt(self, page: PlaywrightPage) -> Tab:
        """A Tab for a page that the session opened."""


class Tab:
    """One tab of a session. Its verbs raise PageError and its kin, nothing of the browser's own.

    `answer` is the tab where the last answer landed: this one, or a tab that it opened.
    `pointer` is its mouse and keyboard, `traffic` what goes on in it.
    """

    def __init__(
        self, page: PlaywrightPage, channel: Channel, traffic: Traffic, session: House
    ) -> None:
        """Wrap a page whose traffic is listened to; made by `Session.open`."""
        self._page, self._channel, self._session = page, channel, session
        self._aside = Interruptions(page, traffic, session.keep, self._adopt)
        self._view = View(channel, traffic, self._aside)
        self._popups: list[Tab] = []
        self._leaving: asyncio.Task[None] | None = None
        self.spent = False  # something may still come late: not to be used for another page
        self.traffic = traffic
        self.pointer = Pointer(channel)
        self.answer: Tab = self
        self.call = self._view.call
        self.exchanges = self._view.exchanges

    @property
    def url(self) -> str:
        """The address of the main document."""
        return self._channel.url

    @property
    def closed(self) -> bool:
        """Whether the tab is gone: closed by us, by its page, or crashed."""
        return self._page.is_closed()

    def forbids(self, url: str) -> bool:
        """Whether our own rules (robots.txt, scope) keep us from asking for `url`."""
        return self._session.forbids(url)

    async def goto(
        self, url: str, *, referer: str | None = None, timeout_s: float | None = None
    ) -> None:
        """Open `url` and let it settle.

        What comes back, a refusal by our own rules included, is read by `snapshot`. Raises
        PageTimeout, SiteUnreachable, or PageError for an address that cannot be opened.
        """
        limit = self._channel.timeout_s if timeout_s is None else timeout_s
        until = time.monotonic() + limit
        if self._leaving is not None:
            await self._leaving
            self._leaving = None
        self._channel.url, self._view.error = url, ""
        self._look_at_document()
        self.traffic.opening = {}
        try:
            await self._navigate(url, referer, limit, until)
        finally:
            self.traffic.opening = None

    async def _navigate(self, url: str, referer: str | None, limit: float, until: float) -> None:
        """Ask for an address and wait until its document has settled."""
        parameters = {"url": url} | ({"referrer": referer} if referer else {})
        try:
            answer = await self._channel.send("Page.navigate", parameters, timeout_s=limit)
        except Moved:
            answer = {}
        except PageTimeout as exc:
            self.spent = True
            raise PageTimeout(url, f"no answer within {limit:.0f} s") from exc
        self._view.error = answer.get("errorText", "")
        self._raise_if_unreachable(url)
        if not self._view.error and not await self.settle(timeout_s=until - time.monotonic()):
            self.spent = True

    def _raise_if_unreachable(self, url: str) -> None:
        if any(name in self._view.error for name in UNREACHABLE):
            raise SiteUnreachable(url, f"cannot be reached ({self._view.error})")
        if "INVALID_URL" in self._view.error or "UNKNOWN_URL_SCHEME" in self._view.error:
            raise PageError(url, f"cannot be opened ({self._view.error})")

    async def settle(self, since: Mark | None = None, *, timeout_s: float | None = None) -> bool:
        """Wait until the tab is at rest; whether it came to rest in time."""
        settling = Settling(
            self.call,
            self.traffic,
            since=since,
            limit_s=self._channel.timeout_s if timeout_s is None else timeout_s,
            idle_timers=self._session.idle_timers,
        )
        return await settling.wait()

    async def mark(self) -> Mark:
        """Note how things stand, so that the effect of the next action can be told."""
        return self.mark_at(json.loads(await self.call(STATUS, {})))

    def mark_at(self, status: dict[str, Any]) -> Mark:
        """The same from a `status` that a page function just brought (`watch.js`)."""
        return mark(self.traffic, status)

    async def snapshot(self, *, html: bool = True) -> Page:
        """The page as it is now, with the exchanges since the last snapshot."""
        return await self._view.page(html, self.settle)

    async def screenshot(self) -> bytes:
        """The whole page as a PNG (`hiwe.page.screenshot`)."""
        return await screenshot(self._channel)

    async def landing(
        self, since: Mark, *, in_frame: bool = False, timeout_s: float | None = None
    ) -> Landing:
        """Where the effects after `since` appeared; the answer is read there from now on.

        `in_frame`: the form stands in a frame or aims at one (`hiwe.page.landing`). A new tab
        settles within `timeout_s`; PageTimeout if nothing came by then.
        """
        landed, frame = landing_of(self.traffic, since, url=self.url, in_frame=in_frame)
        if landed == "popup" and self._popups:
            self.answer = self._popups[-1]
            settled = await self.answer.settle(timeout_s=timeout_s)
            if not settled and self.answer.traffic.navigation.main_under_way:
                raise PageTimeout(self.url, "the new tab stays empty")
        elif landed == "page":
            self._look_at_document()
        elif landed == "frame":
            await self._view.enter(frame)
        elif landed == "none" and (await self.mark()).count != since.count:
            return "same_page"
        return landed

    async def answer_page(self, landed: Landing) -> Page:
        """The page where an answer landed, with the exchanges of all tabs that had a part."""
        if landed == "popup":
            own = await self.exchanges()
            page = await self.answer.snapshot()
            return replace(page, exchanges=own + page.exchanges)
        if landed == "download":
            return await self._view.without_document()
        return await self.snapshot()

    def _look_at_document(self) -> None:
        self._view.leave_frame()
        self.answer = self

    async def close_overlay(self, control: int = -1) -> str:
        """Close a layer over the page: how, '' when there was none (`hiwe.page.overlay`)."""
        how = await close_overlay(self.call, control)
        if how:
            await self.settle(timeout_s=2.0)
        return how

    async def close_overlay_once(self) -> None:
        """Close a consent layer, once a session: the site remembers the choice."""
        if not self._session.looked_for_overlay:
            self._session.looked_for_overlay = True
            await self.close_overlay()

    def expecting_popups(self) -> AbstractContextManager[None]:
        """While this lasts, the first requests of tabs that the page opens are recorded."""
        return self._aside.expecting_popups()

    async def _adopt(self, page: PlaywrightPage) -> None:
        """Take a tab that the page opened as one of ours."""
        try:
            tab = await self._session.adopt(page)
            await tab.catch_up()
        except (PlaywrightError, BrowserError, PageError):
            return
        early = [request for request in self._aside.early if belongs_to(request, page)]
        tab._view.early = [self._session.keep(add_early(tab.traffic, r)) for r in early]
        self._popups.append(tab)
        self.traffic.navigation.on_popup()
        self.traffic.changed.set()

    async def catch_up(self) -> None:
        """Learn which document this tab shows, if it opened before it was listened to."""
        tree = await self._channel.send("Page.getFrameTree")
        if not self.traffic.commits:
            self.traffic.on_navigated({"frame": tree["frameTree"]["frame"]})

    def forget(self) -> None:
        """Make ready for another page: nothing of the last one is kept."""
        self._leaving = self._session.keep(self._channel.leave(FORGET_JS))
        self._look_at_document()
        self._aside.reset()
        self.traffic.reset()

    async def close(self) -> None:
        """Give this tab back, close those it opened; never hangs, never asks."""
        await self._close_popups()
        if not self._session.park(self):
            await self.end()

    async def _close_popups(self) -> None:
        popups, self._popups = self._popups, []
        for popup in popups:
            await popup.end()

    async def end(self) -> None:
        """Close this tab for good."""
        await self._close_popups()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._page.close()
        except (TimeoutError, PlaywrightError):
            return

    async def rest_blank(self) -> None:
        """Show the empty page, so that nothing of a page left behind goes on."""
        await self._channel.try_send("Page.navigate", {"url": "about:blank"})
