"""Logging in: a person does it in a window; what the site left in the browser is kept in a file.

hiwe types no password and keeps none. The file holds cookies and local storage, which let whoever
has it in: only its owner may read it.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import BrowserError
from hiwe.page.cookies import Cookie

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.page.browser import Browser

OWNER_ONLY = 0o600


async def log_in(
    browser: Browser, url: str, path: Path, done: Callable[[], Awaitable[None]]
) -> int:
    """Open `url` in a window, wait until the person is `done`, keep the state in `path`.

    Returns how many cookies were kept. BrowserError if the page does not open, or if the browser
    was closed before.
    """
    session = await browser.session("login")
    page = await (await session.bare())()
    try:
        await page.goto(url)
    except PlaywrightError as exc:
        raise BrowserError(f"{url} does not open: {exc.message.splitlines()[0]}") from exc
    closed = asyncio.Event()
    page.context.on("close", lambda _: closed.set())
    waiting = [asyncio.ensure_future(done()), asyncio.ensure_future(closed.wait())]
    _, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    if closed.is_set():
        raise BrowserError("the window was closed before the log-in was kept; nothing was written")
    state = await page.context.storage_state()
    _write(path, json.dumps(state))
    return len(state["cookies"])


def _write(path: Path, text: str) -> None:
    """Write a file that was never readable for others, in place of an older one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.part")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w") as file:
        file.write(text)
    beside.replace(path)


def cookies_of(state: str) -> list[Cookie]:
    """The cookies in the file of a log-in."""
    kept = json.loads(Path(state).read_text(encoding="utf-8"))
    return [Cookie.from_browser(cookie) for cookie in kept.get("cookies", ())]
