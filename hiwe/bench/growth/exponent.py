"""Growth: the cost at several sizes, and the power of the size that fits it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import linear_regression

LEAST_S = 0.002  # below it is noise: a clock's step, a page of memory


@dataclass(frozen=True, slots=True)
class Growth:
    """Processor seconds by size, sizes rising."""

    name: str
    by_size: dict[int, float]

    @property
    def exponent(self) -> float:
        """k of the size ** k that fits best, over the sizes whose cost is more than noise."""
        points = [(size, s) for size, s in self.by_size.items() if s >= LEAST_S]
        if len(points) < 2:
            points = list(self.by_size.items())[-2:]
        sizes, seconds = zip(*points, strict=True)
        slope, _ = linear_regression(
            [math.log(size) for size in sizes], [math.log(max(s, 1e-9)) for s in seconds]
        )
        return round(slope, 2)
