"""What a page and a submission cost in a real browser, in processor time of all its processes."""

from __future__ import annotations

import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.scale.sites import root, served
from hiwe.bench.scale.speedup import Watched
from hiwe.bench.scale.task import task_of
from hiwe.crawl.run import run_task
from hiwe.engine.action import Submitted, Visited
from hiwe.engine.local import LocalEngine

if TYPE_CHECKING:
    from hiwe.bench.scale.speedup import Mark
    from hiwe.engine.engine import MakeWorker


async def browser_costs(sites: int, submissions: int) -> tuple[float, float]:
    """Processor seconds of a visited page and of a submission, one after the other: medians."""
    watched: list[Watched] = []

    def make(make_worker: MakeWorker, slots: int) -> Watched:
        watched.append(Watched(LocalEngine(make_worker, slots)))
        return watched[-1]

    with served(sites, 0.0) as port, tempfile.TemporaryDirectory() as name:
        addresses = [root(number, port) for number in range(sites)]
        task = task_of(Path(name), addresses, submissions)
        task = task.model_copy(update={"workers": 1, "transport": "browser"})
        await run_task(task, Path(name) / "run", make_engine=make)
    return _median(watched[0].marks, Visited), _median(watched[0].marks, Submitted)


def _median(marks: list[Mark], kind: type) -> float:
    """The median of the processor time between a mark of a kind and the one before it."""
    return statistics.median(
        later.own_s + later.below_s - before.own_s - before.below_s
        for before, later in pairwise(marks)
        if later.kind is kind
    )
