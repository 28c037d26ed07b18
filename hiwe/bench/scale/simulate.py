"""Workers in simulated time, with costs that were measured: what the processors here do not show.

Each worker has a processor of its own and does so many actions at a time, as it mostly waits for
sites; the driver is one more processor, through which every observation goes.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

ACTIONS = 400  # of each worker


@dataclass(frozen=True, slots=True)
class Costs:
    """Of one submission: how late its answer is, processor seconds of a worker, of the driver."""

    latency_s: float
    worker_s: float
    driver_s: float


def simulated_rate(costs: Costs, workers: int, slots: int) -> float:
    """Submissions a second of so many workers with so many slots each, once all are at work."""
    actions = ACTIONS * workers
    numbers = count()
    answers = [(costs.latency_s, next(numbers), at % workers) for at in range(workers * slots)]
    heapq.heapify(answers)
    free = [0.0] * workers  # when each worker's processor is
    driver_free = 0.0
    ended: list[float] = []
    while len(ended) < actions:
        at, _, worker = heapq.heappop(answers)
        free[worker] = max(free[worker], at) + costs.worker_s
        driver_free = max(driver_free, free[worker]) + costs.driver_s
        ended.append(driver_free)
        heapq.heappush(answers, (driver_free + costs.latency_s, next(numbers), worker))
    tenth = actions // 10
    return (actions - 2 * tenth) / (ended[-tenth] - ended[tenth])
