"""Narrowing: an answer that was cut off is asked for in parts, until each part is whole.

Its range is split in halves; else one more element is bound, in every way that is not known to
add nothing: a value whose own answer was whole, or empty, is left out (as in the Apriori
algorithm, a pair is worth asking for only when both of its singles were cut off).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from hiwe.submission.letters import longer
from hiwe.submission.sources import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.submission.axis import Axis
    from hiwe.submission.known import Answer, Known, Reader
    from hiwe.submission.sources import Bindings

MOST_AXES = 3  # bound elements of a template (ranges count once)


class Prospect(Enum):
    """What is to be made of one part now."""

    OPEN = "open"  # to be asked for
    WAIT = "wait"  # under way, or its added value has to be tried alone first
    DONE = "done"  # answered, or known to bring nothing


Judge = Callable[["Bindings", "Bindings"], Prospect]  # of a part, and of what it adds
Way = tuple[tuple["Bindings", ...], bool]


class Narrowing:
    """One answer that is a part, and the ways to ask for it in smaller parts.

    `ways` are tried in turn; the next one only when all of one is done and records are still
    missing. The second half of a way says whether its parts cover the answer.
    """

    def __init__(self, answer: Answer, ways: tuple[Way, ...]) -> None:
        """Begin with the first way."""
        self.answer, self.ways = answer, ways
        self.covered: set[str] = set(answer.records)
        self._way = 0
        self._parts = frozenset(
            frozenset(part)
            for parts, _ in ways
            for part in parts
            if len(part) == len(answer.bindings)
        )
        self._resolved = False
        self._undone = list(reversed(ways[0][0])) if ways else []

    @property
    def key(self) -> tuple[object, ...]:
        """The arm of the template that its parts have."""
        parts = self.ways[min(self._way, len(self.ways) - 1)][0]
        return tuple(sorted({b.element for b in parts[0]})), ""

    def holds(self, bindings: Bindings) -> bool:
        """Whether an assignment is one of its parts."""
        return frozenset(bindings) in self._parts

    @property
    def halves(self) -> bool:
        """The present way splits what the answer binds already: a range, a beginning."""
        parts = self.ways[min(self._way, len(self.ways) - 1)][0]
        return {b.element for b in parts[-1]} == set(self.answer.template)

    def expected(self, mean: float) -> float:
        """New records that one part may bring: what is missing, shared among the parts."""
        shown = max(1, len(self.answer.records))
        if self.answer.total is None:
            return max(mean, shown / 2)
        missing = max(0, self.answer.total - len(self.covered))
        return min(float(shown), missing / max(1, len(self._undone)))

    def is_resolved(self, known: Known) -> bool:
        """Nothing is left to ask for."""
        if not self._resolved:
            enough = self.answer.total is not None and len(self.covered) >= self.answer.total
            spent = self._way >= len(self.ways)
            self._resolved = spent or enough or known.covers(self.answer.query)
        return self._resolved

    def settle(self, known: Known, reader: Reader, judge: Judge) -> bool:
        """Move to the next way when the present one is used up; True when something changed."""
        if self.is_resolved(known):
            return False
        while self._undone and self._judged(self._undone[-1], judge) is Prospect.DONE:
            self._undone.pop()
        if self._undone:
            return False
        parts, whole = self.ways[self._way]
        if whole and all(known.covers(reader.query(part)) for part in parts):
            known.complete(self.answer.query)
        self._way += 1
        if self._way < len(self.ways):
            self._undone = list(reversed(self.ways[self._way][0]))
        return True

    def _judged(self, part: Bindings, judge: Judge) -> Prospect:
        return judge(part, tuple(b for b in part if b not in self.answer.bindings))

    def head(self, judge: Judge) -> Candidate | None:
        """The first part that is open."""
        for part in reversed(self._undone):
            if self._judged(part, judge) is Prospect.OPEN:
                return Candidate(part)
        return None


def ways_to_narrow(answer: Answer, axes: Sequence[Axis]) -> tuple[Way, ...]:
    """Ways to ask for an answer in parts, the most promising first.

    A bound range is halved, the beginning of a word gets one letter more. Otherwise further
    elements: lists whose number of choices is near the number of parts needed, unbound ranges,
    last text elements (whose values are never all).
    """
    bound = {b.element for b in answer.bindings}
    ways = [(_halved(answer, axis), True) for axis in axes if bound & set(axis.elements)]
    ways += [(_lengthened(answer, axis), True) for axis in axes if bound & set(axis.elements)]
    if sum(1 for axis in axes if bound & set(axis.elements)) < MOST_AXES:
        free = [a for a in axes if not bound & set(a.elements) and not a.lone]
        needed = 2.0 * (answer.total or 0) / max(1, len(answer.records))
        for axis in sorted(free, key=lambda a: _cost(a, needed)):
            ways.append((tuple(_with(answer, axis)), axis.complete or axis.range is not None))
    return tuple((parts, whole) for parts, whole in ways if parts)


def _cost(axis: Axis, needed: float) -> tuple[int, float]:
    if axis.range is not None:
        return 1, 0.0
    kind = 0 if axis.complete else 2
    return kind, abs(len(axis.choices) - needed)


def _halved(answer: Answer, axis: Axis) -> tuple[Bindings, ...]:
    if axis.range is None:
        return ()
    inside = {b.element: b for b in answer.bindings if b.element in axis.elements}
    others = tuple(b for b in answer.bindings if b.element not in axis.elements)
    if len(inside) == 1:
        parts = axis.range.beyond(*inside.values())
    else:
        parts = axis.range.halves(inside[axis.range.start], inside[axis.range.end])
    return tuple((*others, *part) for part in parts)


def _lengthened(answer: Answer, axis: Axis) -> tuple[Bindings, ...]:
    """What begins as the answer's value does, by the next letter."""
    inside = [b for b in answer.bindings if b.element in axis.elements]
    if axis.range is not None or axis.complete or len(inside) != 1:
        return ()
    others = tuple(b for b in answer.bindings if b.element not in axis.elements)
    return tuple((*others, b) for b in longer(inside[0], beginnings=axis.beginnings))


def _with(answer: Answer, axis: Axis) -> Iterator[Bindings]:
    if axis.range is None:
        for choice in axis.choices:
            yield (*answer.bindings, *choice.bindings)
        return
    whole = axis.range.whole()
    halves = axis.range.halves(*whole) if whole else ()
    outside = [choice.bindings for choice in axis.choices if choice.group == "ends"]
    for bindings in (*halves, *outside):
        yield (*answer.bindings, *bindings)
