"""A site that shows so many hits and no more shows it by the sizes of its answers."""

from __future__ import annotations

import pytest

from hiwe.response.response import Verdict
from hiwe.submission.ceiling import Ceiling
from hiwe.submission.outcome import Outcome


def answer(first, count, **more):
    records = frozenset(f"r{number}" for number in range(first, first + count))
    return Outcome((0,), (), Verdict.RESULTS, records, count, **more)


def found(*outcomes):
    ceiling = Ceiling()
    for outcome in outcomes:
        ceiling.note(outcome)
    return ceiling.size


def test_three_unlike_answers_of_one_round_size_are_a_ceiling():
    assert found(answer(0, 50), answer(100, 50)) == 0
    assert found(answer(0, 50), answer(100, 50), answer(200, 17), answer(300, 50)) == 50


@pytest.mark.parametrize(
    "outcomes",
    [
        [answer(0, 50), answer(0, 50), answer(0, 50)],  # one answer, three times
        [answer(0, 50), answer(5, 50), answer(9, 50)],  # hardly another
        [answer(0, 5), answer(10, 5), answer(20, 5)],  # few
        [answer(0, 47), answer(100, 47), answer(200, 47)],  # not round
        [answer(0, 50, total=50), answer(100, 50, total=50), answer(200, 50, total=50)],
        [answer(0, 50), answer(100, 50), answer(200, 50), answer(300, 60)],  # more can be shown
    ],
)
def test_what_may_be_an_accident_is_none(outcomes):
    assert found(*outcomes) == 0


def test_answers_at_the_ceiling_are_parts():
    ceiling = Ceiling()
    for first in (0, 100, 200):
        ceiling.note(answer(first, 50))
    assert ceiling.marked(answer(0, 50)).is_part
    assert not ceiling.marked(answer(0, 49)).is_part
    assert not ceiling.marked(answer(0, 50, total=50)).is_part
