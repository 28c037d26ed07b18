"""`hiwe export`: records or archive in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

FORMATS = ("jsonl", "csv", "parquet", "sqlite", "warc", "wacz")


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    export = commands.add_parser("export", help="records or archive in another format")
    export.add_argument("directory", type=Path, help="a run directory")
    export.add_argument("--format", required=True, choices=FORMATS, help="what to write")
    export.add_argument("-o", "--output", type=Path, help="where to (default: the run directory)")
    export.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write the file and print its path."""
    from hiwe.repository.export import export

    print(export(arguments.directory, arguments.format, arguments.output))
    return DONE
