"""The driver alone: the real crawl, with an engine that answers at once from memory.

What workers bring back was recorded once: a page visited in a browser, answers of its form by plain
HTTP. Each site gets them under its own address. All that the crawl does with an observation is
done: frontier, pace, judging, planning, records, one whole transaction, in a database on disk.
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.scale.instant import WINDOW, Extent, Instant, Seen
from hiwe.bench.scale.sites import root, served
from hiwe.bench.scale.task import crawl_of, task_of
from hiwe.crawl.hands import Hands
from hiwe.engine.action import Submitted, Visited
from hiwe.engine.local import LocalEngine
from hiwe.repository.database import FILE_NAME

if TYPE_CHECKING:
    from hiwe.engine.action import Observation
    from hiwe.engine.engine import MakeWorker

RECORDED = 50  # answers that are recorded; further ones are the same with other keys
SETTLED = 2  # from which part of a run on memory is compared: one half
QUICK = Extent(10_000, 60.0, at_once=50, submissions=100)
FULL = Extent(1_000_000, 240.0, at_once=100, submissions=200)


class Recording(LocalEngine):
    """A local engine that keeps what it observes."""

    def __init__(self, make_worker: MakeWorker, slots: int) -> None:
        """Nothing was observed yet."""
        super().__init__(make_worker, slots)
        self.seen: list[Observation] = []

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation, which is kept."""
        observation = await super().observe(timeout_s)
        if observation is not None:
            self.seen.append(observation)
        return observation


async def record(answers: int = RECORDED) -> Seen:
    """Crawl one site for real, with a browser, and keep what comes back."""
    with served(1, 0.0) as port, tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        task = task_of(directory, [root(0, port)], answers)
        engine = Recording(Hands(task, directory / "warc"), 1)
        (directory / FILE_NAME).touch()
        with crawl_of(task, directory, lambda stores: engine) as crawl:
            await crawl.run()
    visited = next(one for one in engine.seen if isinstance(one, Visited))
    submitted = tuple(one for one in engine.seen if isinstance(one, Submitted))
    return Seen(visited, submitted)


@dataclass(frozen=True, slots=True)
class Driven:
    """How the driver bore it: rates and memory by thousand observations."""

    observations: int
    rates: list[float]
    cpu_rates: list[float]
    memory_mib: list[float]
    wall_s: float
    database_bytes: int

    @property
    def median(self) -> float:
        """Observations a second."""
        return statistics.median(self.rates)

    @property
    def cpu_median(self) -> float:
        """Observations a second of processor time: what other work on the machine does not slow."""
        return statistics.median(self.cpu_rates)

    @property
    def growth_mib(self) -> float:
        """Memory gained in the second half, for 10^6 observations."""
        half = self.memory_mib[len(self.memory_mib) // SETTLED :]
        return (half[-1] - half[0]) / max(1, (len(half) - 1) * WINDOW) * 1e6


async def drive(seen: Seen, extent: Extent) -> Driven:
    """Let the crawl take as many observations as `extent` says."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        sites = 1 + extent.observations // (extent.submissions + 2)
        addresses = [f"http://site{number}.example/" for number in range(sites)]
        task = task_of(directory, addresses, extent.submissions)
        engine = Instant(seen, extent)
        with crawl_of(task, directory, lambda stores: engine) as crawl:
            engine.stop_crawl = crawl.interrupt
            await crawl.run()
        size = sum(file.stat().st_size for file in directory.glob(f"{FILE_NAME}*"))
    return Driven(
        engine.observed, _rates(engine.times), _rates(engine.cpu_times), engine.memory_mib,
        engine.times[-1] - engine.times[0], size,
    )  # fmt: skip


def _rates(times: list[float]) -> list[float]:
    return [WINDOW / (later - before) for before, later in pairwise(times)]
