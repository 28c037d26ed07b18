"""Ledger: what was given out and what came back, for one form. All that a choice depends on."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict
from hiwe.submission.bandit import Bandit
from hiwe.submission.conjunction import Conjunction
from hiwe.submission.known import Answer, Known, Query, answer_of
from hiwe.submission.narrowing import Narrowing, ways_to_narrow
from hiwe.submission.rank import rank
from hiwe.submission.sources import key_of
from hiwe.submission.subsumed import Subsumed
from hiwe.submission.vain import Vain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.submission.assignment import Binding
    from hiwe.submission.axis import Axis
    from hiwe.submission.catalogue import Catalogue
    from hiwe.submission.outcome import Outcome
    from hiwe.submission.sources import Bindings, Key

WINDOW = 25  # answers with results that the expected gain is taken from
MOST_BLOCKED = 3  # times that a blocked assignment is offered again


class Ledger:
    """Outcomes of one form's assignments, and the assignments that are under way."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Nothing given, nothing known."""
        self.catalogue = catalogue
        self.known, self.bandit = Known(), Bandit()
        self.conjunction = Conjunction(catalogue)
        self.subsumed, self.vain = Subsumed(), Vain()
        self.answers: list[Answer] = []
        self.narrowings: list[Narrowing] = []
        self.asked_for: frozenset[int] = frozenset()  # elements the site said are missing
        self.pending: dict[Query, Bindings] = {}
        self.discovering: set[frozenset[Binding]] = set()
        self.blocked: dict[Query, tuple[Bindings, int]] = {}
        self._given: set[Query] = set()
        self._gains: deque[int] = deque(maxlen=WINDOW)
        self._choices = {
            signature(choice.bindings): (axis, choice.group)
            for axis in catalogue.axes
            for choice in axis.choices
        }

    def skip(self, bindings: Bindings) -> bool:
        """Given before, banned, known to bring nothing new, or of too low a rank."""
        query = self.catalogue.reader.query(bindings)
        if query in self._given or self.catalogue.bans(bindings) or self.known.covers(query):
            return True
        if self.catalogue.crosses(bindings):
            return True
        return self._rank(bindings) < self.catalogue.rho_min

    def _rank(self, bindings: Bindings) -> float:
        return rank((b.weight for b in bindings), self.catalogue.function)

    def answer(self, bindings: Bindings) -> Answer | None:
        """The answer to an assignment, None while there is none."""
        return self.known.answers.get(self.catalogue.reader.query(bindings))

    def is_discovering(self, bindings: Bindings) -> bool:
        """Whether the domain under these bindings is being read."""
        return frozenset(bindings) in self.discovering

    def is_given(self, bindings: Bindings) -> bool:
        """Handed out before, or never to be."""
        given = self.catalogue.reader.query(bindings) in self._given
        return given or self.catalogue.bans(bindings)

    def give(self, bindings: Bindings, *, discover: bool) -> None:
        """Note that an assignment is handed out."""
        if discover:
            self.discovering.add(frozenset(bindings))
            return
        query = self.catalogue.reader.query(bindings)
        self.pending[query] = bindings
        if query not in self._given:
            self._given.add(query)
            self.bandit.give(self.key(bindings))

    def resume(self, earlier: Ledger) -> None:
        """Go on with what is under way in an earlier ledger of the same form."""
        self.discovering |= earlier.discovering
        for query, bindings in earlier.pending.items():
            if query not in self._given:
                self.give(bindings, discover=False)

    def add(self, outcome: Outcome) -> None:
        """Take an outcome in, whether its assignment was handed out here or before a restart."""
        if outcome.discover:
            self.discovering.discard(frozenset(outcome.bindings))
            return
        query = self.catalogue.reader.query(outcome.bindings)
        if query not in self._given:
            self.give(outcome.bindings, discover=False)
        self.pending.pop(query, None)
        self.asked_for |= frozenset(outcome.missing)
        if outcome.verdict is Verdict.BLOCKED:
            times = self.blocked.get(query, ((), 0))[1]
            self.blocked[query] = (outcome.bindings, times + 1)
            return
        self.blocked.pop(query, None)
        if outcome.sent:
            self._learn(outcome)
        else:
            self.bandit.give(self.key(outcome.bindings), -1)
            self.bandit.arm(self.key(outcome.bindings)).unsent_streak += 1

    def _learn(self, outcome: Outcome) -> None:
        self.bandit.add(self.key(outcome.bindings), outcome)
        answer = answer_of(outcome, self.catalogue.reader)
        self.conjunction.learn(answer, self.answers)
        self.answers.append(answer)
        self.known.add(answer)
        self.subsumed.add(self.key(answer.bindings), answer)
        self.vain.add(outcome.bindings, outcome.verdict)
        if outcome.verdict is Verdict.RESULTS:
            self._gains.append(outcome.new_records)
        for narrowing in self.narrowings:
            parts = answer.query.narrows(narrowing.answer.query)
            if parts or narrowing.holds(answer.bindings):
                narrowing.covered |= answer.records
        if answer.part:
            ways = ways_to_narrow(answer, self._useful_axes())
            if ways:
                self.narrowings.append(Narrowing(answer, ways))

    @property
    def waits(self) -> bool:
        """Something is under way whose answer may open more."""
        return bool(self.pending or self.discovering)

    def _useful_axes(self) -> list[Axis]:
        return [a for a in self.catalogue.axes if not a.lone]

    def key(self, bindings: Bindings) -> Key:
        """The arm that an assignment belongs to; it depends on the bindings alone."""
        found = self._choices.get(signature(bindings))
        if found is not None:
            return key_of((found[0],), found[1])
        return tuple(sorted({b.element for b in bindings})), ""

    def choice_key(self, bindings: Bindings) -> Key | None:
        """The arm of a single choice of one axis; None for a range or anything else."""
        found = self._choices.get(signature(bindings))
        if found is None or found[0].range is not None:
            return None
        return key_of((found[0],), found[1])

    @property
    def may_retry(self) -> tuple[Bindings, ...]:
        """Assignments that a block kept from an answer, to be offered once more."""
        waiting = [
            b for q, (b, n) in self.blocked.items() if n < MOST_BLOCKED and q not in self.pending
        ]
        return tuple(waiting)

    def is_saturated(self, min_gain: float) -> bool:
        """The last answers with results brought less than this share of the mean gain."""
        if len(self._gains) < WINDOW or not self.bandit.new_records:
            return False
        return sum(self._gains) / WINDOW < min_gain * self.bandit.mean


def signature(bindings: Sequence[Binding]) -> frozenset[tuple[object, ...]]:
    """Elements and values alone: weights and rows of generated values may differ."""
    return frozenset((b.element, b.option, b.value) for b in bindings)
