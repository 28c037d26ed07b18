"""The tables as a terminal shows them, and the plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table

from hiwe.bench.result import Line, Plot

if TYPE_CHECKING:
    from rich.console import RenderableType

#: The paper's table for its first task: N_total, N_success, SE-strict.
PAPER = {
    "min": (3214, 2853, 0.888),
    "average": (3760, 3126, 0.831),
    "probabilistic": (4316, 2810, 0.651),
}
#: The paper's share of labels found right.
PAPER_LABELS = {"text order": 0.72, "simple layout": 0.83, "LITE": 0.93}


def tables(figures: dict[str, Any]) -> RenderableType:
    """All tables of the figures that were made."""
    shown = [_ranking(figures["ranking"], "(a) ranking functions")]
    if figures["large"]:
        shown.append(_ranking(figures["large"], "(a) ranking functions, large sites"))
    for key, title in (("alpha", "(b) effect of alpha"), ("rho_min", "(c) effect of rho_min"),
                       ("sigma", "(c) effect of sigma"), ("learning", "(d) crawling experience"),
                       ("transport", "(f) plain HTTP and adaptive")):  # fmt: skip
        if figures.get(key):
            shown.append(_plain(title, figures[key]))
    shown += [_labels(figures["labels"]), _truth(figures)]
    return Group(*shown)


def _ranking(rows: list[dict[str, Any]], title: str) -> Table:
    heads = (
        "task",
        "order",
        "function",
        "forms",
        "N_total",
        "N_success",
        "SE-strict",
        "SE-lenient",
        "records",
        "paper, task 1",
    )
    table = Table(*heads, title=title)
    for row in rows:
        total, success, strict = PAPER[row["function"]]
        table.add_row(row["task"], row["order"], row["function"], str(row["forms"]),
                      f"{row['n_total']:,}", f"{row['n_success']:,}", f"{row['se_strict']:.3f}",
                      f"{row['se_lenient']:.3f}", f"{row['records']:,}",
                      f"{total:,} {success:,} {strict:.3f}")  # fmt: skip
    return table


def _plain(title: str, rows: list[dict[str, Any]]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*names, title=title)
    for row in rows:
        table.add_row(*(_text(row.get(name, "")) for name in names))
    return table


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _labels(sets: dict[str, Any]) -> Table:
    table = Table("elements of", "how many", *PAPER_LABELS, title="(e) labels found")
    for name, found in sets.items():
        accuracies = (f"{found['all'][method]:.3f}" for method in PAPER_LABELS)
        table.add_row(name, f"{found['elements']:,}", *accuracies)
    table.add_row("the paper", "", *(f"{share:.3f}" for share in PAPER_LABELS.values()))
    return table


def _truth(figures: dict[str, Any]) -> Table:
    table = Table("what", "figure", title="against the truth of the web")
    for key in ("choice", "verdicts"):
        for name, value in figures[key].items():
            if name != "matrix":
                table.add_row(f"{key}: {name}", _text(value))
    for name, count in figures["verdicts"]["matrix"].items():
        table.add_row(f"verdict, true/judged: {name}", f"{count:,}")
    table.add_row("labels of elements met in crawls", _text(figures["labels_met"]["accuracy"]))
    for web, tasks in figures["reachable"].items():
        for task, shares in tasks.items():
            table.add_row(f"reachable by single values: {web}, {task}", _text(shares["all"]))
    for line in figures["missed"]:
        table.add_row("goal missed", line)
    return table


def plots(figures: dict[str, Any]) -> tuple[Plot, ...]:
    """Curves and bars of the figures that were made."""
    found = [_ranking_plot(figures["ranking"])]
    if figures.get("alpha"):
        found.append(_curve("alpha", "Effect of alpha", "alpha", figures["alpha"], "alpha"))
    for key, title in (("rho_min", "Effect of rho_min"), ("sigma", "Effect of sigma")):
        if figures.get(key):
            found.append(_curve(key, title, key, figures[key], key))
    if figures.get("growth"):
        found += _growth_plots(figures["growth"])
    found.append(_label_plot(figures["labels"]))
    return tuple(found)


def _ranking_plot(rows: list[dict[str, Any]]) -> Plot:
    names = list(dict.fromkeys(f"{row['task']}, {row['order']}" for row in rows))
    lines = [Line("paper, task 1", list(PAPER), [strict for _, _, strict in PAPER.values()])]
    for name in names:
        own = [row for row in rows if f"{row['task']}, {row['order']}" == name]
        if len(own) == len(PAPER):
            lines.append(Line(name, [r["function"] for r in own], [r["se_strict"] for r in own]))
    return Plot("paper-ranking", "SE-strict by ranking function", "function", "SE-strict",
                tuple(lines), kind="bar")  # fmt: skip


def _curve(name: str, title: str, x: str, rows: list[dict[str, Any]], label: str) -> Plot:
    orders = list(dict.fromkeys(row.get("order", "") for row in rows))
    lines = tuple(
        Line(order or "SE-strict", [r[x] for r in rows if r.get("order", "") == order],
             [r["se_strict"] for r in rows if r.get("order", "") == order])
        for order in orders
    )  # fmt: skip
    return Plot(f"paper-{name.replace('_', '-')}", title, label, "SE-strict", lines)


def _growth_plots(growth: dict[str, list[dict[str, int]]]) -> list[Plot]:
    found = []
    for key, title in (("success", "Successful submissions"), ("values", "Values in the LVS")):
        lines = tuple(
            Line(name, [p["submissions"] for p in points], [p[key] for p in points])
            for name, points in growth.items()
        )
        found.append(Plot(f"paper-learning-{key}", title, "submissions", title.lower(), lines))
    return found


def _label_plot(sets: dict[str, Any]) -> Plot:
    lines = [
        Line(name, list(PAPER_LABELS), [found["all"][method] for method in PAPER_LABELS])
        for name, found in sets.items()
    ]
    lines.append(Line("the paper", list(PAPER_LABELS), list(PAPER_LABELS.values())))
    return Plot("paper-labels", "Labels found right", "method", "share", tuple(lines), kind="bar")
