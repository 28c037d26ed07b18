"""The benchmarks by name, each as a table and figures."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.result import BenchResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAMES = (
    *("labels", "forms", "styled", "match", "responses", "records"),
    *("assignments", "filling", "submit", "frontier", "revisit"),
)


async def run_bench(name: str) -> BenchResult:
    """Run the benchmark called `name` (one of NAMES)."""
    from hiwe.bench import (
        assignments,
        filling,
        forms,
        frontier,
        labels,
        match,
        records,
        responses,
        revisit,
        styled_score,
        submit,
    )

    if name == "labels":
        return await labels.run()
    if name == "forms":
        return await forms.run()
    if name == "styled":
        return await styled_score.run()
    if name == "responses":
        return responses.run()
    if name == "records":
        return records.run()
    if name == "filling":
        return await filling.run()
    if name == "submit":
        return await submit.run()
    if name == "match":
        return _plain(name, match.run())
    if name == "frontier":
        return _plain(name, frontier.run())
    if name == "revisit":
        return _plain(name, await revisit.run())
    return _plain(name, {"forms": [asdict(figures) for figures in assignments.run()]})


def _plain(name: str, figures: dict[str, Any]) -> BenchResult:
    """Figures without a table of their own: one line a figure."""
    table = Table("figure", "value", title=name)
    for key, value in _leaves(figures):
        table.add_row(key, f"{value:.4g}" if isinstance(value, float) else str(value))
    return BenchResult(table, figures)


def _leaves(figures: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in figures.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{key}.")
        elif isinstance(value, list):
            for at, item in enumerate(value):
                inner = item if isinstance(item, dict) else {"": item}
                yield from _leaves(inner, f"{path}{key}[{at}].")
        else:
            yield f"{path}{key}", value
