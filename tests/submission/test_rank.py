"""Ranks follow the paper's formulas, whatever the order of the elements."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.submission.rank import RANK_FUNCTIONS, rank

WEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("function", "weights", "expected"),
    [
        ("min", [0.95, 1.0, 1.0], 0.95),
        ("min", [0.8, 1.0, 1.0], 0.8),
        ("average", [0.95, 1.0, 1.0], 2.95 / 3),
        ("average", [0.6, 0.6, 0.6], 0.6),
        ("probabilistic", [0.5, 0.5], 0.75),
        ("probabilistic", [0.2, 1.0], 1.0),
        ("probabilistic", [0.6], 0.6),
        ("probabilistic", [0.0, 0.0], 0.0),
    ],
)
def test_rank_follows_the_formula(function, weights, expected):
    assert rank(weights, function) == pytest.approx(expected, abs=1e-12)


def test_slide_example_with_least_rank_of_nine_tenths():
    assert rank([0.95, 1, 1], "min") >= 0.9 > rank([0.8, 1, 1], "min")


@pytest.mark.parametrize("function", RANK_FUNCTIONS)
def test_open_query_is_certain(function):
    assert rank([], function) == 1.0


@pytest.mark.parametrize("function", RANK_FUNCTIONS)
@pytest.mark.parametrize("weight", [-0.1, 1.5, math.nan])
def test_weight_outside_the_unit_interval_is_refused(function, weight):
    with pytest.raises(ValueError, match="a weight lies in"):
        rank([0.5, weight], function)


@pytest.mark.parametrize("function", RANK_FUNCTIONS)
@given(weights=WEIGHTS)
def test_rank_does_not_depend_on_the_order(function, weights):
    assert rank(weights, function) == rank(sorted(weights), function)
    assert 0.0 <= rank(weights, function) <= 1.0


@given(weights=WEIGHTS)
def test_functions_agree_with_plain_arithmetic(weights):
    assert rank(weights, "min") == pytest.approx(min(weights), abs=1e-11)
    assert rank(weights, "average") == pytest.approx(sum(weights) / len(weights), abs=1e-11)
    product = math.prod(1 - w for w in weights)
    assert rank(weights, "probabilistic") == pytest.approx(1 - product, abs=1e-11)
