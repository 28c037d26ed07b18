"""`hiwe init`: a commented starting configuration and an LVS table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    init = commands.add_parser("init", help="write a commented starting configuration")
    init.add_argument("config", type=Path, nargs="?", default=Path("task.yaml"))
    init.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write both files, which must not be there yet, and print their paths."""
    from hiwe.init import write_starter

    for path in write_starter(arguments.config):
        print(path)
    return DONE
