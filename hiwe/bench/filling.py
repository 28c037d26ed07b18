"""`hiwe bench filling`: what partial filling brings, against full filling with the same budget.

The fixture sites are crawled twice for real, with the same tables and the same number of
submissions a form: in the paper's order, which binds every element that has values, and in the
harvest order (`docs/ranking.md`). Counted are the distinct records of each site.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from rich.table import Table

from hiwe.bench.result import BenchResult
from hiwe.crawl.run import run_task
from hiwe.report.summary import write_summary
from hiwe.task import load_task

CONFIGS = Path(__file__).parents[2] / "configs"
NAMES = ("movies", "birdstrikes")
ORDERS = ("paper", "harvest")
BUDGET = 50  # submissions a form
SETTINGS = ("transport=http", "budget.submissions_per_site=1000", "budget.pages_per_site=30")


async def run(names: tuple[str, ...] = NAMES, *, budget: int = BUDGET) -> BenchResult:
    """Crawl the sites of the ready-made tasks `names` in both orders and compare."""
    found = {order: await _crawl(names, order, budget) for order in ORDERS}
    full, partial = (found[order] for order in ORDERS)
    table = Table("site", "full filling", "partial filling", "ratio", title="filling")
    for site in (*full, "all"):
        counts = [sum(f.values()) if site == "all" else f[site] for f in (full, partial)]
        table.add_row(site, *(f"{count:,}" for count in counts), f"{_ratio(*counts):.2f}")
    ratios = {site: _ratio(full[site], partial[site]) for site in full}
    whole = _ratio(sum(full.values()), sum(partial.values()))
    figures = {"budget": budget, "records": found, "ratios": ratios, "ratio": whole}
    return BenchResult(table, figures)


def _ratio(full: int, partial: int) -> float:
    """How many times the records of full filling; where that found none, each counts once."""
    return partial / max(1, full)


async def _crawl(names: tuple[str, ...], order: str, budget: int) -> dict[str, int]:
    """The distinct records of each site of the tasks."""
    found: dict[str, int] = {}
    overrides = [*SETTINGS, f"ranking.order={order}", f"budget.submissions_per_form={budget}"]
    for name in names:
        with tempfile.TemporaryDirectory() as directory:
            task = load_task(CONFIGS / f"{name}.yaml", overrides=overrides)
            out = Path(directory) / "run"
            await run_task(task, out)
            write_summary(out)
            summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        found |= {site["url"]: int(site["records"]) for site in summary["sites"]}
    return found
