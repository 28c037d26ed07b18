"""The list of forms: one page of it at a time, chosen and skipped, with what came of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.totals import COUNTED

if TYPE_CHECKING:
    from hiwe.repository.database import Database, Row

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class FormLine:
    """A form in the list. `labels` are those of its first elements."""

    id: int
    site: str
    fingerprint: str
    url: str
    method: str
    action: str
    decision: str
    reason: str
    stopped: str
    labels: tuple[str, ...]
    elements: int
    submissions: int
    success: int
    records: int


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a long list is shown: `page` counts from 1."""

    page: int
    size: int
    total: int

    @classmethod
    def at(cls, page: int, size: int, total: int) -> Paging:
        """Return the paging nearest to a page that was asked for."""
        last = max(1, -(-total // size))
        return cls(min(max(page, 1), last), size, total)

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // self.size))

    @property
    def offset(self) -> int:
        """How many come before."""
        return (self.page - 1) * self.size


@dataclass(frozen=True, slots=True)
class Wish:
    """Which forms are wanted: '' for any. `words` stand in the address or in a label."""

    decision: str = ""
    site: str = ""
    words: str = ""

    @property
    def parameters(self) -> dict[str, str]:
        """The named places of `_WHERE`."""
        return {"decision": self.decision, "site": self.site, "words": _pattern(self.words)}


_WHERE = (
    "WHERE (:decision = '' OR decision = :decision) AND (:site = '' OR site = :site)"
    " AND (:words = '' OR action LIKE :words ESCAPE '\\' OR url LIKE :words ESCAPE '\\'"
    " OR EXISTS (SELECT 1 FROM elements e WHERE e.form = forms.id"
    " AND e.label LIKE :words ESCAPE '\\'))"
)
_COUNTS = (
    "SELECT form, count(*) AS submissions, coalesce(sum(verdict = 'results'), 0) AS success,"
    f" coalesce(sum(new_records), 0) AS records FROM submissions WHERE {COUNTED} AND form IN"
)
LABELS_SHOWN = 6


def read_forms(db: Database, wish: Wish, page: int) -> tuple[list[FormLine], Paging]:
    """Return one page of the forms wanted, chosen ones first, and where it lies in the list."""
    total = int(db.value(f"SELECT count(*) FROM forms {_WHERE}", wish.parameters))
    paging = Paging.at(page, PAGE_SIZE, total)
    rows = db.rows(
        "SELECT id, site, fingerprint, url, method, action, decision, reason, stopped FROM forms"
        f" {_WHERE} ORDER BY decision <> 'chosen', id LIMIT :size OFFSET :offset",
        {**wish.parameters, "size": paging.size, "offset": paging.offset},
    )
    ids = [row["id"] for row in rows]
    labels, counts = _labels(db, ids), _counts(db, ids)
    return [_line(row, labels.get(row["id"], []), counts.get(row["id"])) for row in rows], paging


def reasons(db: Database) -> list[tuple[str, str, int]]:
    """Return (decision, reason, number of forms), the most frequent first."""
    rows = db.rows(
        "SELECT decision, reason, count(*) AS number FROM forms GROUP BY decision, reason"
        " ORDER BY decision <> 'chosen', number DESC, reason"
    )
    return [(row["decision"], row["reason"], row["number"]) for row in rows]


def _line(row: Row, labels: list[str], counts: Row | None) -> FormLine:
    return FormLine(
        **dict(row),
        labels=tuple(labels[:LABELS_SHOWN]),
        elements=len(labels),
        submissions=counts["submissions"] if counts else 0,
        success=counts["success"] if counts else 0,
        records=counts["records"] if counts else 0,
    )


def _labels(db: Database, ids: list[int]) -> dict[int, list[str]]:
    """Return form id -> label of each element, its name in brackets where it has none."""
    found: dict[int, list[str]] = {}
    for row in db.rows(
        f"SELECT form, label, name FROM elements WHERE form IN ({_marks(ids)})"
        " ORDER BY form, position",
        ids,
    ):
        found.setdefault(row["form"], []).append(row["label"] or f"[{row['name']}]")
    return found


def _counts(db: Database, ids: list[int]) -> dict[int, Row]:
    return {row["form"]: row for row in db.rows(f"{_COUNTS} ({_marks(ids)}) GROUP BY form", ids)}


def _marks(values: list[int]) -> str:
    return ", ".join("?" * len(values))


def _pattern(words: str) -> str:
    """Return a LIKE pattern for text that holds the words, '' for none."""
    plain = words.strip()
    for special in "\\%_":
        plain = plain.replace(special, f"\\{special}")
    return f"%{plain}%" if plain else ""
