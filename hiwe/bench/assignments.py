"""`hiwe bench assignments`: how fast and in how much memory the best assignments come.

Forms whose product is 10^12 and more, under each ranking function: processor time to the first
1,000 assignments (best of five, as the machine's other work is no property of the code), the
most memory held meanwhile, and how many values of each element the first 50 show.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from dataclasses import dataclass
from itertools import islice

from hiwe.submission.rank import RANK_FUNCTIONS, RankFunction
from hiwe.submission.ranked import ranked

TAKEN = 1_000
COVERED_AFTER = 50
ROUNDS = 5
# Elements, values of each, and the weights that values have (none: all different).
FORMS: dict[str, tuple[int, int, tuple[float, ...]]] = {
    "4 elements of 1,000 values": (4, 1_000, ()),
    "6 elements of 100 values": (6, 100, ()),
    "12 elements of 10 values": (12, 10, ()),
    "40 elements of 2 values": (40, 2, ()),
    "4 elements of 1,000, all weigh 1": (4, 1_000, (1.0,)),
    "6 elements of 100, three weights": (6, 100, (1.0, 0.9, 0.8)),
    "40 elements of 2, two weights": (40, 2, (1.0, 0.9)),
}


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What one form needed under one function. `covered`: least share of min(values, 50)."""

    form: str
    function: str
    product: float
    first_ms: float
    peak_kib: float
    covered: float


def run(*, seed: int = 1, rounds: int = ROUNDS) -> list[Figures]:
    """Measure every form under every ranking function."""
    found = []
    for name, (elements, values, weights) in FORMS.items():
        sets = _value_sets(elements, values, weights, seed)
        found += [_measure(name, sets, function, rounds) for function in RANK_FUNCTIONS]
    return found


def _value_sets(
    elements: int, values: int, weights: tuple[float, ...], seed: int
) -> list[list[_Value]]:
    draw = random.Random(seed)
    return [
        [
            _Value(f"{e}.{v}", draw.choice(weights) if weights else draw.random())
            for v in range(values)
        ]
        for e in range(elements)
    ]


def _measure(name: str, sets: list[list[_Value]], function: RankFunction, rounds: int) -> Figures:
    times = []
    for _ in range(rounds):
        started = time.process_time()
        taken = list(islice(ranked(sets, function, 0.0), TAKEN))
        times.append(time.process_time() - started)
    shown = [len({values[e].text for _, values in taken[:COVERED_AFTER]}) for e in range(len(sets))]
    return Figures(
        form=name,
        function=function,
        product=float(len(sets[0])) ** len(sets),
        first_ms=round(1000 * min(times), 1),
        peak_kib=_peak_kib(sets, function),
        covered=min(n / min(len(s), COVERED_AFTER) for n, s in zip(shown, sets, strict=True)),
    )


def _peak_kib(sets: list[list[_Value]], function: RankFunction) -> float:
    """Most memory that walking the first 1,000 held, the value sets themselves not counted."""
    tracemalloc.start()
    for _ in islice(ranked(sets, function, 0.0), TAKEN):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return round(peak / 1024, 1)
