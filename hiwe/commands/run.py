"""`hiwe run`: run a task, resume it, or visit its sites again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.errors import RunError, UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

from hiwe.commands.exit import DONE, FAILED, INTERRUPTED


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    run = commands.add_parser("run", help="run a task, resume it, or visit its sites again")
    run.add_argument("config", type=Path, help="the task, a YAML file")
    run.add_argument("--out", type=Path, help="run directory (default: runs/<task>)")
    run.add_argument(
        "--fresh", action="store_true", help="start anew; an old run directory is moved aside"
    )
    run.add_argument(
        "--revisit", action="store_true",
        help="look for what has changed since the run was finished; fails if it is not",
    )  # fmt: skip
    run.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides",
        help="override one configuration key, e.g. ranking.function=average",
    )  # fmt: skip
    run.add_argument("--workers", type=int, help="tabs that work at once")
    run.add_argument(
        "--engine", choices=["local", "ray"], default="local", help="where the workers are"
    )
    run.add_argument("--quiet", action="store_true", help="no progress, no table")
    run.set_defaults(command=execute)


def _check_finished(out: Path) -> None:
    """RunError unless `out` holds a finished run, or a revisit that was cut off."""
    from hiwe.report.directory import opened
    from hiwe.repository.rounds import Rounds
    from hiwe.repository.run import Run

    with opened(out) as db:
        status = Run(db).status
        if status != "finished" and Rounds(db).open() is None:
            raise RunError(out, f"is not finished but {status}; leave out --revisit to go on")


def execute(arguments: argparse.Namespace) -> int:
    """Run the task; the exit code says how it ended (contract: 0, 1, 130)."""
    from hiwe.crawl.run import run_task
    from hiwe.report.feed import write_feed
    from hiwe.report.html import write_html
    from hiwe.report.progress import progress_for
    from hiwe.report.summary import write_summary
    from hiwe.report.terminal import print_report
    from hiwe.task import load_task
    from hiwe.task.assist import assist_beside

    if arguments.engine != "local":
        raise UsageError("--engine ray is not in this version; leave it out to run locally")
    overrides = list(arguments.overrides)
    if arguments.workers is not None:
        overrides.append(f"workers={arguments.workers}")
    task = load_task(arguments.config, overrides=overrides)
    out = arguments.out or Path(task.output)
    progress = progress_for(Console(stderr=True), quiet=arguments.quiet)
    if arguments.revisit:
        _check_finished(out)
    status = asyncio.run(
        run_task(
            task,
            out,
            fresh=arguments.fresh,
            progress=progress,
            assist=assist_beside(arguments.config),
        )
    )
    write_summary(out)
    write_html(out)
    write_feed(out)
    if not arguments.quiet:
        print_report(out, Console())
    return {"finished": DONE, "interrupted": INTERRUPTED}.get(status, FAILED)
