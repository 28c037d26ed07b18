"""How much more so many workers do than one, on sites that take their time.

Whole crawls, politeness delay 0, by plain HTTP, by the engines that runs use. The rate is that of
the middle of a crawl, between the first tenth of its submissions and the last.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.scale.recorded import RecordedBrowser, record_page
from hiwe.bench.scale.sites import MOST_SITES, root, served
from hiwe.bench.scale.task import task_of
from hiwe.crawl.run import run_task
from hiwe.engine.action import Submitted
from hiwe.engine.local import LocalEngine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.bench.scale.recorded import Rendering
    from hiwe.engine.action import Action, Observation
    from hiwe.engine.engine import Engine, MakeEngine, MakeWorker

WORKERS = (1, 2, 4, 8)
SITES_A_SLOT = 2  # so that a slot always finds a host that may be asked
RAY_SLOTS = 4  # of each worker on Ray
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Kind:
    """An engine to measure: its workers do `slots` at a time; answers are `latency_s` late."""

    name: str
    slots: int
    latency_s: float
    is_one_process: bool = False


LOCAL = Kind("local", 1, 0.15, is_one_process=True)
RAY = Kind("ray", RAY_SLOTS, 0.6)


@dataclass(frozen=True, slots=True)
class Measured:
    """One crawl: submissions a second, and processor seconds a submission took."""

    engine: str
    workers: int
    rate: float
    driver_cpu_s: float
    worker_cpu_s: float  # of processes besides the driver

    @property
    def busy(self) -> float:
        """Processors that were busy with the crawl in the mean."""
        return self.rate * (self.driver_cpu_s + self.worker_cpu_s)


@dataclass(frozen=True, slots=True)
class Mark:
    """When an observation of a kind came, and the processor time until then."""

    kind: type
    at: float
    own_s: float  # of this process
    below_s: float  # of those that it started


class Watched:
    """An engine whose observations are counted and timed."""

    def __init__(self, engine: Engine) -> None:
        """Nothing came yet."""
        self._engine = engine
        self.marks: list[Mark] = []

    async def start(self) -> None:
        """Start it."""
        await self._engine.start()

    @property
    def free(self) -> int:
        """Its room."""
        return self._engine.free

    def perform(self, action: Action) -> None:
        """Give it an action."""
        self._engine.perform(action)

    async def observe(self, timeout_s: float) -> Observation | None:
        """Its next observation."""
        observation = await self._engine.observe(timeout_s)
        if observation is not None:
            below_s = _cpu_below(os.getpid())
            self.marks.append(
                Mark(type(observation), time.perf_counter(), time.process_time(), below_s)
            )
        return observation

    async def stop(self) -> None:
        """End it."""
        await self._engine.stop()


def _cpu_below(pid: int) -> float:
    """Processor seconds of all processes that descend from one."""
    return sum(_cpu_of(child) + _cpu_below(child) for child in _children(pid))


def _children(pid: int) -> Iterator[int]:
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            yield from map(int, (thread / "children").read_text().split())
    except OSError:
        return


def _cpu_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def kinds() -> tuple[Kind, ...]:
    """The engines that can be measured here."""
    return (LOCAL, RAY) if find_spec("ray") else (LOCAL,)


async def measure(kind: Kind, counts: Sequence[int], seconds: float) -> list[Measured]:
    """Crawl once with each number of workers, for about so many seconds."""
    most = min(MOST_SITES, SITES_A_SLOT * kind.slots * max(counts))
    with served(most, kind.latency_s) as port:
        shown = await record_page(root(0, port))
        return [await _crawl(kind, workers, seconds, port, shown) for workers in counts]


async def _crawl(kind: Kind, workers: int, seconds: float, port: int, shown: Rendering) -> Measured:
    sites = [root(number, port) for number in range(SITES_A_SLOT * kind.slots * workers)]
    browser = RecordedBrowser({url: shown.moved(url) for url in sites}).as_browser()
    each = max(2, round(seconds / kind.latency_s / SITES_A_SLOT))
    with tempfile.TemporaryDirectory() as name:
        task = task_of(Path(name), sites, each).model_copy(update={"workers": workers})
        watched: list[Watched] = []

        def make(make_worker: MakeWorker, count: int) -> Watched:
            watched.append(Watched(_engine(kind)(make_worker, count)))
            return watched[-1]

        await run_task(task, Path(name) / "run", browser=browser, make_engine=make)
    marks = [mark for mark in watched[0].marks if mark.kind is Submitted]
    return _measured(kind, workers, marks)


def _engine(kind: Kind) -> MakeEngine:
    if kind is LOCAL:
        return LocalEngine
    from hiwe.engine.ray import RayEngine

    return RayEngine


def _measured(kind: Kind, workers: int, marks: list[Mark]) -> Measured:
    tenth = max(1, len(marks) // 10)
    first, last = marks[tenth], marks[-tenth]
    done = len(marks) - 2 * tenth
    return Measured(
        kind.name, workers, done / (last.at - first.at),
        (last.own_s - first.own_s) / done, (last.below_s - first.below_s) / done,
    )  # fmt: skip
