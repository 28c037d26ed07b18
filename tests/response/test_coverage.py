"""The size of a hidden database, estimated from captures and stated totals."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.response.coverage import Division, estimate

SIZE = 1000


def catalogue(seed):
    """Records with a genre, a year and a director, as sets of keys by value."""
    dice = random.Random(seed)
    values = {}
    for number in range(SIZE):
        record = f"r{number}"
        values.setdefault(("genre", int(dice.triangular(0, 12, 2))), set()).add(record)
        values.setdefault(("year", int(dice.triangular(0, 40, 35))), set()).add(record)
        values.setdefault(("director", dice.randrange(200)), set()).add(record)
    keys = sorted(values)
    dice.shuffle(keys)
    return [(element, values[element, value]) for element, value in keys]


def harvest(found, share):
    captures, labels, seen = [], [], set()
    for label, records in found:
        captures.append(records)
        labels.append(label)
        seen |= records
        if len(seen) >= share * SIZE:
            break
    return captures, labels


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_the_interval_holds_the_truth_nine_times_in_ten(share):
    held, near = 0, 0
    for seed in range(20):
        captures, labels = harvest(catalogue(seed), share)
        result = estimate(captures, templates=labels)
        assert result.method == "recapture"
        held += result.low <= SIZE <= result.high
        near += abs(result.estimated - SIZE) <= 0.15 * SIZE
    assert held >= 18
    assert near >= (14 if share < 0.5 else 18)


def test_a_stated_total_stands():
    result = estimate([{"a", "b"}, {"c"}], totals=[356, 12])
    assert (result.estimated, result.low, result.high, result.method) == (356, 356, 356, "total")
    assert str(result) == "3 of about 356 (1 %)"


def test_a_total_smaller_than_what_was_seen_is_not_believed():
    assert estimate([{"a", "b"}, {"b", "c"}], totals=[2]).method != "total"


def test_captures_by_one_element_that_never_overlap_tell_nothing():
    result = estimate([{f"{i}-{j}" for j in range(5)} for i in range(20)])
    assert (result.method, result.high, result.observed) == ("none", math.inf, 100)
    assert result.coverage == 0.0


def test_chao_follows_its_formula():
    # f1 = 2 (a, d), f2 = 1 (b), f3 = 1 (c), t = 3
    result = estimate([{"a", "b", "c"}, {"b", "c", "d"}, {"c"}])
    assert result.observed == 4
    assert result.estimated == pytest.approx(4 + (2 / 3) * 2 * 2 / 2)
    assert result.low <= result.estimated <= result.high


def test_the_values_of_an_element_sum_up_to_the_database():
    captures = [{f"{value}-{n}" for n in range(10)} for value in range(6)]
    division = {"genre": Division(6, (10, 10, 10, 10, 10, 30))}  # of the last not all were read
    result = estimate(captures, templates=["genre"] * 6, divisions=division)
    assert (result.method, result.observed, result.estimated) == ("parts", 60, 80)
    assert result.low == 80 < result.high


def test_values_not_asked_yet_are_guessed_from_those_asked_last():
    captures = [{f"{value}-{n}" for n in range(10)} for value in range(6)]
    half = {"genre": Division(12, (10,) * 6)}
    result = estimate(captures, templates=["genre"] * 6, divisions=half)
    assert result.method == "parts"
    assert result.estimated == pytest.approx(120)
    assert result.low <= 120 <= result.high
    few = {"genre": Division(60, (10,) * 6)}
    assert estimate(captures, templates=["genre"] * 6, divisions=few).method == "none"


def test_values_that_overlap_sum_up_to_nothing():
    captures = [{f"r{n}" for n in range(value, value + 10)} for value in range(6)]
    tags = {"tag": Division(6, (10,) * 6)}
    assert estimate(captures, templates=["tag"] * 6, divisions=tags).method != "parts"


def test_one_question_in_two_forms_counts_once():
    films = [{f"{director}-{n}" for n in range(8)} for director in range(10)]
    twice = estimate(films + films, templates=["a"] * 10 + ["b"] * 10)
    assert twice.method != "recapture"


def test_what_dates_tell_of_records_is_minded():
    """Old records are found by both elements, new ones by hardly any: half of each are there."""
    dice = random.Random(1)
    years = {f"r{n}": float(n < 500) for n in range(1000)}
    chance = {1.0: 0.8, 0.0: 0.2}

    def capture():
        return {key for key, old in years.items() if dice.random() < chance[old]}

    def split(found):
        ordered = sorted(found)
        return [set(ordered[start::6]) for start in range(6)]

    captures = [*split(capture()), *split(capture())]
    labels = ["director"] * 6 + ["genre"] * 6
    plain = estimate(captures, templates=labels).estimated
    dated = estimate(captures, templates=labels, moments=years).estimated
    assert abs(dated - 1000) < abs(plain - 1000)
    assert dated == pytest.approx(1000, rel=0.1)


def test_nothing_found_is_no_estimate():
    assert estimate([]).method == "none"
    assert estimate([[], []]).observed == 0


def test_labels_must_fit_the_captures():
    with pytest.raises(ValueError, match="2 captures but 1 templates"):
        estimate([{"a"}, {"b"}], templates=["x"])


@given(
    st.lists(st.sets(st.integers(0, 30).map(str), max_size=12), max_size=12),
    st.lists(st.integers(0, 40), max_size=2),
    st.booleans(),
)
def test_the_interval_is_ordered_and_never_below_what_was_seen(captures, totals, labelled):
    labels = [i % 3 for i in range(len(captures))] if labelled else None
    result = estimate(captures, totals, labels)
    assert result.observed == len(set().union(*captures)) if captures else result.observed == 0
    assert result.observed <= result.low + 1e-9
    assert result.low <= result.estimated + 1e-9
    assert result.estimated <= result.high + 1e-9
    assert 0.0 <= result.coverage <= 1.0
