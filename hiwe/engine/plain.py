"""One site by plain HTTP: requests with the browser's cookies, paced and permitted alike."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hiwe.page.answer import page_of_answer
from hiwe.page.http import HttpSession
from hiwe.page.login import cookies_of

if TYPE_CHECKING:
    from hiwe.engine.action import SiteTerms
    from hiwe.page.cookies import Cookie
    from hiwe.page.page import Page
    from hiwe.page.request import Request
    from hiwe.page.session import Session


class PlainSite:
    """The visitor of one site, where it needs no browser. The browser and it share their cookies.

    Whoever uses the browser calls `hand_over` before it: what a site set by plain HTTP is known
    there from then on, and what it sets there is taken back with the next request.
    """

    def __init__(self, terms: SiteTerms) -> None:
        """For the site of `terms`; nothing is sent yet."""
        self._http = HttpSession(credentials=terms.credentials, proxy=terms.proxy)
        if terms.storage_state is not None:
            self._http.take_cookies(cookies_of(terms.storage_state))
        self._browser: Session | None = None
        self._taken: frozenset[Cookie] = frozenset()

    async def hand_over(self, session: Session) -> None:
        """Let the browser's `session` have the cookies: it is used from now on."""
        fresh = [cookie for cookie in self._http.cookies() if cookie not in self._taken]
        self._browser = session
        if fresh:
            await session.take_cookies(fresh)
            self._taken |= frozenset(fresh)

    async def _take_back(self) -> None:
        if self._browser is not None:
            self._http.take_cookies(await self._browser.cookies())
            self._taken = frozenset(self._http.cookies())

    async def fetch(self, request: Request, terms: SiteTerms, *, beside: bool = False) -> Page:
        """The answer to `request` as a Page, every hop among its exchanges.

        `beside`: a tab is at work on this site, too, so that its cookies may have changed. A
        refusal by robots.txt or the scope has status 0, like silence; its exchange says why.
        """
        await self._take_back()
        permits = terms.permits
        exchanges = await asyncio.to_thread(
            self._http.send,
            request,
            terms.timeout_s,
            forbids=lambda url: permits is not None and not permits(url),
        )
        if not beside:
            self._browser = None  # nothing changes there until it is used again
        elif self._browser is not None:
            await self.hand_over(self._browser)
        return page_of_answer(exchanges)

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()
