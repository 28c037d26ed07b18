"""Harvested records: one row for a distinct item of a site, with the submissions that found it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.response.detail import completed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.repository.database import Database
    from hiwe.response.response import Record


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it is exported. `id` and `found_by` are the same in every run that finds it."""

    id: str
    site: str
    fields: tuple[tuple[str, str], ...]
    url: str | None
    found_by: tuple[str, ...]
    warc: str
    first_seen: float
    last_seen: float
    gone_at: float | None


@dataclass(frozen=True, slots=True)
class Revision:
    """What seeing a record once more told: it is new, or these fields were so and are so now."""

    new: bool
    before: dict[str, str]
    after: dict[str, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer's records, its pages, the requests they took beside that of the form's page.

    `is_whole`: it was read to its end.
    """

    id: int
    form: int
    transport: str
    pages: int
    requests: int
    is_whole: int
    records: frozenset[int]


_encode = json.JSONEncoder(ensure_ascii=False).encode  # made once: it is called for each record


class Records:
    """The records of a run."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, record: Record, *, site: str, submission: int, at: float, warc: str = "") -> bool:
        """Keep a record and who found it; return whether it is new to the site.

        One found again keeps its first fields, and takes over the names that were missing. With
        the finder is kept whether it shows the record as it is kept: two forms may well write the
        same thing differently.
        """
        return self.add_all([(record, warc)], site=site, submission=submission, at=at) == 1

    def add_all(
        self, found: Sequence[tuple[Record, str]], *, site: str, submission: int, at: float
    ) -> int:
        """Keep an answer's records, of distinct keys, each with where it lies in the archive.

        What `add` does with each, in a few statements for all. Return how many are new.
        """
        known = self._known(site, [record.key for record, _ in found])
        new = [(record, warc) for record, warc in found if record.key not in known]
        with self._db.together():
            self._db.execute_many(
                "INSERT OR IGNORE INTO records"
                " (site, key, fields, url, warc, first_seen, last_seen)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(site, r.key, _text(r.fields), r.url, warc, at, at) for r, warc in new],
            )
            self._db.execute(
                "INSERT OR IGNORE INTO record_finders (record, submission, agrees)"
                " SELECT id, ?, 1 FROM records"
                " WHERE site = ? AND key IN (SELECT value FROM json_each(?))",
                (submission, site, _text(record.key for record, _ in new)),
            )
            again = [(*known[r.key], r) for r, _ in found if r.key in known]
            self._find_again(again, submission, at)
        return len(new)

    def _known(self, site: str, keys: list[str]) -> dict[str, tuple[int, str]]:
        """Id and fields of the records that are known, by key."""
        rows = self._db.rows(
            "SELECT key, id, fields FROM records"
            " WHERE site = ? AND key IN (SELECT value FROM json_each(?))",
            (site, _text(keys)),
        )
        return {row["key"]: (row["id"], row["fields"]) for row in rows}

    def _find_again(self, again: list[tuple[int, str, Record]], submission: int, at: float) -> None:
        """Note that known records (id, fields, as shown now) were found by a submission."""
        finders, seen = [], []
        for row, fields, record in again:
            same = fields == _text(record.fields)
            agrees = same or self._agrees(row, fields, record, submission)
            finders.append((row, submission, int(agrees)))
            seen.append((at, fields if same else _whole(fields, record), record.url, row))
        self._db.execute_many(
            "UPDATE records SET last_seen = ?, gone_at = NULL, fields = ?, url = coalesce(url, ?)"
            " WHERE id = ?",
            seen,
        )
        self._db.execute_many(
            "INSERT OR IGNORE INTO record_finders (record, submission, agrees) VALUES (?, ?, ?)",
            finders,
        )

    def _agrees(self, record_id: int, fields: str, record: Record, submission: int) -> bool:
        """Whether a finder shows a record as it is kept; its form always does if it did before."""
        kept, shown = _by_name(json.loads(fields)), _by_name(record.fields)
        common = kept.keys() & shown.keys()
        if 2 * len(common) >= len(kept) and all(
            _plain(kept[name]) == _plain(shown[name]) for name in common
        ):
            return True
        return self._shown_by_form(record_id, submission)

    def _shown_by_form(self, record_id: int, submission: int) -> bool:
        """Whether the form of a submission showed a record as it is kept."""
        return bool(
            self._db.value(
                "SELECT count(*) FROM record_finders f JOIN submissions s ON s.id = f.submission"
                " WHERE f.record = ? AND f.agrees = 1 AND s.form ="
                " (SELECT form FROM submissions WHERE id = ?)",
                (record_id, submission),
            )
        )

    def revise(
        self, record: Record, *, site: str, submission: int, at: float, warc: str = ""
    ) -> Revision:
        """Keep a record that a revisit saw; fields that differ from before get their new values.

        Compared is what a form shows that showed the record as it is kept.
        """
        with self._db.atomic():
            known = self._db.row(
                "SELECT id, fields, gone_at FROM records WHERE site = ? AND key = ?",
                (site, record.key),
            )
            comparable = known is not None and self._shown_by_form(known["id"], submission)
            new = self.add(record, site=site, submission=submission, at=at, warc=warc)
            if known is None or new:
                return Revision(new, {}, dict(record.fields))
            if known["gone_at"] is not None:
                return Revision(True, {}, dict(record.fields))
            if not comparable:
                return Revision(False, {}, {})
            return self._take_over(known["id"], json.loads(known["fields"]), record)

    def _take_over(self, row: int, kept: list[list[str]], record: Record) -> Revision:
        """Replace the values that differ; fields of one name are compared in their order."""
        now, was = _by_name(record.fields), _by_name(kept)
        differ = {n for n in now if n in was and _plain(now[n]) != _plain(was[n])}
        if not differ:
            return Revision(False, {}, {})
        order = list(dict.fromkeys(name for name, _ in kept))
        fields = [(n, v) for n in order for v in (now[n] if n in differ else was[n])]
        self._db.execute("UPDATE records SET fields = ? WHERE id = ?", (_text(fields), row))
        return Revision(
            False,
            {name: "; ".join(was[name]) for name in sorted(differ)},
            {name: "; ".join(now[name]) for name in sorted(differ)},
        )

    def add_fields(self, site: str, key: str, fields: Sequence[tuple[str, str]]) -> int:
        """Add what the record's own page says of it; return how many fields are new.

        Of a record that another shard holds it is kept apart, until the runs are merged.
        """
        row = self._db.row("SELECT id, fields FROM records WHERE site = ? AND key = ?", (site, key))
        if row is None:
            self._db.execute(
                "INSERT OR REPLACE INTO apart VALUES (?, ?, ?)", (site, key, _text(fields))
            )
            return 0
        known = tuple((name, value) for name, value in json.loads(row["fields"]))
        whole = completed(known, fields)
        self._db.execute("UPDATE records SET fields = ? WHERE id = ?", (_text(whole), row["id"]))
        return len(whole) - len(known)

    def count(self, *, site: str | None = None, form: int | None = None) -> int:
        """Return how many distinct records were found, by a site or by a form's submissions."""
        if form is not None:
            return int(
                self._db.value(
                    "SELECT count(DISTINCT record) FROM record_finders JOIN submissions s"
                    " ON s.id = submission WHERE s.form = ?",
                    (form,),
                )
            )
        return int(
            self._db.value(
                "SELECT count(*) FROM records WHERE :site IS NULL OR site = :site", {"site": site}
            )
        )

    def shown(self) -> Iterator[Shown]:
        """Yield the answers that showed records, with those they show as they are kept."""
        for row in self._db.each(
            "SELECT s.id, s.form, s.transport, s.result_pages AS pages,"
            " json_array_length(s.archived) - s.result_pages AS requests,"
            " truncated = 0 AS is_whole,"
            " json_group_array(f.record) AS records FROM record_finders f"
            " JOIN submissions s ON s.id = f.submission WHERE f.agrees = 1 AND s.probe = 0"
            " GROUP BY s.id"
        ):
            columns: dict[str, Any] = dict(row)
            yield Shown(**columns | {"records": frozenset(json.loads(row["records"]))})

    def finds(self, *, form: int | None = None, site: str | None = None) -> dict[int, int]:
        """Return times found -> number of records: what estimates of the total start from.

        Counted over the submissions of one form, or of a site, or of the run.
        """
        rows = self._db.rows(
            "SELECT times, count(*) AS records FROM (SELECT count(*) AS times FROM record_finders"
            " JOIN submissions s ON s.id = submission WHERE (:form IS NULL OR s.form = :form)"
            " AND (:site IS NULL OR s.site = :site) GROUP BY record) GROUP BY times",
            {"form": form, "site": site},
        )
        return {row["times"]: row["records"] for row in rows}

    def mark_gone(self, site: str, *, not_seen_since: float, at: float) -> int:
        """Mark the records of a site that were not seen since then; return how many."""
        return self._db.execute(
            "UPDATE records SET gone_at = ? WHERE site = ? AND last_seen < ? AND gone_at IS NULL",
            (at, site, not_seen_since),
        )

    def each(self) -> Iterator[StoredRecord]:
        """Yield all records, ordered by site and key: the same order in every run."""
        for row in self._db.each(
            "SELECT r.*, (SELECT json_group_array(s.key) FROM record_finders f JOIN submissions s"
            " ON s.id = f.submission WHERE f.record = r.id) AS finders"
            " FROM records r ORDER BY site, key"
        ):
            yield StoredRecord(
                id=record_id(row["site"], row["key"]),
                site=row["site"],
                fields=tuple((name, value) for name, value in json.loads(row["fields"])),
                url=row["url"],
                found_by=tuple(sorted(json.loads(row["finders"]))),
                warc=row["warc"],
                first_seen=row["first_seen"],
                last_seen=row["last_seen"],
                gone_at=row["gone_at"],
            )


def record_id(site: str, key: str) -> str:
    """Return the id of a record, 16 hex digits: it depends on the site and the item alone."""
    return hashlib.sha256(f"{site}\n{key}".encode("utf-8", "replace")).hexdigest()[:16]


def _by_name(fields: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    """Return name -> its values, in their order."""
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


def _plain(values: list[str]) -> list[str]:
    """Values as they are compared: case and spaces do not count."""
    return [" ".join(value.split()).casefold() for value in values]


def _whole(fields: str, record: Record) -> str:
    """The fields as kept, with those of the record whose names were missing."""
    kept = json.loads(fields)
    names = {name for name, _ in kept}
    added = [pair for pair in record.fields if pair[0] not in names]
    return _text((*kept, *added)) if added else fields


def _text(items: Iterable[Any]) -> str:
    return _encode(list(items))
