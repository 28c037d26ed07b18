"""Near duplicates: pages of a site that say the same under several addresses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hiwe.page.sketch import Sketch, resemblance

if TYPE_CHECKING:
    from hiwe.repository.database import Database

NEAR = 0.9  # resemblance of two pages that are one
SAME = 0.95  # resemblance of a page with itself, a clock or a counter apart
KEYS = 8  # least hashes by which pages are looked up: near duplicates share most of them
LEAST_HASHES = 8  # shorter texts say too little to be compared
MOST_CANDIDATES = 50


class Sketches:
    """The sketches of a run's pages."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, site: str, url: str, sketch: Sketch) -> str | None:
        """Keep a page's sketch; return the address of an earlier page that says the same, or None.

        A near duplicate is not kept: the first page stands for all.
        """
        if len(sketch) < LEAST_HASHES:
            return None
        twin = self.find(site, sketch)
        if twin is None:
            page = self._db.insert(
                "INSERT INTO sketches (site, url, hashes) VALUES (?, ?, ?)",
                (site, url, json.dumps(sketch)),
            )
            self._db.execute_many(
                "INSERT INTO sketch_keys VALUES (?, ?)", [(key, page) for key in sketch[:KEYS]]
            )
        return None if twin == url else twin

    def renew(self, site: str, url: str, sketch: Sketch) -> bool:
        """Forget a page's older sketch if the page says other things now; return whether it does.

        True for a page of which none was kept.
        """
        rows = self._db.rows(
            "SELECT id, hashes FROM sketches WHERE site = ? AND url = ?", (site, url)
        )
        if any(resemblance(tuple(json.loads(row["hashes"])), sketch) >= SAME for row in rows):
            return False
        for row in rows:
            self._db.execute("DELETE FROM sketch_keys WHERE page = ?", (row["id"],))
            self._db.execute("DELETE FROM sketches WHERE id = ?", (row["id"],))
        return True

    def any_below(self, site: str, directory: str) -> bool:
        """Return whether a page in a directory below this one said something of its own."""
        return bool(
            self._db.value(
                "SELECT count(*) FROM sketches WHERE site = :site AND substr(url, 1, :length) ="
                " :directory AND instr(substr(url, :length + 1), '/')",
                {"site": site, "directory": directory, "length": len(directory)},
            )
        )

    def resemblance(self, site: str, url: str, sketch: Sketch) -> float:
        """Return how much a page with this sketch resembles the one kept for an address, 0 to 1."""
        rows = self._db.rows("SELECT hashes FROM sketches WHERE site = ? AND url = ?", (site, url))
        return max((resemblance(tuple(json.loads(r["hashes"])), sketch) for r in rows), default=0.0)

    def find(self, site: str, sketch: Sketch) -> str | None:
        """Return the page of a site that resembles a sketch most, None if none is near."""
        marks = ", ".join("?" * min(KEYS, len(sketch)))
        rows = self._db.rows(
            "SELECT url, hashes FROM sketches WHERE site = ? AND id IN"
            f" (SELECT page FROM sketch_keys WHERE key IN ({marks}) GROUP BY page"
            f" ORDER BY count(*) DESC LIMIT {MOST_CANDIDATES})",
            (site, *sketch[:KEYS]),
        )
        best, best_url = NEAR, None
        for row in rows:
            near = resemblance(tuple(json.loads(row["hashes"])), sketch)
            if near >= best:
                best, best_url = near, str(row["url"])
        return best_url
