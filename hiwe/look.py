"""Look at pages without sending anything: what `hiwe inspect` does for each page given."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.errors import PageError, SiteError
from hiwe.inspect import inspect_page, inspect_table
from hiwe.page.browser import Browser
from hiwe.page.lists import open_lists
from hiwe.picture import picture
from hiwe.task.settings import agent_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hiwe.lvs.table import LvsTable
    from hiwe.page.page import Page


async def look(
    pages: Sequence[str],
    *,
    as_json: bool,
    screenshot: Path | None,
    console: Console,
    table: LvsTable | None = None,
) -> bool:
    """Print the forms of each page, in the order given; whether all could be opened.

    With `table` the row that each element matches is told too. `screenshot` takes the picture.
    A page that cannot be opened is one line on stderr; the others are still looked at. Raises
    BrowserMissing.
    """
    browser = await Browser.launch(user_agent=agent_name("", ""))
    try:
        session = await browser.session("inspect")
        done = True
        for given in pages:
            try:
                tab = await session.open(address_of(given))
                await open_lists(tab.call)
                page = await tab.snapshot(html=False)
                if screenshot is not None:
                    screenshot.write_bytes(await picture(tab, page, table))
                await tab.close()
            except (PageError, SiteError) as error:
                print(f"hiwe: {error}", file=sys.stderr)
                done = False
                continue
            _print(page, given, table, as_json=as_json, console=console)
        return done
    finally:
        await browser.close()


def address_of(given: str) -> str:
    """The address to open: a URL as it is, a file by its path."""
    if "://" in given or given.startswith(("about:", "data:")):
        return given
    path = Path(given)
    return path.resolve().as_uri() if path.exists() else f"http://{given}"


def _print(
    page: Page, given: str, table: LvsTable | None, *, as_json: bool, console: Console
) -> None:
    if as_json:
        print(json.dumps(inspect_page(page, given, table), ensure_ascii=False), flush=True)
    else:
        console.print(inspect_table(page, table))
