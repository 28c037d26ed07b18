"""What a benchmark hands back: a table for people, the same figures for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True, slots=True)
class BenchResult:
    """`table` is for the terminal, `figures` for `--json`."""

    table: RenderableType
    figures: dict[str, Any]
    misses: tuple[str, ...] = ()  # one line for each wrong answer
