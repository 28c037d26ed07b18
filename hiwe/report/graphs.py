"""Which charts the page shows: of the run, of each form, of the LVS table."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from hiwe.report.charts import Chart, Series, bar_chart, line_chart, share_bar
from hiwe.report.history import counted, lenient_so_far, records_so_far, strict_so_far

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.report.figures import RunFigures
    from hiwe.report.growth import Growth
    from hiwe.report.history import Step

LINE_STYLES = ("first", "second", "third", "fourth", "fifth", "sixth")


def run_graphs(figures: RunFigures, history: Sequence[Step]) -> list[Chart]:
    """SE and records over the run, and the verdicts."""
    verdicts = [
        (str(verdict).replace("_", " "), str(verdict), number)
        for verdict, number in figures.verdicts.items()
    ]
    charts = (
        efficiency(history, "Submission efficiency after each submission"),
        line_chart(
            "Distinct records after each submission",
            [Series("records", "first", records_so_far(history))],
        ),
        share_bar("Verdicts", [*verdicts, ("unanswered", "unanswered", figures.unanswered)]),
    )
    return [chart for chart in charts if chart is not None]


def efficiency(steps: Sequence[Step], title: str) -> Chart | None:
    """SE-strict and SE-lenient after each submission."""
    return line_chart(
        title,
        [
            Series("SE-strict", "first", strict_so_far(steps)),
            Series("SE-lenient", "second", lenient_so_far(steps)),
        ],
        top=1.0,
    )


def form_graphs(steps: Sequence[Step]) -> list[Chart]:
    """SE and new records of one form's submissions."""
    charts = (
        efficiency(steps, "Submission efficiency"),
        bar_chart(
            "New records of each submission",
            "new records",
            [float(step.new_records) for step in counted(steps)],
        ),
    )
    return [chart for chart in charts if chart is not None]


def growth_graph(growth: Growth) -> Chart | None:
    """Values of the LVS table by provenance, from the table it began with, one after the other."""
    if not growth.new_values:
        return None
    start = dict(growth.start)
    provenances = dict.fromkeys((*(name for name, _ in growth.by_provenance), *start))
    series = [
        Series(
            name,
            style,
            list(
                accumulate(
                    (float(value.provenance == name) for value in growth.new_values),
                    initial=float(start.get(name, 0)),
                )
            ),
        )
        for name, style in zip(provenances, LINE_STYLES, strict=False)
    ]
    return line_chart("Values of the LVS table", series)
