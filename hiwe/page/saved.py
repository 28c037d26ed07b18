"""Saved pages in a browser, offline: what the benchmarks and the training read.

No host name is found but the page's own, which is answered here: a page saved years ago asks nobody
anything, and its requests fail inside the browser.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout
from playwright.async_api import async_playwright

from hiwe.errors import PageError
from hiwe.page.chromium import find_chromium
from hiwe.page.snapshot import SNAPSHOT_JS, parse_snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from playwright.async_api import BrowserContext, Route
    from playwright.async_api import Page as Tab

    from hiwe.page.page import Page

ADDRESS = "http://saved.invalid/"
VIEWPORT = {"width": 1280, "height": 1024}
LOAD_MS = 6000
NOTHING_FETCHED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
FLAGS = ("--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--no-first-run", "--disable-quic",
         "--host-resolver-rules=MAP * ~NOTFOUND")  # fmt: skip
# The least that any layout method needs: boxes and fonts of all texts and controls, as one string.
BARE_JS = """() => {
  const found = [], range = document.createRange();
  const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.nodeType === Node.TEXT_NODE;
    if (text ? !node.data.trim() : !node.matches('input,select,textarea,button')) continue;
    if (text) range.selectNodeContents(node);
    const box = (text ? range : node).getBoundingClientRect();
    const style = getComputedStyle(text ? node.parentElement : node);
    found.push([text ? node.data : [node.localName, node.name, node.value], box.x, box.y, box.width,
      box.height, style.fontSize, style.fontWeight, style.visibility]);
  }
  return JSON.stringify(found);
}"""
TIMED_JS = (
    "(o) => { const t = performance.now(); const text = (" + SNAPSHOT_JS + ")(o);"
    " const u = performance.now(); (" + BARE_JS + ")(); const v = performance.now();"
    " return [u - t, v - u, text]; }"
)


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A saved page as the browser shows it; times in milliseconds.

    `snapshot_ms` is what the page function took inside the page, `bare_ms` what the barest one
    takes right after it, `trip_ms` the whole round trip without that, `parse_ms` what it took to
    make the Page of its answer.
    """

    path: Path
    page: Page
    snapshot_ms: float
    bare_ms: float
    trip_ms: float
    parse_ms: float


async def saved_pages(
    paths: Sequence[Path], *, html: bool = False, scripts: bool = False
) -> AsyncIterator[SavedPage]:
    """Show the files one after another in one browser; without `scripts` theirs do not run.

    Files are read as UTF-8. PageError for one that the browser cannot show at all.
    """
    async with _context(scripts=scripts) as context:
        tab = await context.new_page()
        await _open(tab, ADDRESS, b"", policy=NOTHING_FETCHED)
        for path in paths:
            with suppress(PlaywrightTimeout):  # a script that waits for ever; what stands is read
                await (_open(tab, ADDRESS + path.name, path.read_bytes()) if scripts
                       else _write(tab, path.read_bytes()))  # fmt: skip
            yield await _read(tab, path, html=html)


@asynccontextmanager
async def _context(*, scripts: bool) -> AsyncIterator[BrowserContext]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(find_chromium()), args=list(FLAGS), chromium_sandbox=False
        )
        context = await browser.new_context(
            viewport=VIEWPORT,  # type: ignore[arg-type]
            java_script_enabled=scripts,
            service_workers="block",
        )
        try:
            yield context
        finally:
            await browser.close()


async def _open(tab: Tab, address: str, body: bytes, policy: str = "") -> None:
    """Visit an address that is answered with `body`: a page of its own, with scripts of its own."""
    headers = {"content-type": "text/html; charset=utf-8"}
    if policy:
        headers["content-security-policy"] = policy

    async def answer(route: Route) -> None:
        await route.fulfill(body=body, headers=headers)

    await tab.unroute_all()
    await tab.route(address, answer)
    await tab.goto(address, wait_until="domcontentloaded", timeout=LOAD_MS)
    await tab.wait_for_load_state("load", timeout=LOAD_MS)


async def _write(tab: Tab, body: bytes) -> None:
    """Write a page without scripts into the open document: half the work of a visit.

    The document's policy holds for what is written, so requests end before they begin.
    """
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    await tab.set_content(text, wait_until="load", timeout=LOAD_MS)


async def _read(tab: Tab, path: Path, *, html: bool) -> SavedPage:
    started = time.perf_counter()
    try:
        took, bare, text = await tab.evaluate(TIMED_JS, {"html": html})
    except PlaywrightError as error:
        raise PageError(str(path), f"the browser cannot read it: {error.message}") from error
    arrived = time.perf_counter()
    page = parse_snapshot(text, status=200)
    done = time.perf_counter()
    trip = (arrived - started) * 1000 - bare
    return SavedPage(path, page, took, bare, trip, (done - arrived) * 1000)
