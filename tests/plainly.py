"""A crawl without a browser: the whole brain and worker at work, pages come by plain HTTP.

For rules of the crawl manager, where what counts is which addresses are asked for, in what order.
There is no layout and so no form in such pages.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from hiwe.crawl.run import run_task
from hiwe.page.answer import page_of_answer
from hiwe.page.http import HttpSession
from hiwe.page.redirects import goes_round
from hiwe.page.request import Request
from hiwe.task import load_task
from tests.crawling import CRAWL_DEADLINE_S, read_back, write_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from hiwe.crawl.part import Part
    from hiwe.page.browser import Browser
    from hiwe.page.cookies import Cookie
    from hiwe.page.page import Page
    from tests.crawling import Crawled

# The last field is of one request alone: only what comes of a tab bears it.
ACCEPT = (("User-Agent", "hiwe-test"), ("Accept", "text/html"), ("Cache-Control", "no-cache"))


class PlainTab:
    """A page that came by plain HTTP."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def call(self, function: str, *arguments: Any) -> Any:
        """No script runs here."""

    async def snapshot(self, *, html: bool = False) -> Page:
        """What came."""
        return self._page

    async def close(self) -> None:
        """Nothing is held open."""


class PlainSession:
    """A site's cookies, and the same rules about what is not asked for as a browser's session."""

    def __init__(self, timeout_s: float, blocked: Callable[[str], bool] | None) -> None:
        self._http = HttpSession()
        self._timeout_s = timeout_s
        self._blocked = blocked

    async def open(self, url: str, *, referer: str | None = None) -> PlainTab:
        """Ask for an address, its redirects followed as far as a tab does."""
        chain: list[str] = []

        def forbids(hop: str) -> bool:
            chain.append(hop)
            return goes_round(chain) or (self._blocked is not None and self._blocked(hop))

        request = Request("GET", url, ACCEPT)
        exchanges = await asyncio.to_thread(
            self._http.send, request, self._timeout_s, forbids=forbids
        )
        return PlainTab(page_of_answer(exchanges))

    async def cookies(self) -> tuple[Cookie, ...]:
        """The cookies of the session."""
        return self._http.cookies()

    async def take_cookies(self, cookies: Iterable[Cookie]) -> None:
        """Hold these cookies."""
        self._http.take_cookies(cookies)

    async def close(self) -> None:
        """Give the connections back."""
        self._http.close()


class PlainBrowser:
    """What stands in for a browser."""

    alive = True

    def __init__(self, timeout_s: float = 2.0) -> None:
        self._timeout_s = timeout_s

    async def session(
        self, site_key: str, *, blocked: Callable[[str], bool] | None = None, **options: Any
    ) -> PlainSession:
        """A site's session."""
        return PlainSession(self._timeout_s, blocked)


def crawl_plainly(
    out: Path, *urls: str, table: dict[str, Any] | None = None, timeout_s: float = 2.0,
    **settings: Any,
) -> Crawled:  # fmt: skip
    """Run a task over the sites at `urls` without a browser and read it back."""
    config = write_config(out, urls, table, settings)
    return read_back(out / "run", asyncio.run(crawling(config, out / "run", timeout_s=timeout_s)))


async def crawling(
    config: Path, run: Path, *, part: Part | None = None, timeout_s: float = 2.0
) -> str:
    """Run a task, or a shard of it, in the directory `run`; how it ended."""
    browser = cast("Browser", PlainBrowser(timeout_s))
    async with asyncio.timeout(CRAWL_DEADLINE_S):
        return await run_task(load_task(config), run, browser=browser, part=part)
