"""`hiwe review`: a person sees what a run did, corrects it, and judges its answers."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

SAMPLE = 50  # answers drawn when none were
HIGHEST_PORT = 65535


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    review = commands.add_parser(
        "review", help="see what a run did, correct it and judge its answers: a local web page"
    )
    review.add_argument("directory", type=Path, help="a run directory, of a running crawl too")
    review.add_argument("--port", type=_port, default=0, help="of the page (default: a free one)")
    review.add_argument("--no-open", action="store_true", help="open no browser")
    review.add_argument(
        "--terminal", action="store_true", help="judge drawn answers here, one after the other"
    )
    review.add_argument(
        "--judged", type=Path, metavar="CSV", help="take in a sheet that a person has filled in"
    )
    review.add_argument(
        "--sample", type=int, metavar="N",
        help=f"answers to draw and to judge on the terminal (default: {SAMPLE})",
    )  # fmt: skip
    review.set_defaults(command=execute)


def _port(text: str) -> int:
    """A port, 0 for any; argparse says what is wrong."""
    if not text.isdecimal() or int(text) > HIGHEST_PORT:
        raise ArgumentTypeError(f"{text!r} is no port; give a number from 0 to {HIGHEST_PORT}")
    return int(text)


def execute(arguments: argparse.Namespace) -> int:
    """Serve the pages; or judge on the terminal, or take in a judged sheet."""
    if arguments.terminal or arguments.judged is not None or arguments.sample is not None:
        return _judge(arguments)
    from hiwe.review.reviewed import Reviewed
    from hiwe.review.server import serve

    def ready(address: str) -> None:
        print(address, flush=True)
        print("hiwe: the address above lets you in; Ctrl-C ends", file=sys.stderr)
        if not arguments.no_open and _has_screen():
            webbrowser.open(address)

    serve(Reviewed.of(arguments.directory), port=arguments.port, ready=ready)
    return DONE


def _has_screen() -> bool:
    """Whether a browser would open a window: one of the terminal would take it from us."""
    wanted = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return not sys.platform.startswith("linux") or any(map(os.environ.get, wanted))


def _judge(arguments: argparse.Namespace) -> int:
    """Take in a judged sheet, or ask for one answer after the other; then print the figures."""
    from hiwe.report.audit import read_audit
    from hiwe.report.directory import opened
    from hiwe.report.sheet import draw, take_sheet
    from hiwe.repository.database import FILE_NAME, Database
    from hiwe.repository.judged import Judged
    from hiwe.review.prompts import judge_drawn
    from hiwe.text import count

    with opened(arguments.directory):
        pass  # there is a run
    console = Console()
    with Database(arguments.directory / FILE_NAME) as db:
        if arguments.judged is not None:
            number = take_sheet(db, arguments.judged)
        else:
            if arguments.sample is not None or not Judged(db).drawn():
                draw(db, arguments.sample or SAMPLE)
            number = judge_drawn(arguments.directory, db, console)
        audit = read_audit(db)
    console.print(f"{count(number, 'answer')} judged")
    for line in audit.lines() if audit else ():
        console.print(line, highlight=False)
    return DONE
