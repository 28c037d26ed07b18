"""One thing that is measured, and how several take turns."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    Work = Callable[[], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Measure:
    """Does some `work` and says how many items that were; `limit` is what it is compared with.

    `each` is how many times the limit has to be reached for one item: two navigations for one
    submission in a browser.
    """

    name: str
    item: str
    work: Work
    limit: str = ""
    each: int = 1


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds an item, by round."""

    measure: Measure
    rounds: tuple[float, ...]

    @property
    def median_s(self) -> float:
        """Seconds an item, in the median round."""
        return statistics.median(self.rounds)


async def take_turns(measures: Sequence[Measure], rounds: int) -> list[Timed]:
    """Do each work once unmeasured (caches, connections), then in each round once more."""
    found: list[list[float]] = [[] for _ in measures]
    for measure in measures:
        await measure.work()
    for _ in range(rounds):
        for measure, times in zip(measures, found, strict=True):
            began = time.perf_counter()
            items = await measure.work()
            times.append((time.perf_counter() - began) / items)
    return [Timed(measure, tuple(times)) for measure, times in zip(measures, found, strict=True)]


def now(do: Callable[[], int]) -> Work:
    """Work that waits for nothing."""

    async def work() -> int:
        return do()

    return work
