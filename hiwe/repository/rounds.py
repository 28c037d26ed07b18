"""Rounds: each revisit of a finished run, the answers it asked for again and what had changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.repository.database import Database

NEW, CHANGED, GONE = "new", "changed", "gone"
RECORD, PAGE = "record", "page"


@dataclass(frozen=True, slots=True)
class Round:
    """A revisit. `number` counts from 1; `ended_at` is None while it goes on."""

    number: int
    began_at: float
    ended_at: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a revisit found: a record or page (`what`) that is new, changed or gone (`kind`).

    `ref` is the record's key or the page's address; `before` and `after` are its fields that
    differ.
    """

    round: int
    at: float
    site: str
    what: str
    kind: str
    ref: str
    form: int | None
    before: dict[str, str]
    after: dict[str, str]


class Rounds:
    """The revisits of a run."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self) -> Round | None:
        """The revisit that has not ended, None without one."""
        last = self.last()
        return None if last is None or last.ended_at is not None else last

    def last(self) -> Round | None:
        """The latest revisit, None when there was none."""
        row = self._db.row("SELECT * FROM rounds ORDER BY number DESC LIMIT 1")
        return None if row is None else Round(**dict(row))

    def begin(self, at: float) -> Round:
        """Note that a revisit begins."""
        number = self._db.insert("INSERT INTO rounds (began_at) VALUES (?)", (at,))
        return Round(number, at, None)

    def end(self, number: int, at: float) -> None:
        """Note that a revisit is over."""
        self._db.execute("UPDATE rounds SET ended_at = ? WHERE number = ?", (at, number))

    def add_recheck(
        self, number: int, submission: int, *, at: float, verdict: str, complete: bool, records: int
    ) -> None:
        """Keep that an answer was asked for again; `complete`: all its pages were read."""
        self._db.execute(
            "INSERT OR REPLACE INTO rechecks VALUES (?, ?, ?, ?, ?, ?)",
            (number, submission, at, verdict, int(complete), records),
        )

    def add(self, change: Change) -> None:
        """Keep a change; one of the same thing in the same revisit is replaced."""
        self._db.execute(
            "INSERT OR REPLACE INTO changes (round, at, site, what, kind, ref, form, before, after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (change.round, change.at, change.site, change.what, change.kind, change.ref,
             change.form, _text(change.before), _text(change.after)),
        )  # fmt: skip

    def changes(self, number: int | None = None) -> Iterator[Change]:
        """Yield the changes of a revisit, or of all, oldest first."""
        for row in self._db.each(
            "SELECT round, at, site, what, kind, ref, form, before, after FROM changes"
            " WHERE :round IS NULL OR round = :round ORDER BY id",
            {"round": number},
        ):
            columns: dict[str, Any] = dict(row)
            texts = {name: json.loads(columns[name]) for name in ("before", "after")}
            yield Change(**columns | texts)

    def counts(self, number: int) -> dict[tuple[str, str], int]:
        """How many of each (what, kind) a revisit found."""
        rows = self._db.rows(
            "SELECT what, kind, count(*) AS n FROM changes WHERE round = ? GROUP BY what, kind",
            (number,),
        )
        return {(row["what"], row["kind"]): row["n"] for row in rows}

    def rechecked(self, number: int) -> int:
        """How many answers a revisit has asked for again."""
        return int(self._db.value("SELECT count(*) FROM rechecks WHERE round = ?", (number,)))

    def change_rate(self, form: int) -> float:
        """Share of a form's records that earlier revisits found changed, new or gone; smoothed."""
        changed = self._db.value(
            "SELECT count(*) FROM changes WHERE form = ? AND what = 'record'", (form,)
        )
        seen = self._db.value(
            "SELECT coalesce(sum(r.records), 0) FROM rechecks r JOIN submissions s"
            " ON s.id = r.submission WHERE s.form = ?",
            (form,),
        )
        return float((changed + 1) / (seen + 20))

    def changed_addresses(self) -> set[str]:
        """Addresses of pages that some revisit found changed."""
        rows = self._db.rows(
            "SELECT DISTINCT ref FROM changes WHERE what = 'page' AND kind = 'changed'"
        )
        return {row["ref"] for row in rows}

    def seen_by_form(self, number: int) -> dict[int, int]:
        """Form -> records that the revisit's answers showed."""
        rows = self._db.rows(
            "SELECT s.form, sum(r.records) AS n FROM rechecks r JOIN submissions s"
            " ON s.id = r.submission WHERE r.round = ? GROUP BY s.form",
            (number,),
        )
        return {row["form"]: row["n"] for row in rows}

    def forget_fields(self, number: int, form: int, names: set[str]) -> int:
        """Drop fields that tell nothing from a revisit's changed records; how many fell away."""
        dropped = 0
        for row in self._db.rows(
            "SELECT id, before, after FROM changes WHERE round = ? AND form = ?"
            " AND what = 'record' AND kind = 'changed'",
            (number, form),
        ):
            before, after = (_without(row[column], names) for column in ("before", "after"))
            if after:
                self._db.execute(
                    "UPDATE changes SET before = ?, after = ? WHERE id = ?",
                    (_text(before), _text(after), row["id"]),
                )
            else:
                self._db.execute("DELETE FROM changes WHERE id = ?", (row["id"],))
                dropped += 1
        return dropped

    def mark_gone(self, number: int, *, since: float, at: float) -> int:
        """Mark records gone that answers read to their end should have shown and did not."""
        missing = (
            "gone_at IS NULL AND last_seen < :since AND EXISTS (SELECT 1 FROM record_finders f"
            " JOIN rechecks r ON r.submission = f.submission AND r.round = :round"
            " AND r.complete = 1 WHERE f.record = records.id)"
        )
        about = {"round": number, "since": since, "at": at}
        with self._db.atomic():
            self._db.execute(
                "INSERT OR REPLACE INTO changes (round, at, site, what, kind, ref, form, before,"
                " after) SELECT :round, :at, site, 'record', 'gone', key, (SELECT s.form FROM"
                " record_finders f JOIN submissions s ON s.id = f.submission WHERE f.record ="
                " records.id ORDER BY s.id LIMIT 1), (SELECT json_group_object(json_extract("
                "value, '$[0]'), json_extract(value, '$[1]')) FROM json_each(fields)), '{}'"
                f" FROM records WHERE {missing}",
                about,
            )
            return self._db.execute(f"UPDATE records SET gone_at = :at WHERE {missing}", about)


def _text(fields: Mapping[str, str]) -> str:
    return json.dumps(dict(fields), ensure_ascii=False)


def _without(text: str, names: set[str]) -> dict[str, str]:
    return {name: value for name, value in json.loads(text).items() if name not in names}
