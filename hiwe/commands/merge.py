"""`hiwe merge`: runs of one task, its shards above all, joined into one run directory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    merge = commands.add_parser("merge", help="join runs of one task, such as its shards")
    merge.add_argument("directory", type=Path, nargs="+", help="a run directory")
    merge.add_argument(
        "-o", "--output", type=Path, required=True,
        help="directory of the joined run; an earlier one is moved aside",
    )  # fmt: skip
    merge.add_argument(
        "--partial", action="store_true",
        help="join what there is, though a run has not ended or a shard is missing",
    )  # fmt: skip
    merge.add_argument("--quiet", action="store_true", help="no table")
    merge.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Join the runs and print the report of all together; what is missing goes to stderr."""
    from hiwe.crawl.merge import merge
    from hiwe.report.feed import write_feed
    from hiwe.report.html import write_html
    from hiwe.report.summary import write_summary
    from hiwe.report.terminal import print_report

    out: Path = arguments.output
    for what in merge(arguments.directory, out, partial=arguments.partial):
        print(f"hiwe: {what}", file=sys.stderr)
    write_summary(out)
    write_html(out)
    write_feed(out)
    if not arguments.quiet:
        print_report(out, Console())
    return DONE
