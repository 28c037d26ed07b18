"""Charts as inline SVG: geometry alone, coloured by the page's style; the words stand beside it.

The picture is stretched to the width there is, so a phone gets the same lines and readable words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_POINTS = 400
MOST_BARS = 120


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name, its style (a class of the page's style sheet), a value a step."""

    name: str
    style: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: `alt` says in words what it shows, `legend` names the styles used.

    `top`, `bottom`, `left` and `right` are the ends of its axes.
    """

    title: str
    alt: str
    svg: Markup
    legend: tuple[tuple[str, str], ...]
    top: str
    left: str
    right: str
    bottom: str = "0"


def line_chart(title: str, series: Sequence[Series], *, top: float | None = None) -> Chart | None:
    """Draw lines over the number of the submission; None for fewer than two steps.

    `top` is the value at the upper edge, the greatest one when not given.
    """
    steps = max((len(one.values) for one in series), default=0)
    if steps < 2:
        return None
    edge = top or max(max(one.values) for one in series) or 1.0
    lines = Markup("").join(
        Markup('<polyline class="line {}" points="{}"/>').format(one.style, _points(one, edge))
        for one in series
    )
    alt = f"{title}. " + " ".join(f"{one.name}: {_told(one.values)}." for one in series)
    legend = tuple((one.name, one.style) for one in series)
    return Chart(title, alt, _svg(alt, lines), legend, _number(edge), "1", f"{steps:,}")


def bar_chart(title: str, name: str, values: Sequence[float]) -> Chart | None:
    """Draw a bar a step; None for no steps. Many steps are summed to fewer bars."""
    if not values:
        return None
    each = -(-len(values) // MOST_BARS)
    sums = [sum(values[at : at + each]) for at in range(0, len(values), each)]
    edge = max(sums) or 1.0
    width = 100 / len(sums)
    bars = Markup("").join(
        Markup('<rect class="bar" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>').format(
            at * width, 100 - 100 * value / edge, max(0.15, width * 0.85), 100 * value / edge
        )
        for at, value in enumerate(sums)
    )
    bound = f" (a bar sums {count(each, 'submission')})" if each > 1 else ""
    alt = f"{title}{bound}. {name}: {_told(values)}; {_number(sum(values))} in all."
    return Chart(f"{title}{bound}", alt, _svg(alt, bars), (), _number(edge), "1",
                 f"{len(values):,}")  # fmt: skip


def share_bar(title: str, parts: Iterable[tuple[str, str, int]]) -> Chart | None:
    """Draw one bar cut into parts (name, style, number); None when there is nothing at all."""
    given = [part for part in parts if part[2]]
    whole = sum(number for _, _, number in given)
    if not whole:
        return None
    at, pieces = 0.0, Markup("")
    for _, style, number in given:
        width = 100 * number / whole
        pieces += Markup('<rect class="part {}" x="{:.2f}" y="0" width="{:.2f}" height="100"/>'
                         ).format(style, at, width)  # fmt: skip
        at += width
    alt = f"{title}: " + ", ".join(f"{name} {number:,}" for name, _, number in given) + "."
    legend = tuple((f"{name} {number:,}", style) for name, style, number in given)
    return Chart(title, alt, _svg(alt, pieces), legend, "", "", "")


def _svg(alt: str, inside: Markup) -> Markup:
    """The picture: 100 by 100 units, stretched; `alt` is what a screen reader says."""
    return Markup(
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>'
    ).format(alt, inside)


def _points(series: Series, edge: float) -> str:
    """The line's points, at most MOST_POINTS, the last one always among them."""
    last = len(series.values) - 1
    stride = -(-len(series.values) // MOST_POINTS)
    chosen = sorted({*range(0, last + 1, stride), last})
    return " ".join(
        f"{100 * at / max(1, last):.2f},{100 - 100 * min(series.values[at], edge) / edge:.2f}"
        for at in chosen
    )


def _told(values: Sequence[float]) -> str:
    """A row of values in words: where it begins and ends, between what it lies."""
    first, last = _number(values[0]), _number(values[-1])
    return f"{first} at first, {last} at last, least {_number(min(values))}, " + (
        f"most {_number(max(values))}"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
