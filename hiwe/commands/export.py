"""`hiwe export`: records or archive in another format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE
from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

FORMATS = ("jsonl", "csv", "parquet", "sqlite", "warc", "wacz")
ARCHIVES = ("warc", "wacz")


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    export = commands.add_parser("export", help="records or archive in another format")
    export.add_argument("directory", type=Path, help="a run directory")
    export.add_argument(
        "--format", choices=FORMATS, help="what to write (default: as --output ends, else jsonl)"
    )
    export.add_argument("-o", "--output", type=Path, help="where to (default: the run directory)")
    export.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write the file and print its path; how much it holds is told on standard error."""
    from hiwe.report.directory import opened
    from hiwe.repository.export import export
    from hiwe.repository.totals import Totals
    from hiwe.text import count

    target: Path | None = arguments.output
    kind = arguments.format or _kind_of(target)
    folder = target.parent if target is not None else arguments.directory
    is_new = not folder.exists()
    written = export(arguments.directory, kind, target)
    print(written)
    if is_new:
        print(f"the folder {folder} is new", file=sys.stderr)
    if kind not in ARCHIVES:
        with opened(arguments.directory) as db:
            print(count(Totals(db).run().records, "record"), file=sys.stderr)
    return DONE


def _kind_of(target: Path | None) -> str:
    """The format that a file's name tells of; jsonl without a name, UsageError if it tells none."""
    if target is None:
        return "jsonl"
    for kind in FORMATS:
        if target.name.lower().removesuffix(".gz").endswith(f".{kind}"):
            return kind
    raise UsageError(f"{target}: its name tells no format; give --format, {', '.join(FORMATS)}")
