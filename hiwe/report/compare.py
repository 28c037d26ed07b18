"""Runs side by side: where their configurations differ, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from hiwe.errors import UsageError
from hiwe.report.directory import opened
from hiwe.report.figures import read_figures
from hiwe.report.words import duration, se, shown
from hiwe.task import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from hiwe.report.figures import RunFigures

ABSENT = "-"
LONGEST_VALUE = 60
UNCOMPARED = ("output", "credentials")  # the one always differs, the other is nobody's business


def print_comparison(outs: Sequence[Path], console: Console) -> None:
    """Print the figures of two or more runs, a column each; RunError if one is no run."""
    if len(outs) < 2:
        raise UsageError("give two run directories or more to compare")
    runs = []
    for out in outs:
        with opened(out) as db:
            runs.append(read_figures(db))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("")
    for name in _names(outs):
        table.add_column(Text(name, overflow="fold"), justify="right", overflow="fold")
    for title, rows in _parts(outs, runs):
        if rows:
            table.add_row(Text(title, "bold"))
        for name, cells in rows:
            table.add_row(Text(f"  {name}"), *map(Text, cells))
    console.print(table)


def _names(outs: Sequence[Path]) -> list[str]:
    """The directories' last names, or whole where those are not all different."""
    short = [out.resolve().name for out in outs]
    return short if len(set(short)) == len(short) else [str(out) for out in outs]


def _parts(
    outs: Sequence[Path], runs: Sequence[RunFigures]
) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The table's parts: (title, [(name, a cell for each run)])."""
    configs = [_config(out) for out in outs]
    yield "configuration", list(differences(configs)) if all(configs) else []
    yield "run", list(_totals(runs))
    verdicts = runs[0].verdicts
    yield (
        "verdicts",
        [
            (str(verdict).replace("_", " "), [f"{run.verdicts[verdict]:,}" for run in runs])
            for verdict in verdicts
            if any(run.verdicts[verdict] for run in runs)
        ],
    )
    yield "records by site", list(_sites(runs))


def _totals(runs: Sequence[RunFigures]) -> Iterator[tuple[str, list[str]]]:
    tallies = [run.totals.tally for run in runs]
    yield "status", [run.status for run in runs]
    yield "duration", [duration(run.duration_s) for run in runs]
    yield "SE-strict", [se(tally.se_strict, tally.submissions) for tally in tallies]
    yield "SE-lenient", [se(tally.se_lenient, tally.submissions) for tally in tallies]
    yield "distinct records", [f"{run.totals.records:,}" for run in runs]
    yield "submissions", [f"{tally.submissions:,}" for tally in tallies]
    yield (
        "records a submission",
        [se(run.totals.records / max(1, t.submissions), t.submissions)
         for run, t in zip(runs, tallies, strict=True)],
    )  # fmt: skip
    yield "pages visited", [f"{run.totals.pages:,}" for run in runs]
    yield "forms chosen", [f"{run.totals.forms_chosen:,}" for run in runs]
    yield "errors", [f"{run.totals.errors:,}" for run in runs]


def _sites(runs: Sequence[RunFigures]) -> Iterator[tuple[str, list[str]]]:
    """Records of each site, '-' where a run did not have it."""
    records = [{site.url: site.records for site in run.sites} for run in runs]
    for url in dict.fromkeys(url for one in records for url in one):
        yield shown(url, LONGEST_VALUE), [f"{one[url]:,}" if url in one else ABSENT
                                          for one in records]  # fmt: skip


def _config(out: Path) -> dict[str, str]:
    """The configuration a run used, flat: key path -> value; empty where it is not kept."""
    path = out / "config.yaml"
    return dict(_leaves(read_yaml(path), "")) if path.is_file() else {}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (key path, value as text) of what lies in a document, lists item by item."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in UNCOMPARED:
                yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _leaves(item, f"{path}[{at}]")
    else:
        yield path, str(value)


def differences(configs: Sequence[dict[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the key paths whose values are not the same in all, with the value in each."""
    for path in dict.fromkeys(path for config in configs for path in config):
        values = [config.get(path, ABSENT) for config in configs]
        if len(set(values)) > 1:
            yield path, [shown(value, LONGEST_VALUE) for value in values]
