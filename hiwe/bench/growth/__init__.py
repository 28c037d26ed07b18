"""`hiwe bench growth`: how costs grow with sites, forms, assignments, records and the LVS table.

Each quantity is raised tenfold from step to step and the processor time of the stage that meets it
is measured; the exponent is that of the power of the quantity which fits best (least squares of the
logarithms). One run of many submissions shows whether memory stays flat.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.growth.costs import MEASURES
from hiwe.bench.growth.exponent import Growth
from hiwe.bench.growth.memory import Memory, memory_of_run
from hiwe.bench.result import BenchResult, Line, Plot

if TYPE_CHECKING:
    from collections.abc import Iterable

HIGHEST_EXPONENT = 1.1
MOST_MEMORY_MIB = 400.0
SUBMISSIONS, QUICK_SUBMISSIONS = 10_000, 300
QUICK_STEPS = 3


async def run(*, quick: bool = False) -> BenchResult:
    """Measure all growths; `quick` leaves out the largest steps and sends fewer submissions."""
    growths = []
    for name, (sizes, measure) in MEASURES.items():
        await measure(sizes[:1])  # what is read once for good counts for no size
        growths.append(Growth(name, await measure(sizes[:QUICK_STEPS] if quick else sizes)))
    memory = memory_of_run(QUICK_SUBMISSIONS if quick else SUBMISSIONS)
    return BenchResult(
        _table(growths, memory),
        _figures(growths, memory),
        plots=(_growth_plot(growths), _memory_plot(memory)),
    )


def _figures(growths: list[Growth], memory: Memory) -> dict[str, Any]:
    return {
        "exponents": {growth.name: growth.exponent for growth in growths},
        "seconds": {growth.name: growth.by_size for growth in growths},
        "run": asdict(memory) | {"growth": memory.growth},
        "missed": list(_missed(growths, memory)),
    }


def _missed(growths: list[Growth], memory: Memory) -> Iterable[str]:
    for growth in growths:
        if growth.exponent > HIGHEST_EXPONENT:
            yield f"{growth.name}: exponent {growth.exponent}, goal {HIGHEST_EXPONENT}"
    if memory.most_mib > MOST_MEMORY_MIB:
        yield f"memory {memory.most_mib} MiB after {memory.submissions} submissions"


def _table(growths: list[Growth], memory: Memory) -> Table:
    table = Table("grows with", "from", "to", "first", "last", "exponent", title="growth")
    for growth in growths:
        sizes = list(growth.by_size)
        first, last = (f"{1000 * growth.by_size[size]:,.1f} ms" for size in (sizes[0], sizes[-1]))
        table.add_row(
            growth.name, f"{sizes[0]:,}", f"{sizes[-1]:,}", first, last, f"{growth.exponent:.2f}"
        )
    table.caption = (
        f"one run of {memory.submissions:,} submissions in {memory.seconds:,.0f} s:"
        f" {memory.first_mib:.0f} MiB after a tenth, {memory.last_mib:.0f} MiB at the end,"
        f" {memory.most_mib:.0f} MiB at most"
    )
    return table


def _growth_plot(growths: list[Growth]) -> Plot:
    lines = tuple(
        Line(growth.name, list(growth.by_size), list(growth.by_size.values())) for growth in growths
    )
    return Plot("growth", "Cost by size", "size", "processor seconds", lines, "line", True, True)


def _memory_plot(memory: Memory) -> Plot:
    sent, mib = zip(*memory.course, strict=True) if memory.course else ((), ())
    line = Line("memory", sent, mib)
    return Plot("memory", "Memory of a run", "submissions", "MiB of the process", (line,))
