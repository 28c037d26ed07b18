"""Front queues of the frontier: which of a host's actions comes next."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hiwe.crawl.action import Priority

if TYPE_CHECKING:
    from hiwe.repository.database import Database, Row

WAKE_AT_ONCE = 100  # waiting actions looked at in one claim
BIAS = 0.9  # chance to stay with a front queue rather than go on to the next that holds something


class WaitingRoom:
    """Open actions that wait for their time; looked for when one may be due, not before."""

    def __init__(self, db: Database) -> None:
        """Who waits is not known yet."""
        self._db = db
        self._due = 0.0

    def expect(self, when: float) -> None:
        """Note that an action waits until then."""
        self._due = min(self._due, when)

    def wake(self, now: float) -> None:
        """Let those whose time has come be claimed."""
        if now < self._due:
            return
        self._db.execute(
            "UPDATE actions SET not_before = 0 WHERE id IN (SELECT id FROM actions"
            " WHERE state = 'open' AND not_before > 0 AND not_before <= ? LIMIT ?)",
            (now, WAKE_AT_ONCE),
        )
        self._due = self._db.value(
            "SELECT coalesce(min(not_before), 1e99) FROM actions"
            " WHERE state = 'open' AND not_before > 0"
        )


class FrontQueues:
    """The open actions of a host by priority; within one queue by score, then first come."""

    def __init__(self, db: Database, seed: int) -> None:
        self._db = db
        self._seed = seed

    def choose(self, host: int) -> int:
        """Return the action to claim: from the first front queue of the host, now and then later.

        Robots are never passed over. Chance depends on what the queues hold and on nothing else,
        so that a run that was killed goes on as it would have gone on.
        """
        chosen = self._head(host, -1)
        if chosen is None:
            raise LookupError(f"host {host} is ready but has no open action")
        while chosen["priority"] != Priority.ROBOTS:
            later = self._head(host, chosen["priority"])
            if later is None or self._chance(chosen["id"], later["id"]) < BIAS:
                break
            chosen = later
        return int(chosen["id"])

    def _head(self, host: int, after: int) -> Row | None:
        """Return the first action of the host's next front queue after the one given."""
        return self._db.row(
            "SELECT id, priority FROM actions WHERE host = ? AND state = 'open'"
            " AND not_before = 0 AND priority > ? ORDER BY priority, score, id LIMIT 1",
            (host, after),
        )

    def _chance(self, *state: int) -> float:
        """Return a number from 0 to 1 by chance, the same for the same seed and state."""
        text = repr((self._seed, state)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest()) / 2**32
