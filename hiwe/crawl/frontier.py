"""The frontier: what to do next, after Mercator (Heydon and Najork, 1999).

Front queues hold actions by priority, 0 first; one is chosen by chance with a bias towards the
first. Back queues hold the actions of one host each: here every host with open actions has one, so
that no back queue is empty while its host has work. The heap of hosts by the time at which each may
be asked again is an index. A host of which an action is claimed is not offered: one request at a
time. All of it is rows of the database, so a killed run goes on where it was.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from hiwe.address import canonical_url, host_of
from hiwe.crawl.action import ActionRow, NewAction, Priority, action_row
from hiwe.crawl.identity import Identities
from hiwe.crawl.queues import FrontQueues, WaitingRoom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hiwe.repository.database import Database, Row

__all__ = ["ActionRow", "Frontier", "NewAction", "Priority"]

LEASE_S = 600.0  # a claim that was not ended after this long is open again
MAX_ATTEMPTS = 3  # claims of one action, after which it has failed
MAX_CRASHES = 25  # processes that died with one action in hand, after which it has failed

SELECT = (
    "SELECT a.id, h.key AS host, site, kind, method, url, depth, priority, score, state, reason,"
    " attempts, payload, anchor, in_links, parent FROM actions a JOIN hosts h ON h.id = a.host"
)


class Frontier:
    """The actions of a run. One process uses it; times are seconds since 1970, passed in."""

    def __init__(
        self, db: Database, *, seed: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self._db = db
        self._queues = FrontQueues(db, seed)
        self._clock = clock
        self._host_ids: dict[str, int] = {}
        self._identities = Identities(db)
        self._waiting = WaitingRoom(db)

    def add(self, action: NewAction) -> bool:
        """Add an action; return whether it is new.

        One that is known gains an in-link; while open it also takes the better priority, the
        lesser depth and score, and moves forward by the in-link.
        """
        payload = json.dumps(action.payload, ensure_ascii=False) if action.payload else "{}"
        with self._db.together():
            row = self._db.row(
                "INSERT INTO actions (host, site, kind, method, url, fingerprint, depth, priority,"
                " score, state, payload, anchor, parent, added_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?)"
                " ON CONFLICT (fingerprint) DO UPDATE SET in_links = in_links + 1, anchor = iif("
                "excluded.anchor = '' OR instr(anchor, excluded.anchor) OR length(anchor) > 300,"
                " anchor, trim(anchor || ' | ' || excluded.anchor, ' |'))"
                " RETURNING id, in_links, depth, priority, score",
                (self._host_id(host_of(action.url)), action.site, action.kind, action.method,
                 canonical_url(action.url), self._identities.key(action), action.depth,
                 int(action.priority), action.score, payload, action.anchor, action.parent,
                 self._clock()),
            )  # fmt: skip
            if row is None or row["in_links"] == 1:
                return True
            self._improve(row, action)
        return False

    def add_skipped(self, action: NewAction, reason: str) -> None:
        """Add an action that is not to be carried out, so that a person may open it."""
        if self.add(action) and (row := self.find(action)) is not None:
            self.skip(row.id, reason)

    def _improve(self, row: Row, action: NewAction) -> None:
        """Let a known open action move forward."""
        better = (
            min(row["priority"], int(action.priority)),
            min(row["depth"], action.depth),
            min(row["score"], action.score) - action.gain / row["in_links"],
        )
        if better != (row["priority"], row["depth"], row["score"]):
            self._db.execute(
                "UPDATE actions SET priority = ?, depth = ?, score = ?"
                " WHERE id = ? AND state = 'open'",
                (*better, row["id"]),
            )

    def add_all(self, actions: Iterable[NewAction]) -> int:
        """Add actions in one transaction; return how many are new."""
        with self._db.atomic():
            return sum(self.add(action) for action in actions)

    def _host_id(self, key: str) -> int:
        """Return the id of a host's row, made when it is new."""
        known = self._host_ids.get(key)
        if known is None:
            self._db.execute("INSERT OR IGNORE INTO hosts (key) VALUES (?)", (key,))
            known = int(self._db.value("SELECT id FROM hosts WHERE key = ?", (key,)))
            self._host_ids[key] = known
        return known

    def leave_out(self, host: str, session_names: frozenset[str]) -> int:
        """Compare the visits of a host without some parameters; return how many fell together."""
        return self._identities.leave_out(host, session_names)

    def claim(self, now: float | None = None, *, lease_s: float = LEASE_S) -> ActionRow | None:
        """Take the next action in hand; None if no host may be asked now.

        The host is the one whose time came first. A claim is one transaction and ends with
        `done`, `failed`, `skip`, `retry_at` or `give_back`, or after `lease_s` seconds.
        """
        now = self._clock() if now is None else now
        self._waiting.wake(now)
        host = self._db.value(
            "SELECT id FROM hosts WHERE ready > 0 AND claimed = 0 AND stopped = ''"
            " AND next_allowed_at <= ? ORDER BY next_allowed_at LIMIT 1",
            (now,),
        )
        if host is None:
            return None
        with self._db.together():
            action = self._queues.choose(host)
            self._db.execute(
                "UPDATE actions SET state = 'claimed', attempts = attempts + 1, lease_until = ?"
                " WHERE id = ?",
                (now + lease_s, action),
            )
            return self.get(action)

    def next_due(self) -> float | None:
        """Return the time at which a claim can succeed, None if none ever will as things stand.

        None means: all is done, or in hand, or of stopped hosts.
        """
        times = [
            self._db.value(
                "SELECT min(next_allowed_at) FROM hosts"
                " WHERE ready > 0 AND claimed = 0 AND stopped = ''"
            ),
            self._db.value(
                "SELECT max(a.not_before, h.next_allowed_at) FROM actions a"
                " JOIN hosts h ON h.id = a.host WHERE a.state = 'open' AND a.not_before > 0"
                " AND h.stopped = '' AND h.claimed = 0 ORDER BY a.not_before LIMIT 1"
            ),
        ]
        return min((time for time in times if time is not None), default=None)

    def done(self, action: int) -> None:
        """End a claim: the action is done."""
        self._end(action, "done", "")

    def failed(self, action: int, reason: str) -> None:
        """End a claim: the action failed and is not tried again."""
        self._end(action, "failed", reason)

    def skip(self, action: int, reason: str) -> None:
        """End an open or claimed action that is not to be carried out, and say why."""
        self._end(action, "skipped", reason)

    def _end(self, action: int, state: str, reason: str) -> None:
        self._db.execute(
            "UPDATE actions SET state = ?, reason = ?, ended_at = ?, lease_until = NULL,"
            " not_before = 0 WHERE id = ?",
            (state, reason, self._clock(), action),
        )

    def retry_at(self, action: int, when: float, reason: str, *, last: bool = False) -> bool:
        """End a claim to try again from `when` on; after MAX_ATTEMPTS the action has failed.

        `last`: behind the pages that were not tried yet. Return whether it will be tried again.
        """
        attempts = self._db.value("SELECT attempts FROM actions WHERE id = ?", (action,))
        if attempts is None or attempts >= MAX_ATTEMPTS:
            self.failed(action, reason)
            return False
        if last:
            self._db.execute(
                "UPDATE actions SET priority = max(priority, ?) WHERE id = ?",
                (Priority.UNLIKELY, action),
            )
        self._open(action, when, reason)
        return True

    def give_back(self, action: int, reason: str, *, when: float = 0.0) -> None:
        """End a claim as if it had not been made: it was refused or throttled, not tried."""
        self._db.execute("UPDATE actions SET attempts = attempts - 1 WHERE id = ?", (action,))
        self._open(action, when, reason)

    def _open(self, action: int, not_before: float, reason: str) -> None:
        if not_before > 0:
            self._waiting.expect(not_before)
        self._db.execute(
            "UPDATE actions SET state = 'open', reason = ?, not_before = ?, lease_until = NULL"
            " WHERE id = ?",
            (reason, not_before, action),
        )

    def reopen(self, action: int, reason: str = "", *, priority: Priority | None = None) -> None:
        """Open an ended action again (a revisit, a trap a person reopened), maybe more urgent."""
        self._db.execute(
            "UPDATE actions SET attempts = 0, priority = coalesce(?, priority) WHERE id = ?",
            (priority, action),
        )
        self._open(action, 0.0, reason)

    def in_state(self, state: str, kind: str | None = None) -> list[ActionRow]:
        """Return the actions in a state, of one kind or of all, oldest first."""
        which = {"state": state, "kind": kind}
        sql = f"{SELECT} WHERE state = :state AND (:kind IS NULL OR kind = :kind) ORDER BY a.id"
        return [action_row(row) for row in self._db.rows(sql, which)]

    def reopen_expired(self, now: float | None = None) -> int:
        """Open the actions whose claim was not ended in time; return how many."""
        now = self._clock() if now is None else now
        return self._db.execute(
            "UPDATE actions SET state = 'open', lease_until = NULL"
            " WHERE state = 'claimed' AND lease_until < ?",
            (now,),
        )

    def release_claims(self, action: int | None = None) -> int:
        """Open all claimed actions, after a killed process, or that of a lost worker; how many.

        A process that dies is seldom the action's fault and no attempt; but one that was in hand
        MAX_CRASHES times when a process died has failed.
        """
        which = {"one": action, "most": MAX_CRASHES, "now": self._clock()}
        claimed = "state = 'claimed' AND (:one IS NULL OR id = :one)"
        with self._db.atomic():
            self._db.execute(
                "UPDATE actions SET crashes = crashes + 1, attempts = attempts - 1"
                f" WHERE {claimed}",
                which,
            )
            self._db.execute(
                "UPDATE actions SET state = 'failed', reason = 'crash', ended_at = :now,"
                f" lease_until = NULL WHERE {claimed} AND crashes >= :most",
                which,
            )
            return self._db.execute(
                f"UPDATE actions SET state = 'open', lease_until = NULL WHERE {claimed}", which
            )

    def withdraw(self, kinds: Sequence[str]) -> int:
        """Forget the open actions of these kinds as if they had never been added; how many."""
        marks = ", ".join("?" for _ in kinds)
        with self._db.atomic():
            withdrawn = self._db.execute(
                "UPDATE actions SET state = 'withdrawn'"
                f" WHERE state = 'open' AND kind IN ({marks})",
                tuple(kinds),
            )
            self._db.execute("DELETE FROM actions WHERE state = 'withdrawn'")
        return withdrawn

    def get(self, action: int) -> ActionRow:
        """Return an action; KeyError if there is none with this id."""
        row = self._db.row(f"{SELECT} WHERE a.id = ?", (action,))
        if row is None:
            raise KeyError(action)
        return action_row(row)

    def find(self, action: NewAction) -> ActionRow | None:
        """Return the known action with the identity of `action`, None if there is none."""
        row = self._db.row(f"{SELECT} WHERE fingerprint = ?", (self._identities.key(action),))
        return None if row is None else action_row(row)

    def knows(self, action: NewAction) -> bool:
        """Return whether an action with the identity of `action` was ever added."""
        return bool(
            self._db.value(
                "SELECT count(*) FROM actions WHERE fingerprint = ?",
                (self._identities.key(action),),
            )
        )

    def count(self, state: str | None, *, site: str | None = None, kind: str | None = None) -> int:
        """Return how many actions are in a state, or in any."""
        return int(
            self._db.value(
                "SELECT count(*) FROM actions WHERE (:state IS NULL OR state = :state)"
                " AND (:site IS NULL OR site = :site) AND (:kind IS NULL OR kind = :kind)",
                {"state": state, "site": site, "kind": kind},
            )
        )
