"""Tables, figures and plots of the scale benchmark."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table

from hiwe.bench.result import BenchResult, Line, Plot
from hiwe.bench.scale.instant import WINDOW
from hiwe.bench.scale.model import Assumed
from hiwe.bench.scale.simulate import Costs as Stage
from hiwe.bench.scale.simulate import simulated_rate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe.bench.scale.driver import Driven
    from hiwe.bench.scale.model import Costs, Needs
    from hiwe.bench.scale.speedup import Kind, Measured

GOAL = 0.85  # speed-up, as a part of the number of workers
GOAL_PER_S = 2_000.0  # observations of the driver alone
LONG = 50_000  # observations by which SQLite's cache and the plans under way are full grown
GOAL_GROWTH_MIB = 100.0  # of memory, in 10^6 observations


@dataclass(frozen=True, slots=True)
class Found:
    """All that was measured."""

    measured: Mapping[Kind, Sequence[Measured]]
    driven: Driven
    costs: Costs
    needs: Sequence[Needs]


@dataclass(frozen=True, slots=True)
class Row:
    """One crawl of the speed-up: as it was, and as it would be with a processor a worker."""

    engine: str
    workers: int
    rate: float
    speedup: float
    busy: float
    simulated: float


def rows_of(found: Found) -> list[Row]:
    """The speed-ups, measured and simulated."""
    rows = []
    for kind, crawls in found.measured.items():
        alone = _simulated(found, kind, 1)
        rows += [
            Row(
                one.engine, one.workers, one.rate, one.rate / crawls[0].rate, one.busy,
                _simulated(found, kind, one.workers) / alone,
            )
            for one in crawls
        ]  # fmt: skip
    return rows


def _simulated(found: Found, kind: Kind, workers: int) -> float:
    """Submissions a second; all workers of the local engine are one process, crawl included."""
    worker_s, driver_s = found.costs.plain_s, found.costs.driver_s
    if kind.is_one_process:
        return simulated_rate(Stage(kind.latency_s, worker_s + driver_s, 0.0), 1, workers)
    return simulated_rate(Stage(kind.latency_s, worker_s, driver_s), workers, kind.slots)


def result_of(found: Found) -> BenchResult:
    """What the benchmark hands back."""
    rows = rows_of(found)
    driven = found.driven
    figures: dict[str, Any] = {
        "speedup": [asdict(row) for row in rows],
        "driver": {
            "observations": driven.observations,
            "per_s": driven.median,
            "per_cpu_s": driven.cpu_median,
            "memory_mib": [driven.memory_mib[0], max(driven.memory_mib)],
            "growth_mib_per_million": driven.growth_mib,
            "wall_s": driven.wall_s,
        },
        "costs": asdict(found.costs),
        "assumed": asdict(Assumed()),
        "needs": [asdict(one) for one in found.needs],
        "missed": missed(rows, driven),
    }
    table = Group(_speedup(rows), _driver(found), _needs(found.needs))
    return BenchResult(table, figures, plots=_plots(rows, driven))


def missed(rows: Sequence[Row], driven: Driven) -> list[str]:
    """The goals that were not reached, each with the reason that the figures show."""
    cores = os.cpu_count() or 1
    lines = [
        f"{row.engine}, {row.workers} workers: {row.speedup:.2f} times one worker, goal"
        f" {GOAL * row.workers:.2f}; {row.busy:.2f} of {cores} processors were busy with it,"
        f" with one for each worker it would be {row.simulated:.2f} times"
        for row in rows
        if row.speedup < GOAL * row.workers
    ]
    if driven.median < GOAL_PER_S:
        lines.append(
            f"driver: {driven.median:,.0f} observations a second, goal {GOAL_PER_S:,.0f};"
            f" {driven.cpu_median:,.0f} a second of processor time"
        )
    if driven.observations >= LONG and driven.growth_mib > GOAL_GROWTH_MIB:
        lines.append(f"driver: memory grows by {driven.growth_mib:,.0f} MiB in 10^6 observations")
    return lines


def _speedup(rows: Sequence[Row]) -> Table:
    table = Table("engine", "workers", "submissions a second", "speed-up", "processors busy",
                  "speed-up simulated", title="workers on sites that take their time")  # fmt: skip
    for row in rows:
        table.add_row(row.engine, str(row.workers), f"{row.rate:.1f}", f"{row.speedup:.2f}",
                      f"{row.busy:.2f}", f"{row.simulated:.2f}")  # fmt: skip
    return table


def _driver(found: Found) -> Table:
    driven, costs = found.driven, found.costs
    table = Table("figure", "value", title="the driver alone, and what a step costs")
    lines = {
        f"observations a second, median of {WINDOW:,} each": f"{driven.median:,.0f}",
        "observations a second of processor time": f"{driven.cpu_median:,.0f}",
        "observations": f"{driven.observations:,}",
        "memory at the start and most, MiB": f"{driven.memory_mib[0]:.0f},"
        f" {max(driven.memory_mib):.0f}",
        "memory gained in 10^6 observations (second half), MiB": f"{driven.growth_mib:,.0f}",
        "processor s of a page in a browser": f"{costs.page_s:.3f}",
        "processor s of a submission in a browser": f"{costs.browser_s:.3f}",
        "processor s of a submission by plain HTTP": f"{costs.plain_s:.4f}",
        "database, bytes an observation": f"{costs.database_bytes:,.0f}",
    }
    for name, value in lines.items():
        table.add_row(name, value)
    return table


def _needs(needs: Sequence[Needs]) -> Table:
    names = ("sites", "workers", "drivers", "observations a second", "Mbit/s", "archive GB",
             "database GB", "USD a million submissions")  # fmt: skip
    table = Table(*names, title="what so many sites take, by the model")
    for one in needs:
        table.add_row(
            f"{one.sites:,}", f"{one.workers:,}", f"{one.drivers:,}",
            f"{one.observations_per_s:,.1f}", f"{one.megabits_per_s:,.1f}",
            f"{one.archive_gb:,.1f}", f"{one.database_gb:,.1f}", f"{one.usd_per_million:.2f}",
        )  # fmt: skip
    return table


def _plots(rows: Sequence[Row], driven: Driven) -> tuple[Plot, ...]:
    engines = sorted({row.engine for row in rows})
    lines = [
        Line(name, *zip(*[(r.workers, r.speedup) for r in rows if r.engine == name], strict=True))
        for name in engines
    ]
    workers = sorted({row.workers for row in rows})
    lines.append(Line("goal", workers, [GOAL * count for count in workers]))
    observed = [WINDOW * (at + 1) for at in range(len(driven.rates))]
    return (
        Plot("scale-speedup", "Speed-up", "workers", "times one worker", tuple(lines)),
        Plot("scale-driver", "The driver alone", "observations", "observations a second",
             (Line("driver", observed, driven.rates),)),
        Plot("scale-memory", "Memory of the driver", "observations", "MiB",
             (Line("driver", [0, *observed], driven.memory_mib),)),
    )  # fmt: skip
