"""Crawling experience: the state of the LVS table, written value by value as it changes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiwe.repository.database import Database


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a weight M_V(v): what it was, what it became, and why.

    `before` is None for a new value, `after` None for one taken out.
    """

    label: str
    value: str
    before: float | None
    after: float | None
    cause: str
    submission: int | None = None


class Experience:
    """Rows and values of the LVS table as JSON values; their meaning belongs to the table."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def save_rows(self, rows: Mapping[str, Any]) -> None:
        """Keep the data of rows, by label; new ones are put at the end, in the order given."""
        with self._db.atomic():
            self._db.execute_many(
                "INSERT INTO lvs_rows (label, data) VALUES (?, ?)"
                " ON CONFLICT (label) DO UPDATE SET data = excluded.data",
                [(label, json.dumps(data, ensure_ascii=False)) for label, data in rows.items()],
            )

    def save_values(self, values: Iterable[tuple[str, str, Any]]) -> None:
        """Keep the data of values: (label of the row, value, data); the rest stays as it is."""
        with self._db.atomic():
            self._db.execute_many(
                "INSERT INTO lvs_values (label, value, data) VALUES (?, ?, ?)"
                " ON CONFLICT (label, value) DO UPDATE SET data = excluded.data",
                [
                    (label, value, json.dumps(data, ensure_ascii=False))
                    for label, value, data in values
                ],
            )

    def load(self) -> dict[str, tuple[Any, dict[str, Any]]]:
        """Return label -> (data of the row, value -> data), both in the order they came."""
        table: dict[str, tuple[Any, dict[str, Any]]] = {
            row["label"]: (json.loads(row["data"]), {})
            for row in self._db.rows("SELECT label, data FROM lvs_rows ORDER BY id")
        }
        for row in self._db.rows("SELECT label, value, data FROM lvs_values ORDER BY id"):
            table[row["label"]][1][row["value"]] = json.loads(row["data"])
        return table

    def log(self, changes: Iterable[Change], *, at: float) -> None:
        """Keep why weights changed."""
        self._db.execute_many(
            "INSERT INTO lvs_changes (at, label, value, before, after, cause, submission)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(at, c.label, c.value, c.before, c.after, c.cause, c.submission) for c in changes],
        )

    def changes(self, *, label: str | None = None, limit: int = 1000) -> list[Change]:
        """Return the last changes, newest first."""
        rows = self._db.rows(
            "SELECT label, value, before, after, cause, submission FROM lvs_changes"
            " WHERE :label IS NULL OR label = :label ORDER BY id DESC LIMIT :limit",
            {"label": label, "limit": limit},
        )
        return [Change(*row) for row in rows]
