"""Look at pages without sending anything: what `hiwe inspect` does for each page given."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from hiwe.errors import PageError, SiteError, UsageError
from hiwe.inspect import inspect_page, inspect_table
from hiwe.page.browser import Browser
from hiwe.page.lists import open_lists
from hiwe.picture import picture
from hiwe.place import address_of
from hiwe.task.settings import agent_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from hiwe.lvs.table import LvsTable
    from hiwe.page.page import Page

FIRST_ERROR = 400  # of the statuses of HTTP


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
    A page that cannot be opened, or that answers an error, is one line on stderr; the others are
    still looked at. Raises BrowserMissing.
    """
    places = tuple(_places(pages))
    done = len(places) == len(pages)
    if not places:
        return done
    browser = await Browser.launch(user_agent=agent_name("", ""))
    try:
        session = await browser.session("inspect")
        for given, address in places:
            try:
                tab = await session.open(address)
                await open_lists(tab.call)
                page = await tab.snapshot(html=False)
                if screenshot is not None:
                    screenshot.write_bytes(await picture(tab, page, table))
                await tab.close()
            except (PageError, SiteError) as error:
                _say(error)
                done = False
                continue
            if page.status >= FIRST_ERROR:
                _say(f"{given}: answers {page.status}; what follows is of that page")
                done = False
            _print(page, given, table, as_json=as_json, console=console)
        return done
    finally:
        await browser.close()


def _places(pages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What was given and its address; what can have none is one line on stderr."""
    for given in pages:
        try:
            yield given, address_of(given)
        except UsageError as error:
            _say(error)


def _say(what: object) -> None:
    print(f"hiwe: {what}", file=sys.stderr)


def _print(
    page: Page, given: str, table: LvsTable | None, *, as_json: bool, console: Console
) -> None:
    if as_json:
        print(json.dumps(inspect_page(page, given, table), ensure_ascii=False), flush=True)
    else:
        console.print(inspect_table(page, table))
