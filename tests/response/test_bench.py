"""The labelled responses, and how figures of verdicts count."""

from __future__ import annotations

from hiwe.bench.responses import figures_of, measure, samples


def test_the_samples_are_many_and_of_many_languages():
    given = list(samples())
    assert len(given) >= 600
    assert len({sample.language for sample in given}) >= 8


def test_half_of_the_samples_are_of_applications_held_back():
    splits = [sample.split for sample in samples()]
    assert splits.count("held") * 2 >= len(splits)


def test_figures_count_what_is_right_and_wrong():
    some = [sample for sample in samples() if sample.app == "cases"][:30]
    figures = figures_of(measure(some))
    told = sum(count for row in figures["confusion"].values() for count in row.values())
    assert told == figures["responses"] == 30
