"""The LVS table: rows (label, fuzzy value set), matched, asked for values, and learning.

Pure but for `load`: the same table gives the same answers in a crawl, a test and the benchmark.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.lvs import experience, snapshot, weights
from hiwe.lvs.builtin import builtin_row
from hiwe.lvs.load import dump_rows, load_rows
from hiwe.lvs.match import LabelMatch, label_match
from hiwe.lvs.row_table import RowTable
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import FuzzyValueSet
from hiwe.lvs.values_for import value_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.value import WeightChange, WeightedValue


class LvsTable(RowTable):
    """The task's labels and fuzzy value sets."""

    @classmethod
    def load(
        cls,
        paths: Iterable[str | Path],
        builtin: Sequence[str] = (),
        language: str | None = None,
    ) -> LvsTable:
        """Table of YAML files and built-in categories ('months', 'subdivisions:IT'...).

        ConfigError names the file and key path of what is wrong.
        """
        rows = [row for path in paths for row in load_rows(Path(path))]
        return cls([*rows, *(builtin_row(name, language) for name in builtin)], language=language)

    def match(
        self, element: ElementView, *, sigma: float = 0.75, generic: bool = True
    ) -> LabelMatch:
        """The row that the element belongs to; see `match.label_match`."""
        return label_match(self, element, sigma=sigma, generic=generic)

    def value_set(self, element: ElementView, match: LabelMatch) -> tuple[WeightedValue, ...]:
        """What may be put into the element, best first; see `values_for.value_set`."""
        return value_set(self, element, match)

    def reward(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        succeeded: bool,
        cause: str,
        generic: bool = False,
    ) -> tuple[WeightChange, ...]:
        """Count a submission for the (row label, value) pairs it carried; the weights that moved.

        `generic` says that the values went into a box for anything: the rows learn how they do.
        """
        listed = list(pairs)
        named = {label: row for label, _ in listed if (row := self.row(label)) is not None}
        for row in named.values() if generic else ():
            row.generic_successes += succeeded
            row.generic_failures += not succeeded
        return weights.reward(named, listed, succeeded=succeeded, cause=cause)

    def learn(self, element: ElementView, match: LabelMatch) -> tuple[WeightChange, ...]:
        """Crawling experience from an element with a finite domain; the weights that moved."""
        return experience.learn(self, element, match)

    def export(self) -> str:
        """The table as YAML that `load` reads back to the same table."""
        return dump_rows(self._rows)

    def state(self) -> list[dict[str, Any]]:
        """All rows, values, weights and records as plain data, for the run's database."""
        return snapshot.state(self._rows)

    def restore(self, state: Iterable[dict[str, Any]]) -> None:
        """Put back what `state` gave, adding rows that the table lacks.

        What a person had added and has taken out since stays out.
        """
        for row in snapshot.rows(state):
            known = self.row(row.label)
            if known is None:
                if row.provenance is not Provenance.PERSON:
                    self.add_row(replace(row, values=_without_person(row.values)))
                continue
            known.generic_successes = row.generic_successes
            known.generic_failures = row.generic_failures
            for record in row.values.records():
                if record.provenance is not Provenance.PERSON or record.value in known.values:
                    known.values.put(record)


def _without_person(values: FuzzyValueSet) -> FuzzyValueSet:
    kept = FuzzyValueSet()
    for record in values.records():
        if record.provenance is not Provenance.PERSON:
            kept.put(record)
    return kept
