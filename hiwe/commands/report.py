"""`hiwe report`: submission efficiency and harvest of a run."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE

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
    print_report(directory, Console())
    write_summary(directory)
    path = write_html(directory)
    if arguments.open:
        webbrowser.open(path.resolve().as_uri())
    return DONE
