"""Sources of assignments for the harvest order: each yields its best candidate that is still open.

A source is asked again and again; what it offers depends on the answers so far alone, so that a
resumed run is offered the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from hiwe.submission.axis import DOMAIN, TASK, Axis, Choice, is_of_task
from hiwe.submission.outcome import REFUSALS
from hiwe.submission.ranked import ranked
from hiwe.submission.shown import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.submission.assignment import Binding
    from hiwe.submission.known import Answer
    from hiwe.submission.rank import RankFunction
    from hiwe.submission.values import ElementValues

Bindings = tuple["Binding", ...]
Skip = Callable[[Bindings], bool]  # given before, known already, or below rho_min
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An assignment that a source offers; `discover` asks only for a dependent domain."""

    bindings: Bindings
    discover: bool = False


def key_of(axes: Sequence[Axis], group: str) -> Key:
    """The arm of a template; single axes have one for every group of their choices."""
    elements = tuple(sorted(e for axis in axes for e in axis.elements))
    return elements, group if len(axes) == 1 else ""


class Template:
    """All assignments of a template, by rank; of a single axis one group of choices."""

    def __init__(
        self, axes: Sequence[Axis], group: str, function: RankFunction, rho_min: float
    ) -> None:
        """Start with the best assignment. `group` '' takes every group but the side doors."""
        self.axes = tuple(axes)
        self.key = key_of(axes, group)
        sets = [_in_group(axis, group) for axis in axes]
        self.turn = max(
            (min(c.turn for c in choices) for choices in sets if choices), default=DOMAIN
        )
        self.listed = all(axis.complete for axis in axes)
        self.size = 1
        for choices in sets:
            self.size *= len(choices)
        self._rest = ranked(sets, function, rho_min)
        self._next: Bindings | None = None
        self._put_off: list[Bindings] = []
        self._typed = _typed(axes[0], sets[0], rho_min) if len(axes) == 1 else ()
        self._places: dict[str, int] = {}  # text -> place of the value, once any was shown
        self.shown: set[int] = set()  # places of values that the site's records have shown
        self._shown_open: list[int] = []  # a heap of those that are not given yet
        self._advance()

    def _advance(self) -> None:
        found = next(self._rest, None)
        self._next = None if found is None else tuple(b for c in found[1] for b in c.bindings)

    def show(self, texts: Iterable[str]) -> None:
        """Note texts that records of the site show (`folded`): such values come first."""
        if not self._places:
            self._places = {folded(b[0].value): at for at, b in enumerate(self._typed)}
        for at in {self._places[text] for text in texts if text in self._places} - self.shown:
            self.shown.add(at)
            heappush(self._shown_open, at)

    def shown_head(self, skip: Skip) -> Candidate | None:
        """The best open assignment whose value the site's records have shown."""
        while self._shown_open and skip(self._typed[self._shown_open[0]]):
            heappop(self._shown_open)
        return Candidate(self._typed[self._shown_open[0]]) if self._shown_open else None

    def shown_given(self, skip: Skip) -> int:
        """How many of the values shown are given, or known to bring nothing."""
        return sum(skip(self._typed[at]) for at in self.shown)

    def head(self, skip: Skip, put_off: Skip | None = None) -> Candidate | None:
        """The best assignment that is open, None when there is none; last what is `put_off`."""
        while self._next is not None:
            if not skip(self._next):
                if put_off is None or not put_off(self._next):
                    return Candidate(self._next)
                self._put_off.append(self._next)
            self._advance()
        self._put_off = [bindings for bindings in self._put_off if not skip(bindings)]
        return Candidate(self._put_off[0]) if self._put_off else None

    def __repr__(self) -> str:
        return f"<Template {self.key}>"


def _typed(axis: Axis, choices: Sequence[Choice], rho_min: float) -> tuple[Bindings, ...]:
    """What is typed into a text element, best first; a list's values are all the site's own."""
    if not axis.is_typed:
        return ()
    best = sorted(choices, key=lambda c: -c.weight)
    return tuple(c.bindings for c in best if c.weight >= rho_min)


def _in_group(axis: Axis, group: str) -> tuple[Choice, ...]:
    if group:
        return tuple(c for c in axis.choices if c.group == group)
    return tuple(c for c in axis.choices if c.group not in ("ends", "points"))


class Asked(Protocol):
    """What a chain must know of the assignments that were given."""

    def answer(self, bindings: Bindings) -> Answer | None:
        """The answer to an assignment, None while there is none."""

    def is_discovering(self, bindings: Bindings) -> bool:
        """Whether the domain under these bindings is being read."""


