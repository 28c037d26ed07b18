"""The plots of benchmarks as files."""

import xml.etree.ElementTree as ET

import pytest

from hiwe.bench.result import Line, Plot

pytest.importorskip("matplotlib", reason="the extra 'bench' is not installed")

from hiwe.bench.draw import draw

RATES = Plot(
    "rates", "Rates", "workers", "a second",
    (Line("measured", (1, 2, 4), (1.0, 1.9, 3.6)), Line("ideal", (1, 2, 4), (1.0, 2.0, 4.0))),
)  # fmt: skip
BARS = Plot("functions", "SE", "function", "SE", (Line("films", ("min", "average"), (0.9, 0.8)),),
            kind="bar")  # fmt: skip
GROWTH = Plot("growth", "Growth", "n", "s", (Line("", (10, 1000), (0.1, 9.0)),),
              kind="points", x_log=True, y_log=True)  # fmt: skip


def test_a_plot_is_a_picture_with_its_words(tmp_path):
    paths = draw((RATES, BARS, GROWTH), tmp_path / "new")
    assert [path.name for path in paths] == ["rates.svg", "functions.svg", "growth.svg"]
    for path in paths:
        assert ET.parse(path).getroot().tag.endswith("svg")
    words = paths[0].read_text(encoding="utf-8")
    assert all(word in words for word in ("workers", "a second", "measured", "ideal"))
    assert "average" in paths[1].read_text(encoding="utf-8")


def test_the_same_figures_make_the_same_bytes(tmp_path):
    first, second = (draw((RATES,), tmp_path / name)[0] for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
