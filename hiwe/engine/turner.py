"""Turn the pages of an answer: pager links by plain HTTP where that was seen to tell the same.

The check: a result page that the browser got by GET is asked for once more by plain HTTP. Where it
tells the same (verdict, record keys, the way on), the pages behind the form's pager links need no
browser any more. A page by plain HTTP that fails, or brings nothing new, is looked at in the
browser; if there is more to see there, the links of this form stay in the browser.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from hiwe.engine.check import THROTTLED, Check, difference
from hiwe.page.network import BLOCKED
from hiwe.page.request import Request, usual_headers
from hiwe.submission.follow import follow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.engine.action import Archive, Submit
    from hiwe.engine.plain import PlainSite
    from hiwe.engine.reading import Reading
    from hiwe.page.browser import Tab
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.response.response import PagerStep

    Open = Callable[[str, str], Awaitable[Tab]]  # address, referer


class Turner:
    """Takes one answer's pager steps. `way` is how links are followed: browser, check or http."""

    def __init__(
        self,
        action: Submit,
        reading: Reading,
        plain: PlainSite,
        archive: Archive,
        *,
        tab: Tab | None,
        open_tab: Open,
    ) -> None:
        """`tab` is where the answer landed, None for one that came by plain HTTP."""
        self._action = action
        self._reading = reading
        self._plain = plain
        self._archive = archive
        self._tab = tab
        self._open_tab = open_tab
        self._opened: Tab | None = None
        self._last: Exchange | None = None  # how the last page came, None: not by one document
        self._was_plain = False
        self._url = ""
        self.way = action.road.links
        self.checks: list[Check] = []
        self.plain_pages = 0
        self.fetched: list[Exchange] = []  # what the page's scripts asked for

    async def close(self) -> None:
        """Give back the tab that was opened for the answer, if one was."""
        if self._opened is not None:
            await self._opened.close()

    def arrived(self, page: Page, *, plain: bool) -> None:
        """Note the page that was read last."""
        self._url, self._was_plain = page.url, plain
        self._last = _document_of(page)
        self.fetched += [e for e in page.exchanges if e.kind in ("xhr", "fetch") and e.status]

    async def check(self) -> None:
        """Compare the last page, if it is time to and it can be asked for by plain HTTP."""
        last, due = self._last, self.way == "check" and not self._was_plain
        step = self._reading.next_step()
        is_link = step is not None and step.how == "link" and bool(step.url)
        if not due or not is_link or last is None or last.method != "GET" or last.status != 200:
            return
        await asyncio.sleep(self._action.terms.delay_s)
        headers = usual_headers(last)
        referer = next((v for k, v in last.request_headers if k.lower() == "referer"), "")
        page = await self._get(last.url, headers, referer)
        if page.status in THROTTLED:
            self._archive.store(page.exchanges)
            self.way = "browser"  # no time for checks; another answer will do
            return
        browser, http, features = self._reading.compare(page, "page", -1)
        reason = difference(browser, http)
        archived = self._keep_check(page)
        self.checks.append(Check("links", reason, bool(browser.keys), features, archived))
        self.way = "browser" if reason else "http"

    async def turn(self, step: PagerStep) -> Page | None:
        """The page after `step`; None when it leads nowhere, or where we must not go.

        PageError and its kin when the browser gets no answer.
        """
        terms = self._action.terms
        await asyncio.sleep(terms.delay_s)
        if step.how == "link" and step.url:
            if self.way == "http" and self._last is not None:
                return await self._turn_plain(step)
            if self._tab is None or self._was_plain:
                return await self._in_browser(step.url)
        elif self._tab is None or self._was_plain:
            self._differ("the pager cannot be followed without the browser")
            return None
        page = await follow(self._tab, step, timeout_s=terms.timeout_s)
        if page is not None:
            self.arrived(page, plain=False)
        return page

    async def _turn_plain(self, step: PagerStep) -> Page | None:
        assert self._last is not None
        page = await self._get(step.url, usual_headers(self._last), self._url)
        if page.exchanges[-1].error == BLOCKED:
            return None
        if page.status in THROTTLED:
            self._archive.store(page.exchanges)
            return None  # asked too much already; what was read so far stands
        if page.status != 200 or not self._reading.brings_new(page):
            return await self._doubted(step, page)
        self.plain_pages += 1
        self.arrived(page, plain=True)
        return page

    async def _doubted(self, step: PagerStep, page: Page) -> Page | None:
        """A page by plain HTTP that holds nothing new is looked at in the browser, too."""
        self._keep_check(page)
        await asyncio.sleep(self._action.terms.delay_s)
        shown = await self._in_browser(step.url)
        if shown is not None and shown.status == 200 and self._reading.brings_new(shown):
            told = f"status {page.status}" if page.status else "no answer"
            self._differ(f"a page of the pager: {told}, nothing new by plain HTTP")
        return shown

    def _keep_check(self, page: Page) -> tuple[str, ...]:
        note = {"purpose": "check", "key": self._action.key, "form": self._action.identity}
        return self._archive.store(page.exchanges, page, note)

    async def _get(self, url: str, headers: tuple[tuple[str, str], ...], referer: str) -> Page:
        way_here = (("Referer", urldefrag(referer).url),) if referer else ()
        request = Request("GET", url, (*headers, *way_here))
        return await self._plain.fetch(request, self._action.terms, beside=self._tab is not None)

    async def _in_browser(self, url: str) -> Page | None:
        """The page at `url` in the browser, in the answer's tab or a new one."""
        if self._tab is None:
            self._tab = self._opened = await self._open_tab(url, self._url)
        elif self._tab.forbids(url):
            return None
        else:
            tab, timeout_s = self._tab.answer, self._action.terms.timeout_s
            await tab.goto(url, referer=self._url, timeout_s=timeout_s)
        page = await self._tab.answer.snapshot()
        self.arrived(page, plain=False)
        return page

    def _differ(self, reason: str) -> None:
        self.checks.append(Check("links", reason, told=True))
        self.way = "browser"


def _document_of(page: Page) -> Exchange | None:
    """The exchange that brought the page's own document, None if it did not come as one."""
    bare = urldefrag(page.url).url
    for exchange in reversed(page.exchanges):
        if exchange.kind == "document" and exchange.status:
            return exchange if urldefrag(exchange.url).url == bare else None
    return None
