"""Tests of how a form combines what is bound: do two elements narrow, do two values widen?

Each is one submission whose answer is expected to hold records, as both its halves have shown
some: two elements whose answers share a record, and the first and last value that one element
of several choices has found. A form that does not narrow is not asked for narrower queries.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict
from hiwe.submission.sources import Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.submission.catalogue import Catalogue
    from hiwe.submission.known import Answer

MOST_LOOKED_AT = 60  # answers among which a pair is looked for


class Conjunction:
    """What is known of a form's way to combine; None: not tested yet."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Nothing is known at first."""
        self.catalogue = catalogue
        self.narrows: bool | None = None
        self._united: set[int] = set()

    @property
    def may_narrow(self) -> bool:
        """No test has shown otherwise."""
        return self.narrows is not False

    def test(self, answers: Sequence[Answer]) -> Candidate | None:
        """Two elements bound together, the first pair whose answers share a record."""
        if self.narrows is not None:
            return None
        for first, second in combinations(self._singles(answers), 2):
            if set(first.template) & set(second.template):
                continue
            if first.records & second.records:
                return Candidate((*first.bindings, *second.bindings))
        return None

    def union_test(self, answers: Sequence[Answer]) -> Candidate | None:
        """The first and the last value with results of an element that takes several."""
        for axis in self.catalogue.axes:
            if not axis.multiple or axis.elements[0] in self._united:
                continue
            found = [a for a in self._singles(answers) if a.template == axis.elements]
            if len(found) > 1:
                return Candidate((*found[0].bindings, *found[-1].bindings))
        return None

    def _singles(self, answers: Sequence[Answer]) -> list[Answer]:
        axes = {axis.elements for axis in self.catalogue.axes}
        return [
            a
            for a in answers[:MOST_LOOKED_AT]
            if a.verdict is Verdict.RESULTS and a.template in axes and a.records
        ]

    def learn(self, answer: Answer, answers: Sequence[Answer]) -> None:
        """Read an answer as a test, if it is one. An error page tells nothing either way."""
        if len(answer.bindings) != len(answer.template):
            self._united |= set(answer.template)
            return
        if self.narrows is not None or not answer.verdict.is_valid:
            self._give_up(answer)
            return
        if len(answer.bindings) < 2:
            return  # no two halves
        halves = [a for a in self._singles(answers) if set(a.bindings) < set(answer.bindings)]
        if len(halves) < 2:
            return
        whole = [a for a in halves if not a.part]
        within = all(answer.records <= half.records for half in whole)
        self.narrows = answer.verdict is Verdict.RESULTS and within

    def _give_up(self, answer: Answer) -> None:
        """A pair that the site refused shows that pairs are of no use."""
        if self.narrows is None and len(answer.template) > 1 and not answer.verdict.is_valid:
            axes = {axis.elements for axis in self.catalogue.axes}
            self.narrows = None if answer.template in axes else False