@dataclass
class Chain:
    """Elements that depend on each other, parent first; the children's domains are read.

    `domains` maps a child and the bindings before it to its values and whether it may stay open.
    `opens` says whether the form shows a child that may stay open before any choice; the site may
    refuse that all the same. `fixed` are
    bindings that every submission of the form needs.
    """

    path: tuple[ElementValues, ...]
    opens: bool
    asked: Asked
    rho_min: float
    fixed: Bindings = ()
    domains: dict[tuple[int, Bindings], tuple[Bindings, bool]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)  # lengths that the site refused without a child

    @property
    def key(self) -> Key:
        """One arm for the whole chain."""
        return tuple(v.element for v in self.path), "chain"

    @property
    def turn(self) -> int:
        """The task's own turn when table or person know a value of any of its elements."""
        wanted = any(v.pinned for v in self.path)
        return TASK if wanted or any(is_of_task(b) for v in self.path for b in v.values) else DOMAIN

    listed = True

    @property
    def size(self) -> int:
        """Number of the parent's values: the children's are not known beforehand."""
        return len(self.path[0].values)

    def read(self, bindings: Bindings, child: int, values: Bindings, *, may_open: bool) -> None:
        """Keep a child's domain under the bindings of the elements before it."""
        place = [v.element for v in self.path].index(child)
        parents = self._prefix(bindings, place)
        if len(parents) == place:
            self.domains[child, parents] = (values, may_open)

    def give_up(self, bindings: Bindings) -> None:
        """A domain could not be read: the child is left alone under these bindings."""
        for place in range(1, len(self.path)):
            parents = self._prefix(bindings, place)
            if len(parents) == place:
                self.domains.setdefault((self.path[place].element, parents), ((), True))

    def _prefix(self, bindings: Bindings, length: int) -> Bindings:
        by_element = {b.element: b for b in bindings}
        path = [v.element for v in self.path[:length]]
        return tuple(by_element[e] for e in path if e in by_element)

    def head(self, skip: Skip) -> Candidate | None:
        """The first open candidate along the parents' values."""
        for binding in self.path[0].values:
            if binding.weight < self.rho_min:
                continue
            for candidate in self._below((binding,)):
                asked = self.asked.is_discovering(candidate.bindings)
                if not (asked if candidate.discover else skip(candidate.bindings)):
                    return candidate
        return None

    def unread(self) -> Iterator[Bindings]:
        """Bindings whose child's domain is neither read nor asked for."""
        for candidate in self._walk():
            if candidate.discover and not self.asked.is_discovering(candidate.bindings):
                yield candidate.bindings

    def paths(self) -> Iterator[Bindings]:
        """Every combination that belongs together, as deep as domains were read."""
        for candidate in self._walk():
            if not candidate.discover:
                yield candidate.bindings

    def _walk(self, prefix: Bindings = ()) -> Iterator[Candidate]:
        if not prefix:
            for binding in self.path[0].values:
                yield from self._walk((binding,))
            return
        if len(prefix) == len(self.path):
            yield Candidate(prefix)
            return
        domain = self.domains.get((self.path[len(prefix)].element, prefix))
        if domain is None:
            yield Candidate(prefix, discover=True)
        elif not domain[0]:
            yield Candidate(prefix)
        else:
            for value in domain[0]:
                yield from self._walk((*prefix, value))

    def _below(self, prefix: Bindings) -> Iterator[Candidate]:
        """Candidates that begin with `prefix`: the pairs known, or the question for them."""
        alone = (*self.fixed, *prefix)
        if len(prefix) == len(self.path):
            yield Candidate(alone)
            return
        domain = self.domains.get((self.path[len(prefix)].element, prefix))
        may_open = self.opens if domain is None else domain[1] or not domain[0]
        answer = self.asked.answer(alone)
        if may_open and answer is not None and answer.verdict in REFUSALS:
            self.closed.add(len(prefix))
        if may_open and (len(prefix) not in self.closed or domain == ((), True)):
            yield Candidate(alone)
            if answer is None or not answer.part:
                return
        if domain is None:
            yield Candidate(alone, discover=True)
            return
        for value in domain[0]:
            yield from self._below((*prefix, value))


@dataclass
class Variation:
    """Answers asked again with another choice of an element whose preset restricts."""

    axis: Axis
    answers: list[Answer]
    turn: int = TASK
    listed: bool = True

    @property
    def key(self) -> Key:
        """One arm for the element, whatever it is varied with."""
        return self.axis.elements, "vary"

    @property
    def size(self) -> int:
        """Number of choices."""
        return len(self.axis.choices)

    def head(self, skip: Skip) -> Candidate | None:
        """The first answer, with results before those without, that was not varied yet."""
        bound = set(self.axis.elements)
        usable = [a for a in self.answers if not bound & set(a.template) and a.bindings]
        for answer in sorted(usable, key=lambda a: not a.verdict.is_success):
            if not answer.verdict.is_valid:
                continue
            for choice in self.axis.choices:
                bindings = (*answer.bindings, *choice.bindings)
                if not skip(bindings):
                    return Candidate(bindings)
        return None


Source = Template | Chain | Variation
