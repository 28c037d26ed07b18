"""The limits and the stages as a table, figures and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from hiwe.bench.result import BenchResult, Line, Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.bench.limits.stage import Timed


def result_of(times: Sequence[Timed], pages: int) -> BenchResult:
    """All that was measured; a ratio is time by time of the limit: 1 cannot be beaten."""
    median = {timed.measure.name: timed.median_s for timed in times}
    ratios = {}
    table = Table("stage", "of", "ms", "a second", "limit", "ratio", title="limits")
    for timed in times:
        measure, seconds = timed.measure, timed.median_s
        ratio = ""
        if measure.limit:
            ratios[measure.name] = seconds / (measure.each * median[measure.limit])
            ratio = f"{ratios[measure.name]:.1f}"
        each = f"{measure.each} x " if measure.each > 1 else ""
        limit = f"{each}{measure.limit}" if measure.limit else "raw"
        rate = f"{1 / seconds:,.0f}" if seconds < 0.1 else f"{1 / seconds:,.1f}"
        table.add_row(measure.name, measure.item, f"{1000 * seconds:.2f}", rate, limit, ratio)
    figures = {
        "pages": pages,
        "rounds": len(times[0].rounds),
        "ms": {name: 1000 * seconds for name, seconds in median.items()},
        "limit": {t.measure.name: t.measure.limit for t in times if t.measure.limit},
        "ratio": ratios,
        "spread": {t.measure.name: t.spread for t in times},
        "round_ms": {t.measure.name: [1000 * s for s in t.rounds] for t in times},
    }
    bars = Line("times the limit", list(ratios), list(ratios.values()))
    plot = Plot(
        "limits", "Stages as multiples of their limit", "", "ratio", (bars,), kind="bar", y_log=True
    )
    return BenchResult(table, figures, plots=(plot,))
