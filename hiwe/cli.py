"""The command line: parses arguments, sets up logging, turns errors into exit codes."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import TYPE_CHECKING

from hiwe.commands import (
    bench,
    completion,
    doctor,
    export,
    fixtures,
    init,
    inspect,
    login,
    lvs,
    merge,
    reanalyse,
    report,
    review,
    run,
    traps,
)
from hiwe.commands.exit import DONE, FAILED, INTERRUPTED, USAGE
from hiwe.errors import HiweError, UsageError
from hiwe.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = (
    run, inspect, report, review, export, merge, reanalyse, traps, lvs, init, login, doctor, bench,
    fixtures, completion,
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (contract: 0, 1, 2, 130)."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as leave:  # argparse leaves by itself; callers want a number
        return leave.code if isinstance(leave.code, int) else USAGE
    _set_up_logging(verbose=arguments.verbose)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except HiweError as error:
        print(f"hiwe: {error}", file=sys.stderr)
        return USAGE if isinstance(error, UsageError) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # `hiwe report DIR | head`: nobody listens any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    parser = argparse.ArgumentParser(
        prog="hiwe", description="Get out the data that only a search form shows."
    )
    parser.add_argument("--version", action="version", version=f"hiwe {__version__}")
    parser.add_argument("-v", "--verbose", action="store_true", help="log each decision")
    parser.set_defaults(parser=parser)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


def _set_up_logging(*, verbose: bool) -> None:
    """Log to stderr; results go to stdout alone."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname).1s %(name)s: %(message)s"))
    handler.setLevel(logging.DEBUG if verbose else logging.WARNING)
    root = logging.getLogger("hiwe")
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
