"""The limits: Chromium, HTTP, a parser, a compressor and a database with nothing of ours."""

from __future__ import annotations

import asyncio
import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lxml import etree

from hiwe.bench.limits.stage import Measure, now
from hiwe.bench.limits.web import TIMEOUT_S
from hiwe.repository.database import Database

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from hiwe.bench.limits.stage import Work
    from hiwe.bench.limits.web import Web
    from hiwe.page.page import Page

NAVIGATIONS, REQUESTS, THREADS, TRANSACTIONS = 10, 40, 4, 10
COMPRESSION_LEVEL = 6


async def measures(web: Web, answers: Sequence[Page], until: ExitStack) -> list[Measure]:
    """All limits."""
    new_page = await web.session.bare()
    page = await new_page()
    sessions = [await _inspected(new_page, url) for url in web.pages]
    texts = [await _text(page, url) for url in web.pages]
    bodies = [answer.html.encode() for answer in answers]
    urls = [answer.url for answer in answers]
    return [
        Measure("navigation, small page", "page", _navigations(page, web.small_url)),
        Measure("navigation, fixture page", "page", _navigations(page, web.form_url)),
        Measure("HTTP, one connection", "request", _requests(urls, 1, until)),
        Measure(f"HTTP, {THREADS} threads", "request", _requests(urls, THREADS, until)),
        Measure("DOM snapshot", "page", _dom_snapshots(sessions)),
        Measure("parse, page", "page", now(lambda: _parse(texts))),
        Measure("parse, answer", "answer", now(lambda: _parse(bodies))),
        Measure("gzip, answer", "answer", now(lambda: _compress(bodies))),
        Measure("bare transaction", "transaction", now(_transactions(web.directory, until))),
    ]


async def _inspected(new_page: Callable[[], Awaitable[Any]], url: str) -> Any:
    """A tab that shows an address, with a session of the browser's protocol on it."""
    page = await new_page()
    await page.goto(url, wait_until="load")
    return await page.context.new_cdp_session(page)


async def _text(page: Any, url: str) -> bytes:
    await page.goto(url, wait_until="load")
    text: str = await page.content()
    return text.encode("utf-8", "replace")


def _navigations(page: Any, url: str) -> Work:
    async def work() -> int:
        for _ in range(NAVIGATIONS):
            await page.goto(url, wait_until="load")
        return NAVIGATIONS

    return work


def _requests(urls: Sequence[str], threads: int, until: ExitStack) -> Work:
    """Answers by requests, as others write it: by name, no second door to the library for us."""
    session = until.enter_context(import_module("requests").Session())

    def ask(numbers: range) -> None:
        for number in numbers:
            session.get(urls[number % len(urls)], timeout=TIMEOUT_S).raise_for_status()

    async def work() -> int:
        lanes = (range(lane, REQUESTS, threads) for lane in range(threads))
        await asyncio.gather(*(asyncio.to_thread(ask, lane) for lane in lanes))
        return REQUESTS

    return work


def _dom_snapshots(sessions: Sequence[Any]) -> Work:
    """The protocol's own snapshot: all nodes, layout boxes, and the styles that labels hang on."""
    wanted = {"computedStyles": ["font-size", "font-weight", "visibility", "display"]}

    async def work() -> int:
        for session in sessions:
            await session.send("DOMSnapshot.captureSnapshot", wanted)
        return len(sessions)

    return work


def _parse(texts: Sequence[bytes]) -> int:
    for text in texts:
        etree.fromstring(text, etree.HTMLParser(encoding="utf-8"))
    return len(texts)


def _compress(bodies: Sequence[bytes]) -> int:
    for body in bodies:
        zlib.compress(body, COMPRESSION_LEVEL)
    return len(bodies)


def _transactions(directory: Path, until: ExitStack) -> Callable[[], int]:
    """One row a transaction, in a file, with the log and the safety that hiwe's has."""
    db = until.enter_context(Database.plain(directory / "bare.sqlite"))
    db.value("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, text TEXT)")

    def work() -> int:
        for _ in range(TRANSACTIONS):
            with db.atomic():
                db.execute("INSERT INTO bare (text) VALUES ('a record of some length')")
        return TRANSACTIONS

    return work
