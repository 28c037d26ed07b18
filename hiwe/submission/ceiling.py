"""Ceiling: a site that shows so many hits and no more, and does not say so.

Several answers of exactly the same size, the largest of all, a round number, unlike in their
records, without a total and without a pager: that is no accident, whatever the page's language.
Such answers are parts and are asked for in smaller ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from hiwe.submission.outcome import Outcome

LEAST = 10  # records; many answers of few records are as large by accident
ROUND = 5  # ceilings are multiples of it
TIMES = 3  # unlike answers of that size


class Ceiling:
    """Watches the sizes of a form's answers; `size` is the ceiling, 0 while none is known."""

    def __init__(self) -> None:
        self.size = 0
        self._largest = 0
        self._answers: dict[int, set[frozenset[str]]] = {}

    def note(self, outcome: Outcome) -> bool:
        """Take an answer in; return whether the ceiling has changed by it."""
        before = self.size
        if outcome.verdict is Verdict.RESULTS:
            count = len(outcome.records)
            self._largest = max(self._largest, count)
            if outcome.total is None and not outcome.truncated:
                self._answers.setdefault(count, set()).add(outcome.records)
            self.size = self._found()
        return self.size != before

    def _found(self) -> int:
        """The largest size, if it is a ceiling: a single larger answer shows that it is none."""
        size = self._largest
        alike = self._answers.get(size, set())
        rounded = size >= LEAST and size % ROUND == 0
        return size if rounded and len(alike) >= TIMES and _unlike(alike) else 0

    def marked(self, outcome: Outcome) -> Outcome:
        """The outcome, truncated if it reaches the ceiling."""
        reached = self.size and len(outcome.records) == self.size and outcome.total is None
        return replace(outcome, truncated=True) if reached else outcome


def _unlike(answers: set[frozenset[str]]) -> bool:
    """Most records are in one answer alone: a box that is ignored brings the same ones again."""
    times = Counter(record for answer in answers for record in answer)
    return sum(count == 1 for count in times.values()) * 2 >= len(times)
