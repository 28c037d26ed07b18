"""`hiwe inspect`: list the forms of pages as the crawler understands them; sends nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE, FAILED
from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    inspect = commands.add_parser("inspect", help="list the forms of pages; sends nothing")
    inspect.add_argument("pages", nargs="+", metavar="URL_OR_FILE", help="pages, hosts or files")
    inspect.add_argument("--json", action="store_true", help="one JSON object a page")
    inspect.add_argument(
        "--screenshot", type=Path, metavar="OUT.png", help="picture of the page with its labels"
    )
    inspect.add_argument(
        "--table", type=Path, metavar="FILE", help="LVS file, task or run: show the rows matched"
    )
    inspect.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print the forms of each page; 1 if one of them could not be opened or answers an error."""
    from hiwe.commands.lvs import table_of
    from hiwe.look import look

    if arguments.screenshot is not None and len(arguments.pages) > 1:
        raise UsageError("--screenshot takes one page; give one URL or file")
    table = table_of(arguments.table) if arguments.table is not None else None
    done = asyncio.run(
        look(
            arguments.pages,
            as_json=arguments.json,
            screenshot=arguments.screenshot,
            console=Console(),
            table=table,
        )
    )
    return DONE if done else FAILED
