"""Traps: addresses without end. Exploring stops in them, with a reason a person can read and undo.

What shape an address has tells `shapes.py`. How many of a shape were met, and how many in a row
brought nothing new, is counted in the database, so that a resumed run does not begin anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.address import host_of
from hiwe.crawl.shapes import directories, fault, groups

if TYPE_CHECKING:
    from hiwe.crawl.shapes import Group
    from hiwe.repository.database import Database

# Pages in a row that brought nothing new, by group, after which no more of it is visited.
PATIENCE = {
    "calendar": 1, "sorting": 1, "facets": 1, "views": 3, "shape": 6, "depth": 10,
    "path": 30, "directory": 30,
}  # fmt: skip
STALE, SOFT, SORTING = "stale", "soft_directory", "sorting"
TRAP = "trap"  # why an action is skipped
OPENED = "opened"  # a person says that the shape is no trap: no limit holds any more
MOST_KEPT = 50  # addresses turned away of which it is remembered which, to open them again


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an address is not visited: the shape that is closed or full, the reason, which one."""

    shape: str
    reason: str
    number: int

    @property
    def is_kept(self) -> bool:
        """Whether the address is to be remembered, as one of the first turned away."""
        return self.number <= MOST_KEPT


@dataclass(frozen=True, slots=True)
class ClosedTrap:
    """A shape of which no more is visited, and how many of its addresses were turned away."""

    host: str
    shape: str
    reason: str
    addresses: int
    refused: int


class Traps:
    """The shapes of a run's addresses, counted."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def refusal(self, url: str) -> Refusal | None:
        """Return why an address is not to be visited, None if it is; it then counts.

        To be asked once for each address that is new to the frontier. The reason is that of
        `fault`, or of the shape that is full or was closed.
        """
        host, wrong = host_of(url), fault(url)
        if wrong is not None and self._closed(host, f"({wrong})") != OPENED:
            return self.refuse(url, f"({wrong})", wrong)
        belongs = groups(url)
        for shape in directories(url):
            if self._closed(host, shape) == SOFT:
                return self.refuse(url, shape, SOFT)
        for group in belongs:
            reason = self._full(host, group)
            if reason:
                return self.refuse(url, group.shape, reason)
        for group in belongs:
            self._db.execute(
                "INSERT INTO shapes (host, shape, addresses) VALUES (?, ?, 1)"
                " ON CONFLICT DO UPDATE SET addresses = addresses + 1",
                (host, group.shape),
            )
        return None

    def refuse(self, url: str, shape: str, reason: str) -> Refusal:
        """Turn an address away and count it."""
        number = self._db.value(
            "INSERT INTO shapes (host, shape, closed, refused) VALUES (?, ?, ?, 1) ON CONFLICT"
            " DO UPDATE SET closed = iif(closed = '', excluded.closed, closed),"
            " refused = refused + 1 RETURNING refused",
            (host_of(url), shape, reason),
        )
        return Refusal(shape, reason, int(number))

    def refuse_order(self, url: str) -> Refusal | None:
        """Turn away another order of a list that is known, unless a person wants it."""
        shape = next(group.shape for group in groups(url) if group.reason == SORTING)
        if self._closed(host_of(url), shape) == OPENED:
            return None
        return self.refuse(url, shape, SORTING)

    def _closed(self, host: str, shape: str) -> str:
        """Why a shape is closed, '' if it is not, OPENED if a person said that it never is."""
        return str(
            self._db.value("SELECT closed FROM shapes WHERE host = ? AND shape = ?", (host, shape))
            or ""
        )

    def _full(self, host: str, group: Group) -> str | None:
        row = self._db.row(
            "SELECT addresses, closed FROM shapes WHERE host = ? AND shape = ?", (host, group.shape)
        )
        if row is None or row["closed"] == OPENED:
            return None
        if row["closed"]:
            return str(row["closed"])
        return group.reason if row["addresses"] >= group.limit else None

    def observe(self, url: str, *, fresh: bool) -> str | None:
        """Note whether a visited page brought anything new: a form, or a text unlike the others.

        Return 'stale' if that closes its shape: too many pages in a row brought nothing. Links do
        not count as new: a trap has always more of them.
        """
        host, closed = host_of(url), 0
        for group in groups(url):
            self._db.execute(
                "UPDATE shapes SET stale = iif(?, 0, stale + 1) WHERE host = ? AND shape = ?",
                (fresh, host, group.shape),
            )
            closed += self._db.execute(
                "UPDATE shapes SET closed = ? WHERE host = ? AND shape = ? AND stale >= ?"
                " AND closed NOT IN (?, ?)",
                (STALE, host, group.shape, PATIENCE[group.reason], STALE, OPENED),
            )
        return STALE if closed else None

    def close(self, url: str, shape: str, reason: str) -> None:
        """Close a shape of the host of `url`, unless a person opened it."""
        self._db.execute(
            "INSERT INTO shapes (host, shape, closed) VALUES (?, ?, ?) ON CONFLICT"
            " DO UPDATE SET closed = excluded.closed WHERE closed <> ?",
            (host_of(url), shape, reason, OPENED),
        )

    def is_closed(self, url: str) -> str | None:
        """Return why the shape of an address was closed since it was admitted, None if not.

        To be asked before a visit: what was added while the shape was open is skipped.
        """
        host = host_of(url)
        for shape in [group.shape for group in groups(url)] + directories(url):
            closed = self._closed(host, shape)
            if closed in (STALE, SOFT):
                return closed
        return None

    def closed(self) -> list[ClosedTrap]:
        """Return the traps that were closed, those that turned most away first."""
        rows = self._db.rows(
            "SELECT host, shape, closed, addresses, refused FROM shapes"
            " WHERE closed NOT IN ('', ?) ORDER BY refused DESC, host, shape",
            (OPENED,),
        )
        return [ClosedTrap(*row) for row in rows]

    def reopen(self, host: str, shape: str) -> bool:
        """Let a shape be visited without limit: a person says that it is no trap; if it was one."""
        changed = self._db.execute(
            "UPDATE shapes SET closed = ?, addresses = 0, stale = 0"
            " WHERE host = ? AND shape = ? AND closed NOT IN ('', ?)",
            (OPENED, host, shape, OPENED),
        )
        return bool(changed)
