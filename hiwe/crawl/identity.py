"""Identity of actions: what makes two of them one, with session ids left out as they are found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hiwe.address import host_of
from hiwe.crawl.action import NewAction

if TYPE_CHECKING:
    from hiwe.repository.database import Database, Row


class Identities:
    """Gives actions their identity; knows each host's session parameters."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._session_names: dict[str, frozenset[str]] = {}

    def key(self, action: NewAction) -> str:
        """Return the identity of an action, session ids known by evidence left out."""
        host = host_of(action.url)
        if host not in self._session_names:
            kept = self._db.value("SELECT session_names FROM hosts WHERE key = ?", (host,))
            self._session_names[host] = frozenset(json.loads(kept or "[]"))
        return action.key(self._session_names[host])

    def leave_out(self, host: str, session_names: frozenset[str]) -> int:
        """Compare the visits of a host anew without some parameters; return how many fell together.

        Of those that are one now the first stays; the others, if open, are skipped.
        """
        self._session_names[host] = session_names
        with self._db.together():
            rows = self._db.rows(
                "SELECT a.id, url, fingerprint FROM actions a JOIN hosts h ON h.id = a.host"
                " WHERE h.key = ? AND kind = 'visit' AND method = 'GET' ORDER BY a.id",
                (host,),
            )
            return sum(self._compare_anew(row, session_names) for row in rows)

    def _compare_anew(self, row: Row, session_names: frozenset[str]) -> bool:
        """Give a visit its new identity; return whether another one has it already."""
        key = NewAction("visit", "", row["url"]).key(session_names)
        if key == row["fingerprint"]:
            return False
        if self._db.value("SELECT count(*) FROM actions WHERE fingerprint = ?", (key,)):
            self._db.execute(
                "UPDATE actions SET state = 'skipped', reason = 'duplicate'"
                " WHERE id = ? AND state = 'open'",
                (row["id"],),
            )
            return True
        self._db.execute("UPDATE actions SET fingerprint = ? WHERE id = ?", (key, row["id"]))
        return False
