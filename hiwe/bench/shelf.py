"""The benchmarks by name, each as a table, figures and plots."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.result import BenchResult
from hiwe.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Each has a module of its name with `run`; those of the second row take `quick` too.
WHOLE = (
    *("labels", "forms", "styled", "match", "responses", "records"),
    *("assignments", "filling", "submit", "frontier", "revisit"),
)
WITH_QUICK: tuple[str, ...] = ("paper", "peers", "limits", "growth", "scale")
NAMES = (*WHOLE, *WITH_QUICK, "gate")
MODULES = {"styled": "styled_score"}


async def run_bench(name: str, *, quick: bool = False) -> BenchResult:
    """Run the benchmark called `name` (one of NAMES), or its quick part.

    UsageError if it has none.
    """
    if quick and name not in (*WITH_QUICK, "gate"):
        raise UsageError(f"{name} has no quick part; --quick goes with {', '.join(WITH_QUICK)}")
    module: Any = import_module(f"hiwe.bench.{MODULES.get(name, name)}")
    given = module.run(quick=True) if quick else module.run()
    found = await given if isawaitable(given) else given
    return found if isinstance(found, BenchResult) else _plain(name, found)


def _plain(name: str, found: Any) -> BenchResult:
    """Figures without a table of their own: one line a figure."""
    figures = found if isinstance(found, dict) else {"forms": [asdict(one) for one in found]}
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
