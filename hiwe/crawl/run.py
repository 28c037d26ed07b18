"""A run: its directory, what it opens and closes around the crawl, what it leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from hiwe.crawl.crawl import Crawl
from hiwe.crawl.fixtures import sites_of
from hiwe.crawl.hands import Hands
from hiwe.crawl.learned import assist_for, table_of_task
from hiwe.crawl.part import check_part
from hiwe.crawl.stores import Stores
from hiwe.engine.local import LocalEngine
from hiwe.errors import RunError
from hiwe.page.chromium import find_chromium
from hiwe.repository.archive_place import keep_place, place_of_run
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.export import export
from hiwe.repository.salvage import salvage_all
from hiwe.repository.wanted import keep_schema
from hiwe.task.assist import read_assist
from hiwe.task.control import announced

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiwe.crawl.part import Part
    from hiwe.engine.engine import MakeEngine
    from hiwe.lvs.sources import Sources
    from hiwe.page.browser import Browser
    from hiwe.repository.command import Command
    from hiwe.repository.run import Run
    from hiwe.task import Task


SERIES_KEY = "series"  # of the run's values


class Progress(Protocol):
    """Shows the run while it goes on; reads the database alone."""

    def start(self, stores: Stores) -> None: ...
    def stop(self) -> None: ...


class NoProgress:
    """Shows nothing."""

    def start(self, stores: Stores) -> None:
        """Nothing to begin."""

    def stop(self) -> None:
        """Nothing to end."""


async def run_task(
    task: Task,
    out: Path,
    *,
    fresh: bool = False,
    progress: Progress | None = None,
    browser: Browser | None = None,
    assist: Path | None = None,
    command: Command | None = None,
    make_engine: MakeEngine = LocalEngine,
    part: Part | None = None,
) -> str:
    """Run, resume or repeat a task in `out`; returns how it ended: finished, interrupted, failed.

    `browser` is one to work with and to leave open; None starts one for the run. `assist` is the
    file of a person's corrections, by default the one that the run in `out` goes by, else that in
    `out`; `command` is what a person typed to start the run. `make_engine` says where the workers
    are, by default in this process. `part` is the shard that the run is, None for the whole task.
    RunError when another process works in the directory or it holds something else; ConfigError
    for corrections that are none.
    """
    assist = (assist or assist_for(out / "config.yaml")).absolute()
    read_assist(assist)  # a fault in it is said at once
    if fresh:
        move_aside(out)
    out.mkdir(parents=True, exist_ok=True)
    progress = progress or NoProgress()
    if browser is None:
        find_chromium(task.browser.executable)  # says so at once when there is none
    remote = place_of_run(task.address, part.shard.directory if part else "")
    if remote is not None:
        remote.check()
    with _at_work(out), Database(out / FILE_NAME) as db:
        (out / "config.yaml").write_text(task.dump(), encoding="utf-8")
        stores = Stores.of(db)
        check_part(stores.run, out, part)
        if command is not None:
            command.keep(stores.run)
        with sites_of(task) as sites:
            keep_schema(stores.run, {s.key: s.settings.records.columns for s in sites})
            lvs, sources = table_of_task(task, stores.run)
            _note_sources(stores.run, sources)
            bounds = part.territory(sites) if part else None
            archive = keep_place(stores.run, out.absolute(), remote)
            hands = Hands(task, archive, _series(stores.run), browser, bounds)
            crawl = Crawl(
                task, sites, stores, lvs, make_engine(hands, task.workers),
                directory=out, assist=assist, sources=sources,
                neighbours=part.neighbours(bounds, out, stores) if part and bounds else None,
                revisits=part is None or part.revisits,
            )  # fmt: skip
            with _shown(progress, stores), _salvaging(out / "warc"):
                status = await _crawl_until_stopped(crawl)
        export(out, "jsonl", out / "records.jsonl")
    return status


async def _crawl_until_stopped(crawl: Crawl) -> str:
    """Run the crawl; the first Ctrl-C or SIGTERM ends it cleanly with its state saved."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, crawl.interrupt)
    return await crawl.run()


def _note_sources(run: Run, sources: Sources) -> None:
    """Tell of the sources of values that gave nothing, or less than they hold."""
    for note in sources.notes:
        run.add_event("source", note, level="warning")


@contextmanager
def _shown(progress: Progress, stores: Stores) -> Iterator[None]:
    """Show the run while it goes on."""
    progress.start(stores)
    try:
        yield
    finally:
        progress.stop()


@contextmanager
def _salvaging(archive: Path) -> Iterator[None]:
    """Cut archive files back to whole records: of a killed run before, of lost workers after."""
    salvage_all(archive)
    try:
        yield
    finally:
        salvage_all(archive)


def _series(run: Run) -> str:
    """Return what the names of the run's archive files have that no other run's have."""
    series = str(run.get(SERIES_KEY) or uuid4().hex[:8])
    run.set(SERIES_KEY, series)
    return series


def move_aside(out: Path) -> None:
    """Rename an old run directory to the first free NAME.N; nothing is deleted."""
    if not out.exists():
        return
    number = 1
    while (aside := out.with_name(f"{out.name}.{number}")).exists():
        number += 1
    out.rename(aside)


@contextmanager
def _at_work(out: Path) -> Iterator[None]:
    """Hold the run directory, say so to whoever looks into it, and write its log."""
    with _locked(out), announced(out), _logging_to(out / "hiwe.log"):
        yield


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Hold the run directory for this process; the lock ends with the process."""
    with (out / "hiwe.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            raise RunError(
                out,
                "another hiwe works in this run directory; wait for it, or give --out another one",
            ) from exc
        yield


@contextmanager
def _logging_to(path: Path) -> Iterator[None]:
    """Write what is logged to the run's own file as well."""
    handler = logging.FileHandler(path, encoding="utf-8")
    formatter = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    logger = logging.getLogger("hiwe")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
