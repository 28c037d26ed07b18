"""How the LVS table grew: values that came in, by provenance, and weights that moved."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiwe.repository.database import Database

UNKNOWN = "unknown"
MOST_ROWS = 20
START = "lvs_start"  # key of the run's value: rows and values of the table it began with
PROVENANCE_AT = 2  # a value's data: weight, start, provenance, successes, failures


@dataclass(frozen=True, slots=True)
class NewValue:
    """A value that came into the table."""

    at: float
    label: str
    provenance: str


@dataclass(frozen=True, slots=True)
class RowGrowth:
    """What happened to one row: values that came in, weights raised and lowered."""

    label: str
    new_values: int
    raised: int
    lowered: int


@dataclass(frozen=True, slots=True)
class Growth:
    """`new_values` stand in the order they came; `rows` are those that changed most.

    `start` counts the values of the table that the run began with by provenance, in `start_rows`
    rows; a run of an older version has not noted it.
    """

    new_values: tuple[NewValue, ...]
    by_provenance: tuple[tuple[str, int], ...]
    rows: tuple[RowGrowth, ...]
    rows_changed: int
    changes: int
    start: tuple[tuple[str, int], ...] = ()
    start_rows: int = 0


def read_growth(db: Database) -> Growth:
    """Return how the table grew over the run, and what it began with."""
    noted = db.value("SELECT value FROM run WHERE key = ?", (START,))
    begun: dict[str, Any] = json.loads(noted) if noted else {"rows": 0, "values": {}}
    provenances = {
        (row["label"], row["value"]): _provenance(json.loads(row["data"]))
        for row in db.each("SELECT label, value, data FROM lvs_values")
    }
    new = tuple(
        NewValue(row["at"], row["label"], provenances.get((row["label"], row["value"]), UNKNOWN))
        for row in db.rows(
            "SELECT at, label, value FROM lvs_changes WHERE before IS NULL ORDER BY id"
        )
    )
    rows = db.rows(
        "SELECT label, sum(before IS NULL) AS new_values, coalesce(sum(after > before), 0) AS"
        " raised, coalesce(sum(after < before), 0) AS lowered FROM lvs_changes GROUP BY label"
        " ORDER BY count(*) DESC, label"
    )
    return Growth(
        new_values=new,
        by_provenance=tuple(Counter(value.provenance for value in new).most_common()),
        rows=tuple(RowGrowth(**dict(row)) for row in rows[:MOST_ROWS]),
        rows_changed=len(rows),
        changes=int(db.value("SELECT count(*) FROM lvs_changes")),
        start=tuple(sorted(begun["values"].items(), key=lambda pair: -pair[1])),
        start_rows=begun["rows"],
    )


def _provenance(data: Any) -> str:
    """Return the provenance in a value's stored data."""
    if isinstance(data, list) and len(data) > PROVENANCE_AT:
        return str(data[PROVENANCE_AT])
    return UNKNOWN
