"""A table's state as plain data: what the run's database keeps and a resumed run puts back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import ValueRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def state(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One dict a row; a value is a list in the order of `ValueRecord`'s fields, weight first."""
    return [
        {
            "label": row.label,
            "aliases": list(row.aliases),
            "provenance": row.provenance.value,
            "category": row.category,
            "concept": row.concept,
            "generic": [row.generic_successes, row.generic_failures],
            "values": [
                [r.value, r.weight, r.start, r.provenance.value, r.successes, r.failures]
                for r in row.values.records()
            ],
        }
        for row in rows
    ]


def rows(state: Iterable[dict[str, Any]]) -> Iterable[Row]:
    """The rows that `state` described."""
    for item in state:
        row = Row(
            item["label"],
            tuple(item["aliases"]),
            provenance=Provenance(item["provenance"]),
            category=item["category"],
            concept=item["concept"],
            generic_successes=item["generic"][0],
            generic_failures=item["generic"][1],
        )
        for value, weight, start, provenance, successes, failures in item["values"]:
            row.values.put(
                ValueRecord(value, weight, start, Provenance(provenance), successes, failures)
            )
        yield row
