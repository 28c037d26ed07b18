"""Rank of a value assignment: how its values' weights are aggregated (paper, section 3.3).

Ranks are computed from whole numbers, so that neither the order of the elements nor rounding
decides between equal ranks, and `ranked` can add and subtract them exactly.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

RankFunction = Literal["min", "average", "probabilistic"]
RANK_FUNCTIONS: tuple[RankFunction, ...] = ("min", "average", "probabilistic")

# Two ranks nearer than this are the same rank.
DIGITS = 12
_WEIGHT_UNIT = 1_000_000_000_000  # 10 ** DIGITS
_LOG_UNIT = 2.0**60


def rank(weights: Iterable[float], function: RankFunction = "min") -> float:
    """Rank in 0..1 of an assignment whose values weigh `weights`.

    'min' is the fuzzy conjunction, 'average' the mean, 'probabilistic' 1 - prod(1 - M(v)).
    An assignment that binds nothing is certain: 1.0. ValueError for a weight outside 0..1.
    """
    checked = [round(_checked(weight), DIGITS) for weight in weights]
    if not checked:
        return 1.0
    if function == "min":
        return min(checked)
    if function == "probabilistic" and max(checked) == 1.0:
        return 1.0
    total = sum(loss(weight, function) for weight in checked)
    return rank_of_loss(total, len(checked), function)


def loss(weight: float, function: RankFunction) -> int:
    """What one value takes from the rank: losses add up, and the larger sum ranks lower.

    For 'probabilistic' the weight must be below 1 (the logarithm of 1 - M is the loss).
    """
    if function == "probabilistic":
        return round(math.log1p(-round(_checked(weight), DIGITS)) * _LOG_UNIT)
    return _WEIGHT_UNIT - round(_checked(weight) * _WEIGHT_UNIT)


def rank_of_loss(total: int, elements: int, function: RankFunction) -> float:
    """The rank of `elements` values whose losses add up to `total` (not for 'min')."""
    if function == "probabilistic":
        return round(-math.expm1(total / _LOG_UNIT), DIGITS)
    return round(1.0 - total / (_WEIGHT_UNIT * elements), DIGITS)


def _checked(weight: float) -> float:
    if not 0.0 <= weight <= 1.0:
        raise ValueError(f"weight is {weight}; a weight lies in 0..1")
    return weight
