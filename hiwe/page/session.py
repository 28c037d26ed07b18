"""A session: one site's cookies and tabs, apart from all others."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from importlib import resources
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import BrowserError
from hiwe.page.channel import Channel
from hiwe.page.cookies import Cookie
from hiwe.page.tab import Tab
from hiwe.page.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable

    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext
    from playwright.async_api import Page as PlaywrightPage

WATCH_JS = resources.files("hiwe.page").joinpath("watch.js").read_text("utf-8")
CLOSE_S = 5.0
PARKED = 4  # tabs kept for the next pages of a site
REST_S = 1.0  # a parked tab that is not needed at once leaves its page after this time


class Session:
    """One browser context a site. Made by `Browser.session`."""

    def __init__(
        self,
        site_key: str,
        browser: PlaywrightBrowser,
        options: dict[str, Any],
        *,
        timeout_s: float,
        blocked: Callable[[str], bool] | None,
    ) -> None:
        """Keep what a context is made of; `start` makes it."""
        self.site_key = site_key
        self.timeout_s = timeout_s
        self.idle_timers: set[str] = set()  # pages whose timers were seen to bring nothing
        self.looked_for_overlay = False
        self._parked: list[Tab] = []
        self._browser = browser
        self._options = options
        self._blocked = blocked
        self._context: BrowserContext | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Make the context, with `watch.js` in every document to come."""
        try:
            async with asyncio.timeout(self.timeout_s):
                context = await self._browser.new_context(**self._options)
                await context.add_init_script(WATCH_JS)
        except (TimeoutError, PlaywrightError) as exc:
            raise BrowserError(f"{self.site_key}: no new session: {exc}") from exc
        context.set_default_timeout(self.timeout_s * 1000)
        self._context = context

    async def open(
        self,
        url: str,
        *,
        referer: str | None = None,
        pace: Callable[[], Awaitable[None]] | None = None,
    ) -> Tab:
        """A new tab at `url`, settled. `pace` is awaited before the address is asked for."""
        self._parked = [parked for parked in self._parked if not parked.closed]
        tab = self._parked.pop() if self._parked else await self.blank()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(tab.end)
            if pace is not None:
                await pace()
            await tab.goto(url, referer=referer)
            undo.pop_all()
        return tab

    def park(self, tab: Tab) -> bool:
        """Keep a tab for the next page, if nothing can come of the last one any more."""
        if self._context is None or tab.spent or len(self._parked) >= PARKED:
            return False
        tab.forget()
        self._parked.append(tab)
        self.keep(self._put_to_rest(tab))
        return True

    async def _put_to_rest(self, tab: Tab) -> None:
        await asyncio.sleep(REST_S)
        if tab in self._parked:
            self._parked.remove(tab)
            await tab.rest_blank()
            tab.traffic.reset()
            self._parked.insert(0, tab)

    async def blank(self) -> Tab:
        """A new, empty tab."""
        if self._context is None:
            await self.start()
        assert self._context is not None
        try:
            async with asyncio.timeout(self.timeout_s):
                page = await self._context.new_page()
                return await self.adopt(page)
        except (TimeoutError, PlaywrightError) as exc:
            raise BrowserError(f"{self.site_key}: no new tab: {exc}") from exc

    async def bare(self) -> Callable[[], Awaitable[PlaywrightPage]]:
        """Opens the driver's own pages, nothing of ours in them: what benchmarks compare with."""
        context = await self._browser.new_context(**self._options)
        return context.new_page

    async def adopt(self, page: PlaywrightPage) -> Tab:
        """A Tab for a page of this session, its traffic listened to."""
        cdp = await page.context.new_cdp_session(page)
        channel = Channel(cdp, self.timeout_s)
        traffic = Traffic(channel, self._blocked)
        tab = Tab(page, channel, traffic, self)
        await traffic.listen()
        return tab

    def forbids(self, url: str) -> bool:
        """Whether the session's rules keep us from asking for `url`."""
        return self._blocked is not None and self._blocked(url)

    @property
    def open_tabs(self) -> int:
        """How many tabs the browser holds open for this session."""
        return 0 if self._context is None else len(self._context.pages)

    async def cookies(self) -> tuple[Cookie, ...]:
        """The cookies of the session."""
        if self._context is None:
            return ()
        try:
            async with asyncio.timeout(self.timeout_s):
                plain = await self._context.cookies()
        except (TimeoutError, PlaywrightError) as exc:
            raise BrowserError(f"{self.site_key}: no cookies: {exc}") from exc
        return tuple(Cookie.from_browser(cookie) for cookie in plain)

    async def take_cookies(self, cookies: Iterable[Cookie]) -> None:
        """Hold these cookies besides those there are; of two alike the given one stays."""
        if self._context is None:
            await self.start()
        assert self._context is not None
        plain: list[Any] = [cookie.to_browser() for cookie in cookies]
        try:
            async with asyncio.timeout(self.timeout_s):
                await self._context.add_cookies(plain)
        except (TimeoutError, PlaywrightError) as exc:
            raise BrowserError(f"{self.site_key}: cookies not taken: {exc}") from exc

    async def clear(self) -> None:
        """Start anew: no cookies, no storage. Tabs that are open are closed."""
        await self.close()
        self.looked_for_overlay = False
        await self.start()

    async def close(self) -> None:
        """Close all tabs and forget the cookies; never hangs."""
        context, self._context = self._context, None
        self._parked.clear()
        for task in self._tasks:
            task.cancel()
        if context is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await context.close()
        except (TimeoutError, PlaywrightError):
            return

    def keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` beside the waiting verb; held until it ends."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
