"""The comparison as a table, figures, goals and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from hiwe.bench.peers.figures import BUDGETS, coverage
from hiwe.bench.result import BenchResult, Line, Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.bench.peers.figures import Figures
    from hiwe.bench.peers.trial import Trial
    from hiwe.bench.peers.work import Work

COLUMNS = (
    *("tool", "submissions", "/s whole", "/s steady", "records", "of wanted", "records/s"),
    *("requests/record", "CPU ms/record", "MiB", "lines/site + shared", "violations"),
)
POINTS = 120  # of a curve
GOALS = (  # name, ours, theirs, figure, least ratio
    ("browser / Crawlee", "hiwe, browser", "Crawlee", "steady_per_s", 1.5),
    ("browser / Playwright", "hiwe, browser", "Playwright", "steady_per_s", 0.9),
    ("HTTP / Scrapy", "hiwe, adaptive", "Scrapy", "steady_per_s", 1.5),
    ("HTTP / requests", "hiwe, adaptive", "requests + lxml", "steady_per_s", None),
    ("whole: browser / Crawlee", "hiwe, browser", "Crawlee", "whole_per_s", None),
    ("whole: browser / Playwright", "hiwe, browser", "Playwright", "whole_per_s", None),
    ("whole: HTTP / Scrapy", "hiwe, adaptive", "Scrapy", "whole_per_s", None),
)
MOST_REQUESTS = 0.5  # of the best automatic peer's requests for a record


def result_of(
    figures: Sequence[Figures],
    trials: Sequence[Sequence[Trial]],
    work: Work,
    missing: dict[str, str],
) -> BenchResult:
    """All that the comparison says; `trials` belong to `figures`, in their order."""
    table = Table(*COLUMNS, title="peers")
    for one in figures:
        table.add_row(*_row(one))
    for name, reason in missing.items():
        table.add_row(name, f"not compared: {reason.splitlines()[-1][:60]}")
    ratios, missed = _ratios({one.name: one for one in figures})
    for name, ratio in ratios.items():
        table.add_row(name, f"{ratio:.2f}")
    told = {
        "sites": list(work.sites),
        "directors": len(work.directors),
        "tools": [one.as_dict() for one in figures],
        "ratios": ratios,
        "missed": missed,
        "not_compared": missing,
    }
    return BenchResult(table, told, plots=_plots(figures, trials))


def _row(one: Figures) -> list[str]:
    def number(value: float | None, places: int) -> str:
        return "-" if value is None else f"{value:,.{places}f}"

    return [
        one.name,
        f"{one.submissions:,}",
        number(one.whole_per_s, 1),
        number(one.steady_per_s, 1),
        f"{one.records:,}",
        f"{one.wanted:.0%}",
        number(one.records_per_s, 1),
        number(one.requests_per_record, 2),
        number(one.cpu_ms_per_record, 0),
        number(one.peak_mib, 0),
        f"{one.lines_per_site:.0f} + {one.lines_shared}",
        f"{one.violations}",
    ]


def _ratios(by_name: dict[str, Figures]) -> tuple[dict[str, float], list[str]]:
    """The ratios that can be formed, and the goals that are missed."""
    ratios: dict[str, float] = {}
    missed: list[str] = []
    for name, ours, theirs, what, least in GOALS:
        pair = [getattr(by_name[n], what) if n in by_name else None for n in (ours, theirs)]
        if None in pair or not pair[1]:
            continue
        ratios[name] = pair[0] / pair[1]
        if least is not None and ratios[name] < least:
            missed.append(f"{name} is {ratios[name]:.2f}, the goal is at least {least}")
    for name, what in (("requests a record", "requests"), ("to the last record", "until_last")):
        ratio = _needed(by_name, what)
        if ratio is not None:
            ratios[f"{name} / best automatic"] = ratio
            if ratio > MOST_REQUESTS:
                said = f"{name} / best automatic is {ratio:.2f}"
                missed.append(f"{said}, the goal is at most {MOST_REQUESTS}")
    return ratios, missed


def _needed(by_name: dict[str, Figures], what: str) -> float | None:
    """Our requests for a record by those of the automatic peer that needs fewest; None: no such."""
    ours = by_name.get("hiwe, adaptive")
    theirs = [f for f in by_name.values() if f.kind == "automatic" and f.records]
    if ours is None or not ours.records or not theirs:
        return None
    best = min(float(getattr(f, what)) / f.records for f in theirs)
    return float(getattr(ours, what)) / ours.records / best


def _plots(figures: Sequence[Figures], trials: Sequence[Sequence[Trial]]) -> tuple[Plot, ...]:
    names = [one.name for one in figures]
    rates = Line("submissions a second", names, [one.steady_per_s or 0.0 for one in figures])
    cpu = Line("ms a record", names, [one.cpu_ms_per_record or 0.0 for one in figures])
    curves = tuple(_curve(rows[-1]) for rows in trials)
    return (
        Plot("peers-coverage", "Distinct records by requests", "requests", "records", curves),
        Plot("peers-rate", "Submissions, steady", "", "a second", (rates,), kind="bar", y_log=True),
        Plot("peers-cpu", "Processor time", "", "ms a record", (cpu,), kind="bar", y_log=True),
    )


def _curve(trial: Trial) -> Line:
    """Coverage up to the largest budget, thinned."""
    found = coverage(trial.asked)[: BUDGETS[-1]]
    places = range(0, len(found), max(1, len(found) // POINTS))
    return Line(trial.tool.name, [at + 1 for at in places], [found[at] for at in places])
