"""Least total cost assignment: against trying everything."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from hiwe.form.assign import assign


def total(costs, without, chosen):
    return sum(without[i] if text is None else costs[i][text] for i, text in enumerate(chosen))


def cheapest(costs, without, texts):
    best = float("inf")
    slots = len(costs)
    for order in permutations([*range(texts), *[None] * slots], slots):
        if all(text is None or text in costs[i] for i, text in enumerate(order)):
            best = min(best, total(costs, without, order))
    return best


COST = st.integers(0, 50).map(float)


@given(st.data(), st.integers(1, 3), st.integers(0, 3))
def test_no_other_assignment_is_cheaper(data, slots, texts):
    costs = [
        data.draw(st.dictionaries(st.integers(0, texts - 1), COST) if texts else st.just({}))
        for _ in range(slots)
    ]
    without = data.draw(st.lists(COST, min_size=slots, max_size=slots))
    chosen = assign(costs, without)
    given_texts = [text for text in chosen if text is not None]
    assert len(given_texts) == len(set(given_texts))
    assert total(costs, without, chosen) == cheapest(costs, without, texts)


def test_a_text_goes_where_the_whole_is_cheapest():
    assert assign([{0: 1.0, 1: 5.0}, {0: 2.0}], [100.0, 100.0]) == [1, 0]


def test_staying_without_may_be_cheaper():
    assert assign([{0: 90.0}], [60.0]) == [None]
