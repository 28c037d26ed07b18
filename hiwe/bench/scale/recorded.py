"""A browser that has seen its pages: it asks for each by plain HTTP and shows it as recorded.

For measuring engines where rendering is not the subject: requests, pace, archive and analysis are
those of a crawl, the processor time of Chromium is left out. What it has no record of, or would
have to fill in, it cannot do.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from hiwe.errors import SiteUnreachable
from hiwe.page.browser import Browser
from hiwe.page.chromium import find_chromium
from hiwe.page.http import HttpSession
from hiwe.page.page import Page
from hiwe.page.request import Headers, Request, usual_headers
from hiwe.repository.codec import from_plain, to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hiwe.page.cookies import Cookie

TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Rendering:
    """A page as a browser showed it, and the header fields of its request."""

    page: Page
    headers: Headers

    @classmethod
    def of(cls, page: Page) -> Rendering:
        """What is to be kept of a page that a browser brought."""
        came = next((e for e in reversed(page.exchanges) if e.kind == "document"), None)
        headers = () if came is None else usual_headers(came)
        return cls(replace(page, exchanges=()), headers)

    def moved(self, root: str) -> Rendering:
        """The same page of a site that is like it, whose start is at `root`."""
        text = json.dumps(to_plain(self.page)).replace(self.page.url, root)
        return Rendering(from_plain(Page, json.loads(text)), self.headers)


class RecordedBrowser:
    """Stands in a Browser's place where pages are opened and read, no more. Picklable."""

    alive = True

    def __init__(self, renderings: Mapping[str, Rendering]) -> None:
        """`renderings` are the pages by address."""
        self._renderings = dict(renderings)

    def as_browser(self) -> Browser:
        """Itself, under the name that a worker knows."""
        return cast("Browser", self)

    async def session(
        self,
        site_key: str,
        *,
        http_credentials: tuple[str, str] | None = None,
        storage_state: str | None = None,
        proxy: str | None = None,
        blocked: Callable[[str], bool] | None = None,
    ) -> RecordedSession:
        """A visitor of a site; it has no log-in and no proxy, and asks for its own pages alone."""
        return RecordedSession(self._renderings)

    async def close(self) -> None:
        """Nothing to end."""


class RecordedSession:
    """One site's visitor."""

    def __init__(self, renderings: Mapping[str, Rendering]) -> None:
        """`renderings` are the pages by address."""
        self._renderings = renderings
        self._http = HttpSession()

    async def open(self, url: str, *, referer: str | None = None) -> RecordedTab:
        """Ask for an address; SiteUnreachable without an answer, KeyError without a record."""
        known = self._renderings[url]
        headers = (*known.headers, *((("Referer", referer),) if referer else ()))
        sent = Request("GET", url, headers)
        exchanges = await asyncio.to_thread(self._http.send, sent, TIMEOUT_S)
        last = exchanges[-1]
        if not last.status:
            raise SiteUnreachable(url, last.error)
        page = replace(known.page, status=last.status, exchanges=exchanges)
        return RecordedTab(page)

    async def cookies(self) -> tuple[Cookie, ...]:
        """The cookies that the site has set."""
        return self._http.cookies()

    async def take_cookies(self, cookies: Iterable[Cookie]) -> None:
        """Hold these cookies, too."""
        self._http.take_cookies((*self._http.cookies(), *cookies))

    async def close(self) -> None:
        """Give the connections back."""
        self._http.close()


@dataclass(frozen=True, slots=True)
class RecordedTab:
    """A page that is open."""

    page: Page

    async def call(self, script: str) -> None:
        """No script runs here."""

    async def snapshot(self, *, html: bool = True) -> Page:
        """The page as recorded, with the exchanges of now."""
        return self.page

    async def close(self) -> None:
        """Nothing to close."""


async def record_page(url: str) -> Rendering:
    """How a browser shows a page."""
    browser = await Browser.launch(executable=find_chromium(), timeout_s=TIMEOUT_S)
    try:
        session = await browser.session("record")
        tab = await session.open(url)
        return Rendering.of(await tab.snapshot())
    finally:
        await browser.close()
