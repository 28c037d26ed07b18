"""A fuzzy value set: value -> weight in [0, 1], with provenance, successes and failures.

Kept in columns, so that a million values cost little more than their strings and one dict: about
160 bytes a value of 20 characters (`hiwe bench match` measures it).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.lvs.value import Provenance
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROVENANCES = tuple(Provenance)


@dataclass(frozen=True, slots=True)
class ValueRecord:
    """All that the table knows of one value. `start` is the weight it began with."""

    value: str
    weight: float
    start: float
    provenance: Provenance
    successes: float = 0.0
    failures: float = 0.0


class FuzzyValueSet:
    """Values in the order they came, each with its weight and its record."""

    __slots__ = ("_failures", "_folded", "_index", "_provenance", "_start", "_successes", "_weight")

    def __init__(self) -> None:
        """Begin with no values."""
        self._index: dict[str, int] = {}
        self._folded: dict[str, str] | None = None
        self._weight, self._start = array("d"), array("d")
        self._successes, self._failures = array("f"), array("f")
        self._provenance = array("B")

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._index)

    def __iter__(self) -> Iterator[str]:
        """The values, in the order they came."""
        return iter(self._index)

    def __contains__(self, value: object) -> bool:
        """Whether this very value is there; `find` minds neither case nor accents."""
        return value in self._index

    def __repr__(self) -> str:
        """Short: how many values."""
        return f"<FuzzyValueSet {len(self)} values>"

    def add(
        self, value: str, weight: float, provenance: Provenance, *, start: float | None = None
    ) -> None:
        """Add a value, or take the larger weight for one that is there and not fixed.

        A value given explicitly takes over one that was learned.
        """
        if not 0.0 <= weight <= 1.0:
            raise ValueError(f"weight of {value!r} is {weight}; a weight lies in 0..1")
        at = self._index.get(value)
        if at is None:
            self._append(value, weight, weight if start is None else start, provenance)
        elif not _PROVENANCES[self._provenance[at]].is_fixed and provenance.is_fixed:
            self._provenance[at] = _PROVENANCES.index(provenance)
            self._weight[at] = self._start[at] = weight
        elif (
            weight > self._weight[at]
            and provenance.is_fixed is self.record(value).provenance.is_fixed
        ):
            self._weight[at] = self._start[at] = weight

    def _append(self, value: str, weight: float, start: float, provenance: Provenance) -> None:
        self._index[value] = len(self._index)
        self._weight.append(weight)
        self._start.append(start)
        self._successes.append(0.0)
        self._failures.append(0.0)
        self._provenance.append(_PROVENANCES.index(provenance))
        if self._folded is not None:
            self._folded.setdefault(_key(value), value)

    def find(self, text: str) -> str | None:
        """The value that equals `text`, minding neither case, accents nor spaces; None if none."""
        if text in self._index:
            return text
        if self._folded is None:
            self._folded = {}
            for value in self._index:
                self._folded.setdefault(_key(value), value)
        return self._folded.get(_key(text))

    def weight(self, value: str) -> float:
        """Weight of a value that is there (KeyError else)."""
        return self._weight[self._index[value]]

    def provenance(self, value: str) -> Provenance:
        """Provenance of a value that is there (KeyError else)."""
        return _PROVENANCES[self._provenance[self._index[value]]]

    def record(self, value: str) -> ValueRecord:
        """All that is known of a value that is there (KeyError else)."""
        at = self._index[value]
        return ValueRecord(
            value,
            self._weight[at],
            self._start[at],
            _PROVENANCES[self._provenance[at]],
            self._successes[at],
            self._failures[at],
        )

    def records(self) -> Iterator[ValueRecord]:
        """All records, in the order the values came."""
        return (self.record(value) for value in self._index)

    def count(self, value: str, *, successes: float = 0.0, failures: float = 0.0) -> None:
        """Add to the record of a value that is there; its weight is `set_weight`'s matter."""
        at = self._index[value]
        self._successes[at] += successes
        self._failures[at] += failures

    def set_weight(self, value: str, weight: float) -> None:
        """Set the weight of a value whose provenance is not fixed, held to [0, 1]."""
        at = self._index[value]
        if not _PROVENANCES[self._provenance[at]].is_fixed:
            self._weight[at] = min(1.0, max(0.0, weight))

    def put(self, record: ValueRecord) -> None:
        """Put a whole record, replacing one of the same value: for restoring a saved state."""
        if record.value not in self._index:
            self._append(record.value, record.weight, record.start, record.provenance)
        at = self._index[record.value]
        self._weight[at], self._start[at] = record.weight, record.start
        self._successes[at], self._failures[at] = record.successes, record.failures
        self._provenance[at] = _PROVENANCES.index(record.provenance)


def _key(value: str) -> str:
    return " ".join(fold(value).split())
