"""Hosts: pace, back-off and robots.txt of each, kept over runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.repository.database import Database


@dataclass(frozen=True, slots=True)
class HostState:
    """What is known of a host (its address with the port): when it may be asked again, and why.

    `delay_s` is robots.txt's crawl-delay (0: none). `backoff` counts throttled or unanswered
    requests, `block_streak` refusals and `failure_streak` unanswered requests in a row.
    `response_s` is the smoothed response time. `stopped` says why nothing more is asked of it.
    """

    key: str
    next_allowed_at: float = 0.0
    delay_s: float = 0.0
    backoff: int = 0
    block_streak: int = 0
    failure_streak: int = 0
    response_s: float = 0.0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class StoredRobots:
    """A host's robots.txt as last read: status 0 when there was no answer, None never asked.

    `text` is the last one that was read well; `failures` counts vain attempts since.
    """

    url: str = ""
    status: int | None = None
    text: str = ""
    fetched_at: float = 0.0
    expires_at: float = 0.0
    failures: int = 0


class Hosts:
    """The hosts of a run."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, key: str) -> HostState:
        """Return the state of a host; a fresh one if it is not known."""
        row = self._db.row(
            "SELECT key, next_allowed_at, delay_s, backoff, block_streak, failure_streak,"
            " response_s, stopped FROM hosts WHERE key = ?",
            (key,),
        )
        return HostState(key) if row is None else HostState(*row)

    def save(self, state: HostState) -> None:
        """Keep the state of a host."""
        self._db.execute(
            "INSERT INTO hosts (key, next_allowed_at, delay_s, backoff, block_streak,"
            " failure_streak, response_s, stopped) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET next_allowed_at = excluded.next_allowed_at,"
            " delay_s = excluded.delay_s, backoff = excluded.backoff,"
            " block_streak = excluded.block_streak, failure_streak = excluded.failure_streak,"
            " response_s = excluded.response_s, stopped = excluded.stopped",
            (state.key, state.next_allowed_at, state.delay_s, state.backoff, state.block_streak,
             state.failure_streak, state.response_s, state.stopped),
        )  # fmt: skip

    def robots(self, key: str) -> StoredRobots:
        """Return what is kept of a host's robots.txt."""
        row = self._db.row(
            "SELECT robots_url, robots_status, robots_text, robots_fetched_at, robots_expires_at,"
            " robots_failures FROM hosts WHERE key = ? AND robots_status IS NOT NULL",
            (key,),
        )
        return StoredRobots() if row is None else StoredRobots(*row)

    def save_robots(self, key: str, robots: StoredRobots) -> None:
        """Keep a host's robots.txt."""
        self._db.execute(
            "INSERT INTO hosts (key, robots_url, robots_status, robots_text, robots_fetched_at,"
            " robots_expires_at, robots_failures) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET robots_url = excluded.robots_url,"
            " robots_status = excluded.robots_status, robots_text = excluded.robots_text,"
            " robots_fetched_at = excluded.robots_fetched_at,"
            " robots_expires_at = excluded.robots_expires_at,"
            " robots_failures = excluded.robots_failures",
            (key, robots.url, robots.status, robots.text, robots.fetched_at, robots.expires_at,
             robots.failures),
        )  # fmt: skip

    def session_names(self, key: str) -> frozenset[str]:
        """Return the parameters known to differ from visit to visit on a host."""
        kept = self._db.value("SELECT session_names FROM hosts WHERE key = ?", (key,))
        return frozenset(json.loads(kept or "[]"))

    def save_session_names(self, key: str, names: Iterable[str]) -> None:
        """Keep the parameters that differ from visit to visit on a host."""
        self._db.execute(
            "INSERT INTO hosts (key, session_names) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET session_names = excluded.session_names",
            (key, json.dumps(sorted(names))),
        )

    def stopped(self) -> dict[str, str]:
        """Return host -> why it was stopped."""
        rows = self._db.rows("SELECT key, stopped FROM hosts WHERE stopped <> '' ORDER BY key")
        return {row["key"]: row["stopped"] for row in rows}

    def resume(self) -> int:
        """Let stopped hosts be asked again, their streaks forgotten; return how many."""
        return self._db.execute(
            "UPDATE hosts SET stopped = '', block_streak = 0, failure_streak = 0, backoff = 0"
            " WHERE stopped <> ''"
        )
