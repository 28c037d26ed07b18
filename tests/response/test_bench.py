"""The verdict's floors on the labelled responses: lowering one needs a reason."""

from __future__ import annotations

import pytest

from hiwe.bench.responses import figures_of, measure, run, samples


@pytest.mark.slow
def test_verdicts_hold_their_floors_on_labelled_responses():
    result = run()
    figures = result.figures
    assert figures["responses"] >= 600
    assert figures["languages"] >= 8
    for split in ("all", "tuned", "held"):
        assert figures[split]["results_or_not"] >= 0.98, result.misses
        assert figures[split]["six_verdicts"] >= 0.95, result.misses
        assert figures[split]["records_right"] >= 0.97, result.misses


def test_half_of_the_samples_are_of_applications_held_back():
    splits = [sample.split for sample in samples()]
    assert splits.count("held") * 2 >= len(splits)


def test_figures_count_what_is_right_and_wrong():
    some = [sample for sample in samples() if sample.app == "cases"][:30]
    figures = figures_of(measure(some))
    told = sum(count for row in figures["confusion"].values() for count in row.values())
    assert told == figures["responses"] == 30
