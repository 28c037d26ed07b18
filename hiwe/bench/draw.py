"""Plots as files: drawn by matplotlib, the same bytes for the same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from hiwe.bench.result import Plot

SIZE_IN = (6.4, 4.0)
# Blue, vermilion, green, ...: apart for people who see few colours, too (Okabe and Ito, 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = "osD^vPX"


def draw(plots: tuple[Plot, ...], directory: Path) -> list[Path]:
    """Write NAME.svg of each plot into `directory`; UsageError where matplotlib is missing."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError as exc:
        raise UsageError("--charts needs matplotlib: pip install 'hiwe[bench]'") from exc
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context({"svg.hashsalt": "hiwe", "svg.fonttype": "none"}):
        for plot in plots:
            figure = Figure(figsize=SIZE_IN, layout="constrained")
            _fill(figure.add_subplot(), plot)
            path = directory / f"{plot.name}.svg"
            figure.savefig(path, metadata={"Date": None, "Title": plot.title})
            written.append(path)
    return written


def _fill(axes: Axes, plot: Plot) -> None:
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    if plot.kind == "bar":
        _bars(axes, plot)
    else:
        stroke = "-" if plot.kind == "line" else ""
        for at, line in enumerate(plot.lines):
            axes.plot(list(line.xs), list(line.ys), MARKS[at % len(MARKS)] + stroke,
                      color=COLOURS[at % len(COLOURS)], label=line.name, markersize=4)  # fmt: skip
    if plot.x_log:
        axes.set_xscale("log")
    if plot.y_log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    if len(plot.lines) > 1:
        axes.legend()
    axes.grid(visible=True, alpha=0.3)


def _bars(axes: Axes, plot: Plot) -> None:
    """Bars of each line side by side over the names."""
    names = [str(x) for x in plot.lines[0].xs]
    width = 0.8 / len(plot.lines)
    for at, line in enumerate(plot.lines):
        places = [place - 0.4 + width * (at + 0.5) for place in range(len(names))]
        axes.bar(places, list(line.ys), width, color=COLOURS[at % len(COLOURS)], label=line.name)
    axes.set_xticks(range(len(names)), names)
