"""`hiwe traps`: shapes of addresses that a run closed as endless, and how to open one again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from hiwe.commands.exit import DONE
from hiwe.errors import RunError, UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands
    from hiwe.crawl.traps import ClosedTrap
    from hiwe.repository.database import Database


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    traps = commands.add_parser("traps", help="endless addresses a run left; open one that is none")
    traps.add_argument("directory", type=Path, help="a run directory")
    traps.add_argument("--reopen", metavar="SHAPE", help="visit addresses of this shape after all")
    traps.add_argument("--host", default="", help="only of this host")
    traps.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """List the closed traps, or open those of one shape."""
    from hiwe.crawl.reopening import closed_traps
    from hiwe.repository.database import FILE_NAME, Database

    path = arguments.directory / FILE_NAME
    if not path.is_file():
        raise RunError(arguments.directory, f"holds no run (there is no {FILE_NAME})")
    with Database(path, read_only=arguments.reopen is None) as db:
        found = closed_traps(db, shape=arguments.reopen or "", host=arguments.host)
        if arguments.reopen is None:
            Console().print(_table(found))
        else:
            _reopen(db, found, arguments)
    return DONE


def _table(traps: list[ClosedTrap]) -> Table:
    table = Table("host", "shape", "reason", "visited", "turned away")
    for trap in traps:
        visited, refused = str(trap.addresses), str(trap.refused)
        table.add_row(trap.host, trap.shape, trap.reason, visited, refused)
    return table


def _reopen(db: Database, traps: list[ClosedTrap], arguments: argparse.Namespace) -> None:
    from hiwe.crawl.reopening import reopen_trap

    directory, shape = arguments.directory, arguments.reopen
    if not traps:
        raise UsageError(
            f"{directory}: no closed trap {shape!r}; hiwe traps {directory} lists them"
        )
    opened = sum(reopen_trap(db, trap) for trap in traps)
    print(f"{shape} is open: {opened} addresses to visit; start the run again")
