"""`hiwe bench gate`: the figures that may not fall, checked against `baseline.json`.

A mark names a figure of a benchmark, by its path, and the least or the most it may be: floors for
accuracy, ceilings for ratios and exponents measured in one run. `--quick` checks the marks of the
benchmarks that have a quick part, in that part; all others are checked by the tests or by the
whole gate. A mark is loosened only with a new `reason`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.result import BenchResult
from hiwe.bench.shelf import WITH_QUICK, run_bench

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BASELINE = Path(__file__).with_name("baseline.json")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a figure may be: at least `least`, at most `most`; `reason` says why it stands there."""

    bench: str
    figure: str
    reason: str
    least: float | None = None
    most: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a figure keeps to the mark."""
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    def is_looser_than(self, other: Mark) -> bool:
        """Whether a figure may pass here that failed there."""
        return _falls(self.least, other.least) or _falls(_minus(self.most), _minus(other.most))

    def __str__(self) -> str:
        """The bound in words."""
        return f"at least {self.least}" if self.least is not None else f"at most {self.most}"


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _falls(now: float | None, before: float | None) -> bool:
    return before is not None and (now is None or now < before)


def marks(text: str | None = None) -> list[Mark]:
    """The marks of `baseline.json`, or of a text like it."""
    source = BASELINE.read_text(encoding="utf-8") if text is None else text
    return [Mark(**given) for given in json.loads(source)]


def figure(figures: Mapping[str, Any], path: str) -> float:
    """The figure at a path of keys, parted by ' > '; LookupError where there is none."""
    found: Any = figures
    for key in path.split(" > "):
        found = found[int(key) if isinstance(found, list) else key]
    return float(found)


def failures(given: Iterable[Mark], figures: Mapping[str, Any]) -> list[str]:
    """A line for each mark of a benchmark that its figures do not keep."""
    return [
        f"{mark.bench}: {mark.figure} is {value:.4g}, must be {mark} ({mark.reason})"
        for mark in given
        if not mark.holds(value := figure(figures, mark.figure))
    ]


async def run(*, quick: bool = False) -> BenchResult:
    """Run every benchmark that has marks, or the quick parts alone, and compare."""
    by_bench: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in marks():
        if not quick or mark.bench in WITH_QUICK:
            by_bench[mark.bench].append(mark)
    table = Table("benchmark", "figure", "measured", "must be", "", title="gate")
    measured: dict[str, dict[str, float]] = {}
    failed: list[str] = []
    for bench, given in by_bench.items():
        figures = (await run_bench(bench, quick=bench in WITH_QUICK)).figures
        failed += failures(given, figures)
        measured[bench] = {mark.figure: figure(figures, mark.figure) for mark in given}
        for mark in given:
            value = measured[bench][mark.figure]
            table.add_row(
                bench, mark.figure, f"{value:.4g}", str(mark), "" if mark.holds(value) else "FAILED"
            )
    return BenchResult(table, {"measured": measured, "failed": failed}, failed=tuple(failed))
