"""What the answers so far tell of answers not asked for: queries, and which are contained in which.

A query asks for the records that satisfy all it binds (the *conjunction test* of `Harvest`
checks that). So whatever narrows a query whose answer was complete brings nothing new; and
what narrows one without results has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.form.form import Element, Form
    from hiwe.submission.assignment import Binding
    from hiwe.submission.outcome import Outcome
    from hiwe.submission.ranges import Range

Part = tuple[int, tuple[str, ...]]  # an element and its values
Span = tuple[int, float, float]  # a range (by its first element), from, to
MOST_SUBSETS = 10  # parts of a query beyond which only subsets of one or two are looked up
MOST_REMEMBERED = 50_000  # queries that a reader keeps, as it is asked for the same again and again


@dataclass(frozen=True, slots=True)
class Query:
    """What an assignment really asks for, presets that restrict included."""

    parts: frozenset[Part]
    spans: tuple[Span, ...] = ()

    def narrows(self, other: Query) -> bool:
        """Whether every record of this query is one of `other`."""
        return other.parts <= self.parts and _within(self.spans, other.spans)


@dataclass(frozen=True, slots=True)
class Answer:
    """An outcome with its query; `axes` are the axes that were bound."""

    query: Query
    bindings: tuple[Binding, ...]
    verdict: Verdict
    records: frozenset[str]
    part: bool
    total: int | None
    template: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads assignments of one form as queries."""

    form: Form
    ranges: tuple[Range, ...]
    presets: tuple[Part, ...]  # what untouched elements ask for
    _read: dict[tuple[Binding, ...], Query] = field(default_factory=dict, compare=False, repr=False)

    def query(self, bindings: tuple[Binding, ...]) -> Query:
        """The query of an assignment; two assignments with one query are the same submission."""
        found = self._read.get(bindings)
        if found is None:
            if len(self._read) >= MOST_REMEMBERED:
                self._read.clear()
            found = self._read[bindings] = self._query(bindings)
        return found

    def _query(self, bindings: tuple[Binding, ...]) -> Query:
        spans: list[Span] = []
        spanned: set[int] = set()
        for pair in self.ranges:
            span = pair.span(bindings)
            if span is None:
                continue
            spanned |= {pair.start, pair.end}
            if span != (float("-inf"), float("inf")):
                spans.append((pair.start, *span))
        values: dict[int, list[str]] = {}
        for binding in bindings:
            if binding.element not in spanned:
                values.setdefault(binding.element, []).append(_written(binding))
        parts = {(element, tuple(sorted(texts))) for element, texts in values.items()}
        parts |= {part for part in self.presets if part[0] not in values}
        return Query(frozenset(parts), tuple(spans))


def preset_of(position: int, element: Element) -> Part:
    """What an element that is left alone asks for."""
    for place, option in enumerate(element.options):
        if option.value == element.default:
            return position, (f"#{place} {fold(option.label)}",)
    return position, (" ".join(fold(element.default).split()),)


def _written(binding: Binding) -> str:
    text = " ".join(fold(binding.value).split())
    return text if binding.option is None else f"#{binding.option} {text}"


def _within(spans: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    mine = {element: (low, high) for element, low, high in spans}
    for element, low, high in others:
        if element not in mine or mine[element][0] < low or mine[element][1] > high:
            return False
    return True


@dataclass
class Known:
    """Which queries were answered, and which need not be asked."""

    answers: dict[Query, Answer] = field(default_factory=dict)
    _complete: dict[frozenset[Part], list[tuple[Span, ...]]] = field(default_factory=dict)
    _sizes: set[int] = field(default_factory=set)  # numbers of parts of the complete queries
    _accepted: set[tuple[int, ...]] = field(default_factory=set)
    _empty: dict[tuple[int, ...], list[Query]] = field(default_factory=dict)

    def add(self, answer: Answer) -> None:
        """Take an answer in. 'Nothing found' counts once the same template has found something.

        Before that it may mean that the site wants another element filled.
        """
        self.answers[answer.query] = answer
        if answer.verdict is Verdict.RESULTS:
            self._accepted.add(answer.template)
            for query in self._empty.pop(answer.template, ()):
                self.complete(query)
            if not answer.part:
                self.complete(answer.query)
        elif answer.verdict is Verdict.NO_RESULTS:
            if answer.template in self._accepted:
                self.complete(answer.query)
            else:
                self._empty.setdefault(answer.template, []).append(answer.query)

    def complete(self, query: Query) -> None:
        """Note that all records of a query are known."""
        self._sizes.add(len(query.parts))
        spans = self._complete.setdefault(query.parts, [])
        if not any(_within(query.spans, known) for known in spans):
            spans.append(query.spans)

    def covers(self, query: Query) -> bool:
        """Whether every record of the query must be known already."""
        for size in self._sizes:
            for parts in _subsets(query.parts, size):
                for spans in self._complete.get(parts, ()):
                    if _within(query.spans, spans):
                        return True
        return False


def _subsets(parts: frozenset[Part], size: int) -> Iterable[frozenset[Part]]:
    if size == len(parts):
        return (parts,)
    if size > len(parts) or (len(parts) > MOST_SUBSETS and size > 2):
        return ()
    return map(frozenset, combinations(parts, size))


def answer_of(outcome: Outcome, reader: Reader) -> Answer:
    """The outcome as an answer to its query."""
    return Answer(
        query=reader.query(outcome.bindings),
        bindings=outcome.bindings,
        verdict=outcome.verdict,
        records=outcome.records,
        part=outcome.is_part,
        total=outcome.total,
        template=outcome.template,
    )
