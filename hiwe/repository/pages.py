"""Pages that were fetched: what they were, and where they lie in the archive."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.repository.database import Database, Row


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One fetch of a page. `purpose` is visit, result or detail.

    `warc` is the reference of the rendered snapshot, `archived` those of all its records.
    """

    site: str
    url: str
    purpose: str
    status: int
    fetched_at: float
    action: int | None = None
    content_type: str = ""
    title: str = ""
    language: str = ""
    digest: str = ""
    etag: str = ""
    last_modified: str = ""
    depth: int = 0
    links: int = 0
    duration_s: float = 0.0
    warc: str = ""
    archived: tuple[str, ...] = ()
    id: int = 0


COLUMNS = [f.name for f in fields(StoredPage) if f.name not in ("id", "archived")]
INSERT = f"INSERT INTO pages ({', '.join(COLUMNS)}, archived) VALUES ({'?, ' * len(COLUMNS)}?)"


class Pages:
    """The pages of a run."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, page: StoredPage) -> int:
        """Keep a page; return its id."""
        kept = [getattr(page, name) for name in COLUMNS]
        return self._db.insert(INSERT, [*kept, json.dumps(page.archived)])

    def latest(self, url: str) -> StoredPage | None:
        """Return the last fetch of an address, None if there was none."""
        row = self._db.row("SELECT * FROM pages WHERE url = ? ORDER BY id DESC LIMIT 1", (url,))
        return None if row is None else _stored(row)

    def same_content(self, site: str, digest: str) -> StoredPage | None:
        """Return the first visited page of a site with this digest: the same elsewhere."""
        row = self._db.row(
            "SELECT * FROM pages WHERE site = ? AND digest = ? AND purpose = 'visit'"
            " AND status = 200 ORDER BY id LIMIT 1",
            (site, digest),
        )
        return None if row is None else _stored(row)

    def count(self, site: str, purpose: str = "visit", *, since: float = 0.0) -> int:
        """Return how many pages of a site were fetched for a purpose, from a time on."""
        return int(
            self._db.value(
                "SELECT count(*) FROM pages WHERE site = ? AND purpose = ? AND fetched_at >= ?",
                (site, purpose, since),
            )
        )

    def each(self) -> Iterator[StoredPage]:
        """Yield all pages, oldest first."""
        for row in self._db.each("SELECT * FROM pages ORDER BY id"):
            yield _stored(row)


def _stored(row: Row) -> StoredPage:
    columns: dict[str, Any] = dict(row)
    return StoredPage(**columns | {"archived": tuple(json.loads(columns["archived"]))})
