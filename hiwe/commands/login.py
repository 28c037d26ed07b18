"""`hiwe login`: a person logs in, in a window; crawls of the site then go as that person."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.commands.exit import DONE
from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    login = commands.add_parser("login", help="log in to a site in a window and keep the state")
    login.add_argument("url", help="the page to log in at")
    login.add_argument("-o", "--output", type=Path, help="file to keep (default: HOST.login.json)")
    login.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Keep the state and say how to use it."""
    host = urlsplit(arguments.url).hostname
    if not host:
        raise UsageError(f"{arguments.url} is no address; give one such as https://site.org/login")
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        raise UsageError(
            "there is no display for a window; run `hiwe login` on a machine with a screen and"
            " copy the file it makes"
        )
    path = arguments.output or Path(f"{host}.login.json")
    cookies = asyncio.run(_log_in(arguments.url, path))
    print(f"{path}: {cookies} cookies, readable for you alone. In the configuration:")
    print(f"sites: [{{url: {arguments.url}, browser: {{storage_state: {path}}}}}]")
    return DONE


async def _log_in(url: str, path: Path) -> int:
    from hiwe.page.browser import Browser
    from hiwe.page.login import log_in

    async def done() -> None:
        said = "Log in, in the window that opened; then press Enter here. "
        await asyncio.to_thread(input, said)

    browser = await Browser.launch(headless=False)
    try:
        return await log_in(browser, url, path, done)
    finally:
        await browser.close()
