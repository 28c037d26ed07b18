"""`hiwe run`: run a task, resume it, or visit its sites again."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.errors import RunError, UsageError

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager

    from hiwe.commands.exit import Commands
    from hiwe.crawl.part import Part
    from hiwe.engine.engine import MakeEngine
    from hiwe.repository.command import Command

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
    run.add_argument(
        "--workers",
        type=int,
        help="tabs that work at once; with --engine ray: workers, each a browser with four tabs",
    )
    run.add_argument(
        "--engine", choices=["local", "ray"], default="local",
        help="where the workers are: in this process, or on a Ray cluster",
    )  # fmt: skip
    run.add_argument(
        "--ray-address", metavar="ADDRESS",
        help="HOST:PORT of the cluster, or auto for the one this machine belongs to"
        " (default: RAY_ADDRESS, or one that is started on this machine for the run)",
    )  # fmt: skip
    run.add_argument(
        "--profile", action="store_true",
        help="measure the cost of each stage: a section of the report, and profile.html",
    )  # fmt: skip
    run.add_argument(
        "--shard", metavar="K/N",
        help="the hosts of part K of N alone, in OUT/shard-K-of-N; others get the links to theirs",
    )  # fmt: skip
    run.add_argument(
        "--handed", type=Path, metavar="DIR",
        help="folder by which shards hand links over, seen by all (default: OUT/handed)",
    )  # fmt: skip
    run.add_argument(
        "--shard-wait", type=float, metavar="SECONDS",
        help="how long a shard without work waits for others that are not at work (default: 30)",
    )  # fmt: skip
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


def _command(arguments: argparse.Namespace, out: Path) -> Command:
    """What a person typed, to be told how to go on.

    A run that is started from the copy of its configuration was started by another command before:
    that is kept, with what was set now.
    """
    from hiwe.report.directory import opened
    from hiwe.repository.command import Command
    from hiwe.repository.database import FILE_NAME
    from hiwe.repository.run import Run

    config: Path = arguments.config
    options = [("--set", text) for text in arguments.overrides]
    if arguments.workers is not None:
        options.append(("--workers", str(arguments.workers)))
    if arguments.engine != "local":
        options.append(("--engine", arguments.engine))
    for name in ("ray_address", "shard", "handed", "shard_wait"):
        if (value := getattr(arguments, name)) is not None:
            options.append((f"--{name.replace('_', '-')}", str(value)))
    if config.resolve() == (out / "config.yaml").resolve() and (out / FILE_NAME).is_file():
        with opened(out) as db:
            before = Command.of_run(Run(db))
        if before is not None:
            return before.with_options(tuple(options))
    names_out = arguments.out is not None
    if arguments.shard is not None:
        out = out.parent
    return Command(str(config), str(out), names_out, tuple(options), str(Path.cwd()))


def _engine(name: str, ray_address: str | None) -> MakeEngine:
    """Where the workers are to be; UsageError if that is not to be had."""
    if name == "local":
        from hiwe.engine.local import LocalEngine

        if ray_address:
            raise UsageError("--ray-address goes with --engine ray; give both or none")
        return LocalEngine
    try:
        from hiwe.engine.ray import RayEngine
    except ModuleNotFoundError as exc:
        if not str(exc.name).startswith("ray"):
            raise
        raise UsageError("--engine ray needs Ray: pip install 'hiwe[ray]'") from exc
    return partial(RayEngine, address=ray_address)


def _measured(arguments: argparse.Namespace, out: Path) -> AbstractContextManager[None]:
    """What is around the run: a profile if one is asked for."""
    if not arguments.profile:
        return nullcontext()
    from hiwe.commands.profiled import profiled

    return profiled(out, fresh=arguments.fresh)


def _part(arguments: argparse.Namespace) -> Part | None:
    """The shard that is wanted, None for the whole task; UsageError for what is none."""
    from hiwe.crawl.neighbours import WAIT_S
    from hiwe.crawl.part import Part
    from hiwe.crawl.shard import Shard

    wait_s = arguments.shard_wait
    if arguments.shard is None:
        for name, value in (("--shard-wait", wait_s), ("--handed", arguments.handed)):
            if value is not None:
                raise UsageError(f"{name} goes with --shard; give both or none")
        return None
    if wait_s is not None and not 0 <= wait_s < float("inf"):
        raise UsageError(f"--shard-wait is {wait_s}; give a number of seconds, 0 or more")
    shard = Shard.parse(arguments.shard)
    wait_s = WAIT_S if wait_s is None else wait_s
    return Part(shard, wait_s, revisits=arguments.revisit, handed=arguments.handed)


def execute(arguments: argparse.Namespace) -> int:
    """Run the task; the exit code says how it ended (contract: 0, 1, 130)."""
    from hiwe.crawl.learned import assist_for
    from hiwe.crawl.part import run_directory
    from hiwe.crawl.run import run_task
    from hiwe.report.feed import write_feed
    from hiwe.report.html import write_html
    from hiwe.report.progress import progress_for
    from hiwe.report.summary import write_summary
    from hiwe.report.terminal import print_report
    from hiwe.repository.archive_place import put_run
    from hiwe.task import load_task

    make_engine = _engine(arguments.engine, arguments.ray_address)
    overrides = list(arguments.overrides)
    if arguments.workers is not None:
        overrides.append(f"workers={arguments.workers}")
    task = load_task(arguments.config, overrides=overrides)
    part = _part(arguments)
    out = run_directory(arguments.out or Path(task.directory), part.shard if part else None)
    progress = progress_for(Console(stderr=True), quiet=arguments.quiet)
    if arguments.revisit:
        _check_finished(out)
    crawl = partial(
        run_task,
        task,
        out,
        fresh=arguments.fresh,
        progress=progress,
        assist=assist_for(arguments.config),
        command=_command(arguments, out),
        make_engine=make_engine,
        part=part,
    )
    with _measured(arguments, out):
        status = asyncio.run(crawl())
    write_summary(out)
    write_html(out)
    write_feed(out)
    put_run(out, task.address, part.shard.directory if part else "")
    if not arguments.quiet:
        print_report(out, Console())
    return {"finished": DONE, "interrupted": INTERRUPTED}.get(status, FAILED)
