"""One thing that is measured, and how several take turns."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    Work = Callable[[], Awaitable[int]]


LEAST_S = 0.2  # of one measure in one round: what takes less tells of the machine's whims


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

    @property
    def spread(self) -> float:
        """Half of the way between the first and the third quarter of the rounds, by the median."""
        first, _, third = statistics.quantiles(self.rounds, n=4)
        return (third - first) / 2 / self.median_s


async def take_turns(
    measures: Sequence[Measure], rounds: int, *, least_s: float = LEAST_S
) -> list[Timed]:
    """Do each work once unmeasured (caches, connections), then in each round for `least_s`."""
    found: list[list[float]] = [[] for _ in measures]
    for measure in measures:
        await measure.work()
    for _ in range(rounds):
        for measure, times in zip(measures, found, strict=True):
            times.append(await _seconds_an_item(measure.work, least_s))
    return [Timed(measure, tuple(times)) for measure, times in zip(measures, found, strict=True)]


async def _seconds_an_item(work: Work, least_s: float) -> float:
    """Do a work again until enough time has gone by: at least once."""
    began, items = time.perf_counter(), 0
    while not items or time.perf_counter() - began < least_s:
        items += await work()
    return (time.perf_counter() - began) / items


def now(do: Callable[[], int]) -> Work:
    """Work that waits for nothing."""

    async def work() -> int:
        return do()

    return work
