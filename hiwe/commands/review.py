"""`hiwe review`: a person judges answers, and the figures take it in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE
from hiwe.errors import RunError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

SAMPLE = 50  # answers drawn when none were


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    review = commands.add_parser("review", help="judge a random sample of a run's answers")
    review.add_argument("directory", type=Path, help="a run directory")
    review.add_argument(
        "--judged", type=Path, metavar="CSV", help="take in a sheet that a person has filled in"
    )
    review.add_argument(
        "--sample", type=int, metavar="N", help=f"answers to draw (default: {SAMPLE})"
    )
    review.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Take in a judged sheet, or ask for one answer after the other; then print the figures."""
    from hiwe.report.audit import read_audit
    from hiwe.report.sheet import draw, take_sheet
    from hiwe.repository.database import FILE_NAME, Database
    from hiwe.repository.judged import Judged
    from hiwe.review.prompts import judge_drawn

    path = arguments.directory / FILE_NAME
    if not path.is_file():
        raise RunError(arguments.directory, f"holds no run (there is no {FILE_NAME})")
    console = Console()
    with Database(path) as db:
        if arguments.judged is not None:
            number = take_sheet(db, arguments.judged)
        else:
            if arguments.sample is not None or not Judged(db).drawn():
                draw(db, arguments.sample or SAMPLE)
            number = judge_drawn(arguments.directory, db, console)
        audit = read_audit(db)
    console.print(f"{number} answers judged")
    for line in audit.lines() if audit else ():
        console.print(line, highlight=False)
    return DONE
