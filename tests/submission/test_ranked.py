"""Assignments come best first, each once, and cover many values early."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass
from itertools import islice, product
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.submission.rank import RANK_FUNCTIONS, rank
from hiwe.submission.ranked import diverse, ranked

each_function = pytest.mark.parametrize("function", RANK_FUNCTIONS)


@dataclass(frozen=True)
class Value:
    text: str
    weight: float


@st.composite
def value_sets(draw):
    weight = st.one_of(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.floats(0, 1))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    return [[Value(f"{e}.{v}", draw(weight)) for v in range(n)] for e, n in enumerate(sizes)]


def even(elements, values, weight=1.0):
    return [[Value(f"{e}.{v}", weight) for v in range(values)] for e in range(elements)]


@each_function
@given(sets=value_sets(), rho_min=st.sampled_from([0.0, 0.3, 0.6, 0.9, 1.0]))
def test_what_comes_is_what_brute_force_finds_each_once_best_first(function, sets, rho_min):
    found = list(ranked(sets, function, rho_min))
    wanted = {
        values for values in product(*sets) if rank([v.weight for v in values], function) >= rho_min
    }
    assert {values for _, values in found} == wanted
    assert len(found) == len(wanted)
    ranks = [r for r, _ in found]
    assert ranks == sorted(ranks, reverse=True)
    assert all(r == rank([v.weight for v in values], function) for r, values in found)


@each_function
@given(sets=value_sets())
def test_order_is_the_same_every_time(function, sets):
    assert list(ranked(sets, function, 0.0)) == list(ranked(sets, function, 0.0))


@each_function
def test_budget_of_fifty_on_a_product_of_a_million_millions_shows_fifty_values_each(function):
    first = list(islice(ranked(even(6, 100), function, 0.6), 50))
    for element in range(6):
        assert len({values[element] for _, values in first}) == 50


@each_function
def test_new_values_come_first_among_assignments_of_lower_rank(function):
    sets = [[*even(1, 2)[0], *[Value(f"new {e}{i}", 0.9) for i in range(20)]] for e in range(3)]
    first = list(islice(ranked(sets, function, 0.5), 8 + 60))
    for element in range(3):
        assert len({values[element] for _, values in first}) >= 20


@each_function
def test_order_within_a_value_set_is_kept_among_equal_weights(function):
    assert [v[0].text for _, v in ranked(even(1, 4), function, 0.0)] == ["0.0", "0.1", "0.2", "0.3"]


@each_function
def test_empty_value_set_leaves_nothing_to_assign(function):
    assert list(ranked([even(1, 2)[0], []], function, 0.0)) == []
    assert list(ranked([], function, 0.0)) == []


@each_function
@pytest.mark.parametrize("elements", [4, 6, 8])
def test_memory_does_not_grow_with_the_product(function, elements):
    sets = [
        [Value(f"{e}.{v}", 1 - (v * 7 + e) % 50 / 100) for v in range(50)] for e in range(elements)
    ]
    tracemalloc.start()
    for _ in islice(ranked(sets, function, 0.0), 2000):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000  # 50**8 is forty million millions


@given(sizes=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_diverse_order_is_a_permutation_that_shows_every_member_soon(sizes):
    parts = [range(n) for n in sizes]
    found = list(diverse(parts))
    assert sorted(found) == sorted(product(*parts))
    for place, size in enumerate(sizes):
        assert len({f[place] for f in found[: max(sizes)]}) == size
    assert len(set(found[: lcm(*sizes)])) == lcm(*sizes)
