"""`hiwe report`: submission efficiency and harvest of a run."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE
from hiwe.errors import RunError, UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    report = commands.add_parser("report", help="submission efficiency and harvest of a run")
    report.add_argument(
        "directory", type=Path, nargs="+", help="a run directory, or several to compare"
    )
    report.add_argument("--open", action="store_true", help="open report.html in a browser")
    report.add_argument(
        "--audit", type=int, metavar="N",
        help="draw N answers at random for a person to judge, as audit.csv (then: hiwe review)",
    )  # fmt: skip
    report.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print the tables, write report.html and summary.json anew."""
    from hiwe.report.compare import print_comparison
    from hiwe.report.html import write_html
    from hiwe.report.summary import write_summary
    from hiwe.report.terminal import print_report

    directory, *others = arguments.directory
    if others:
        print_comparison(arguments.directory, Console())
        return DONE
    if arguments.audit is not None:
        return _draw(directory, arguments.audit)
    print_report(directory, Console())
    write_summary(directory)
    path = write_html(directory)
    if arguments.open:
        webbrowser.open(path.resolve().as_uri())
    return DONE


def _draw(directory: Path, size: int) -> int:
    """Write the sheet of a random sample and say what to do with it."""
    from hiwe.report.sheet import draw, write_sheet
    from hiwe.repository.database import FILE_NAME, Database

    if size < 1:
        raise UsageError(f"--audit is {size}; give the number of answers to draw, 1 or more")
    if not (directory / FILE_NAME).is_file():
        raise RunError(directory, f"holds no run (there is no {FILE_NAME})")
    with Database(directory / FILE_NAME) as db:
        path = write_sheet(directory, db, draw(db, size))
    print(path)
    print(
        f"fill the column 'judged', then: hiwe review {directory} --judged {path}", file=sys.stderr
    )
    return DONE
