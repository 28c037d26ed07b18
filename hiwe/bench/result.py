"""What a benchmark hands back: a table for people, the same figures for programs, plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType


@dataclass(frozen=True, slots=True)
class Line:
    """One row of points of a plot; for bars, `xs` are the names below them."""

    name: str
    xs: Sequence[float | str]
    ys: Sequence[float]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of figures; `name` is that of its file."""

    name: str
    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    kind: Literal["line", "bar", "points"] = "line"
    x_log: bool = False
    y_log: bool = False


@dataclass(frozen=True, slots=True)
class BenchResult:
    """`table` is for the terminal, `figures` for `--json`, `plots` for `--charts`."""

    table: RenderableType
    figures: dict[str, Any]
    misses: tuple[str, ...] = ()  # one line for each wrong answer
    plots: tuple[Plot, ...] = ()
    failed: tuple[str, ...] = ()  # marks that were not kept: the command has failed
