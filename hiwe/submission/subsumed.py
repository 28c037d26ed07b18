"""Which element's answers another element of the form gives as well, value by value.

A box for anything finds the director that the box 'Director' finds, and often more: once that has
shown for a few values, the rest need not be asked of both.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiwe.submission.vain import value_of

if TYPE_CHECKING:
    from hiwe.submission.known import Answer
    from hiwe.submission.sources import Key

LEAST_COMMON = 3  # values with records that both were asked for, where one finds more
LEAST_ALIKE = 6  # the same where neither ever did: either may yet


class Subsumed:
    """Answers of arms to the same values of a row, compared as they come."""

    def __init__(self) -> None:
        """Nothing was asked."""
        self._answers: dict[tuple[str, str], dict[Key, frozenset[str]]] = {}
        self._common: Counter[tuple[Key, Key]] = Counter()
        self._within: Counter[tuple[Key, Key]] = Counter()

    def add(self, key: Key, answer: Answer) -> None:
        """Take in an answer of an arm; one that is cut off or asks for several values is none."""
        asked = value_of(answer.bindings)
        if asked is None or answer.part or not answer.verdict.is_valid:
            return
        others = self._answers.setdefault(asked, {})
        for other, records in others.items():
            if other != key:
                self._compare(key, answer.records, other, records)
                self._compare(other, records, key, answer.records)
        others[key] = answer.records

    def _compare(
        self, one: Key, records: frozenset[str], other: Key, others: frozenset[str]
    ) -> None:
        """Note whether `other` gave all that `one` gave; an empty answer says nothing for it."""
        if records:
            self._common[one, other] += 1
            self._within[one, other] += records <= others

    def is_subsumed(self, key: Key) -> bool:
        """Whether another arm gave all this one's answers; of two alike the simpler one stays."""
        return any(self._gives_all(one, other) for one, other in self._common if one == key)

    def _gives_all(self, one: Key, other: Key) -> bool:
        common = self._common[one, other]
        if common < LEAST_COMMON or self._within[one, other] < common:
            return False
        if self._within[other, one] < self._common[other, one]:
            return True
        return common >= LEAST_ALIKE and _simplicity(other) < _simplicity(one)


def _simplicity(key: Key) -> tuple[int, str]:
    elements = key[0]
    return (len(elements) if isinstance(elements, tuple) else 0), repr(key)
