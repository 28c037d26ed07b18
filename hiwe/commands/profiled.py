"""Recording what a run costs: the main thread's stack at intervals, processes and memory."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.errors import UsageError
from hiwe.report.costs import VIEW_NAME, Costs, Work, write_costs
from hiwe.report.directory import opened, write_whole
from hiwe.report.stages import seconds_by_stage
from hiwe.repository.database import FILE_NAME
from hiwe.repository.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psutil import Process

PACKAGE = str(Path(__file__).parents[1])
INTERVAL_S = 0.01  # between two looks at the stack
LOOK_S = 0.5  # between two looks at the processes
NOTHING = Work(0, 0, 0)
MISSING = "--profile needs pyinstrument and psutil: pip install 'hiwe[profile]'"


@contextmanager
def profiled(out: Path, *, fresh: bool) -> Iterator[None]:
    """Measure what runs inside; profile.json and profile.html are written into `out` at its end.

    `fresh`: what lies in `out` before is no part of the run. UsageError where the libraries that
    measure are missing.
    """
    try:
        import psutil
        from pyinstrument import Profiler
    except ModuleNotFoundError as exc:
        raise UsageError(MISSING) from exc
    before = NOTHING if fresh else _work(out)
    watch = _Watch(psutil.Process())
    profiler = Profiler(interval=INTERVAL_S, async_mode="disabled")
    began, began_cpu = time.monotonic(), time.process_time()
    profiler.start()
    try:
        with watch:
            yield
    finally:
        session = profiler.stop()
        wall_s, cpu_s = time.monotonic() - began, time.process_time() - began_cpu
    root = session.root_frame(trim_stem=False)
    write_costs(
        out,
        Costs(
            round(wall_s, 3),
            round(cpu_s, 3),
            round(watch.cpu_s, 3),
            round(watch.own_mib, 1),
            round(watch.others_mib, 1),
            _work(out).since(before),
            {k: round(v, 3) for k, v in seconds_by_stage(root, PACKAGE).items()} if root else {},
        ),
    )
    write_whole(out / VIEW_NAME, profiler.output_html())


def _work(out: Path) -> Work:
    if not (out / FILE_NAME).is_file():
        return NOTHING
    with opened(out) as db:
        totals = Totals(db).run()
    return Work(totals.pages, totals.tally.submissions, totals.result_pages)


class _Watch:
    """Looks at the processes that this one has started, and theirs, from a thread of its own."""

    def __init__(self, process: Process) -> None:
        self.own_mib = 0.0
        self.others_mib = 0.0
        self._process = process
        self._cpu_s: dict[tuple[int, float], float] = {}  # (pid, when it began) -> seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go, daemon=True)

    @property
    def cpu_s(self) -> float:
        """Processor seconds of all others, those that have ended too."""
        return sum(self._cpu_s.values())

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _go(self) -> None:
        while not self._ended.wait(LOOK_S):
            self._look()

    def _look(self) -> None:
        import psutil

        held = 0
        for process in self._process.children(recursive=True):
            try:
                times = process.cpu_times()
                held += process.memory_info().rss
                self._cpu_s[process.pid, process.create_time()] = times.user + times.system
            except psutil.Error:
                continue  # it has ended since it was listed
        self.own_mib = max(self.own_mib, self._process.memory_info().rss / 2**20)
        self.others_mib = max(self.others_mib, held / 2**20)
