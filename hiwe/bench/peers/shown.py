"""The comparison as a table, figures, goals and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table

from hiwe.bench.peers.figures import BUDGETS, coverage
from hiwe.bench.result import BenchResult, Line, Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.bench.peers.figures import Figures
    from hiwe.bench.peers.trial import Trial
    from hiwe.bench.peers.work import Work

WORK = ("sent", "records", "wanted", "requests", "a record", "violations")
COST = ("sent/s", "steady/s", "records/s", "ms/record", "MiB", "lines", "shared")
POINTS = 24  # of a curve
SAME_CURVES = frozenset({"MechanicalSoup", "Crawlee"})  # as requests and Playwright, near enough
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
    work_table, cost_table = _table("work", WORK), _table("cost", COST)
    for one in figures:
        work_table.add_row(*_work(one))
        cost_table.add_row(*_cost(one))
    reasons = (f"{name}: {reason.splitlines()[-1]}" for name, reason in missing.items())
    cost_table.caption = "\n".join(("not compared:", *reasons)) if missing else None
    ratios, missed = _ratios({one.name: one for one in figures})
    ratio_table = Table("ratio", "", title="peers: ratios")
    for name, ratio in ratios.items():
        ratio_table.add_row(name, f"{ratio:.2f}")
    told = {
        "sites": list(work.sites),
        "directors": len(work.directors),
        "tools": [one.as_dict() for one in figures],
        "ratios": ratios,
        "missed": missed,
        "not_compared": missing,
    }
    tables = Group(work_table, cost_table, ratio_table)
    return BenchResult(tables, told, plots=_plots(figures, trials))


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=f"peers: {title}")
    table.add_column("tool", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _work(one: Figures) -> list[str]:
    return [
        one.name,
        f"{one.submissions:,}",
        f"{one.records:,}",
        f"{one.wanted:.0%}",
        f"{one.requests:,}",
        _number(one.requests_per_record, 2),
        f"{one.violations}",
    ]


def _cost(one: Figures) -> list[str]:
    return [
        one.name,
        _number(one.whole_per_s, 1),
        _number(one.steady_per_s, 1),
        _number(one.records_per_s, 1),
        _number(one.cpu_ms_per_record, 0),
        _number(one.peak_mib, 0),
        _number(one.lines_per_site, 0),
        f"{one.lines_shared}",
    ]


def _number(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:,.{places}f}"


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
    names = [one.name.replace(" ", "\n") for one in figures]
    rates = Line("submissions a second", names, [one.steady_per_s or 0.0 for one in figures])
    cpu = Line("ms a record", names, [one.cpu_ms_per_record or 0.0 for one in figures])
    last = [rows[-1] for rows in trials]
    curves = tuple(_curve(trial) for trial in last if trial.tool.name not in SAME_CURVES)
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
