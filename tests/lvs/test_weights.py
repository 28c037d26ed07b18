"""Weights: damped, bounded, logged; fixed ones never move; blame is shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.lvs import LvsTable, Provenance, Row
from hiwe.lvs.weights import posterior

if TYPE_CHECKING:
    import random

TRIALS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True), st.booleans()
    ),
    max_size=40,
)


def table(provenance: Provenance = Provenance.EXPERIENCE) -> LvsTable:
    row = Row("Genre", provenance=provenance)
    for value, weight in zip("abcd", (0.9, 0.8, 0.5, 0.0), strict=True):
        row.values.add(value, weight, provenance)
    return LvsTable([row])


def weights(lvs: LvsTable) -> dict[str, float]:
    return {record.value: record.weight for record in lvs.rows[0].values.records()}


def run(lvs: LvsTable, trials: list[tuple[list[str], bool]]) -> None:
    for chosen, succeeded in trials:
        lvs.reward([("Genre", value) for value in chosen], succeeded=succeeded, cause="test")


@given(TRIALS)
def test_weights_stay_in_bounds(trials: list[tuple[list[str], bool]]) -> None:
    lvs = table()
    run(lvs, trials)
    assert all(0.0 <= weight <= 1.0 for weight in weights(lvs).values())


@pytest.mark.parametrize("provenance", [Provenance.EXPLICIT, Provenance.BUILTIN])
@given(trials=TRIALS)
def test_fixed_weights_never_move_but_their_record_is_kept(
    provenance: Provenance, trials: list[tuple[list[str], bool]]
) -> None:
    lvs = table(provenance)
    before = weights(lvs)
    run(lvs, trials)
    assert weights(lvs) == before
    told = sum(r.successes + r.failures for r in lvs.rows[0].values.records())
    expected = sum(len(chosen) if succeeded else 1 for chosen, succeeded in trials)
    assert told == pytest.approx(expected, rel=1e-4)


@given(TRIALS, st.randoms(use_true_random=False))
def test_learning_is_order_tolerant(
    trials: list[tuple[list[str], bool]], rng: random.Random
) -> None:
    """Blame looks at the record so far, so another order may shift weights, but only a little."""
    lvs, shuffled = table(), table()
    run(lvs, trials)
    rng.shuffle(trials)
    run(shuffled, trials)
    for value, weight in weights(lvs).items():
        assert weights(shuffled)[value] == pytest.approx(weight, abs=0.25)


@given(st.lists(st.booleans(), max_size=30), st.randoms(use_true_random=False))
def test_single_values_learn_the_same_in_any_order(
    outcomes: list[bool], rng: random.Random
) -> None:
    lvs, shuffled = table(), table()
    run(lvs, [(["a"], outcome) for outcome in outcomes])
    rng.shuffle(outcomes)
    run(shuffled, [(["a"], outcome) for outcome in outcomes])
    assert weights(lvs) == weights(shuffled)


def test_one_failure_never_halves_a_weight() -> None:
    lvs = table()
    run(lvs, [(["a"], False)])
    assert 0.45 < weights(lvs)["a"] < 0.9


def test_failure_of_two_blames_the_one_that_succeeds_elsewhere_less() -> None:
    lvs = table()
    run(lvs, [(["a"], True)] * 4)
    before = weights(lvs)
    run(lvs, [(["a", "b"], False)])
    after = weights(lvs)
    assert before["a"] - after["a"] < before["b"] - after["b"]
    assert after["a"] > 0.85


def test_each_change_is_told_with_its_cause() -> None:
    lvs = table()
    (change,) = lvs.reward([("Genre", "a"), ("", "x")], succeeded=False, cause="submission 7")
    assert (change.row, change.value, change.before, change.cause) == (
        "Genre",
        "a",
        0.9,
        "submission 7",
    )
    assert change.after == weights(lvs)["a"]


def test_pairs_that_the_table_does_not_have_are_passed_over() -> None:
    assert table().reward([("Nothing", "x"), ("Genre", "x")], succeeded=True, cause="t") == ()


def test_posterior_moves_towards_what_happens() -> None:
    assert posterior(0.5, 0, 0) == 0.5
    assert posterior(0.5, 96, 0) > 0.95
    assert posterior(0.5, 0, 96) < 0.05
