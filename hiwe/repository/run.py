"""The run itself: its state over several processes, its sites, its events."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiwe.repository.database import Database

TIME_SPENT = "budget.duration_s is spent"  # begin of the reason for which sites are stopped


@dataclass(frozen=True, slots=True)
class Event:
    """Something worth telling a person; `data` holds the ids of what it is about."""

    id: int
    at: float
    level: str
    kind: str
    text: str
    site: str
    data: dict[str, Any]


class Run:
    """What is known of the run as a whole: a few named JSON values, its sites and its events.

    `status` is new, running, interrupted, failed or finished; a process that was killed leaves
    'running'. `duration_s` sums the time of all processes that worked on the run.
    """

    def __init__(self, db: Database, clock: Callable[[], float] = time.time) -> None:
        self._db = db
        self._clock = clock
        self._began_at: float | None = None
        self._worked_before_s = 0.0

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, `default` when it was never set."""
        text = self._db.value("SELECT value FROM run WHERE key = ?", (key,))
        return default if text is None else json.loads(text)

    def set(self, key: str, value: Any) -> None:
        """Keep a JSON value under `key`."""
        self._db.execute(
            "INSERT INTO run VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (key, json.dumps(value, ensure_ascii=False)),
        )

    @property
    def status(self) -> str:
        """new, running, interrupted, failed or finished."""
        return str(self.get("status", "new"))

    @property
    def duration_s(self) -> float:
        """Seconds worked on the run so far, by all its processes."""
        if self._began_at is None:
            return float(self.get("worked_s", 0.0))
        return self._worked_before_s + self._clock() - self._began_at

    def begin(self, task: str) -> None:
        """Note that a process starts to work on the run."""
        self._began_at = self._clock()
        with self._db.atomic():
            self._worked_before_s = float(self.get("worked_s", 0.0))
            self.set("task", task)
            if self.get("started_at") is None:
                self.set("started_at", self._began_at)
            self.set("status", "running")

    def rest(self, seconds: float) -> None:
        """Leave the time of a pause out of the time worked."""
        if self._began_at is not None:
            self._began_at += seconds

    def tick(self) -> None:
        """Keep the time worked: what a killed process did after its last tick is not counted."""
        self.set("worked_s", self.duration_s)

    def end(self, status: str) -> None:
        """Note how the process left the run: interrupted, failed or finished."""
        with self._db.atomic():
            self.tick()
            self.set("status", status)
            self.set("ended_at", self._clock())

    def set_sites(self, urls: Iterable[str] | Mapping[str, int]) -> None:
        """Keep the configured sites, in order, or at the places given; known ones keep their state.

        Those of a shard have places in the whole task.
        """
        places = urls if isinstance(urls, Mapping) else {url: at for at, url in enumerate(urls)}
        with self._db.atomic():
            for url, position in places.items():
                self._db.execute(
                    "INSERT INTO sites (url, position) VALUES (?, ?)"
                    " ON CONFLICT DO UPDATE SET position = excluded.position",
                    (url, position),
                )

    def stop_site(self, url: str, reason: str) -> None:
        """Keep why no more work is given out for a site; '' lets it go on."""
        self._db.execute("UPDATE sites SET stopped = ? WHERE url = ?", (reason, url))

    def why_stopped(self, url: str) -> str:
        """Return why no more work is given out for a site; '' for one that goes on."""
        return str(self._db.value("SELECT stopped FROM sites WHERE url = ?", (url,)) or "")

    def site_states(self) -> dict[str, str]:
        """Return site -> why it is stopped, '' where it is not; in the order configured."""
        rows = self._db.rows("SELECT url, stopped FROM sites ORDER BY position, url")
        return {row["url"]: row["stopped"] for row in rows}

    def add_event(
        self,
        kind: str,
        text: str,
        *,
        level: str = "info",
        site: str = "",
        data: Mapping[str, Any] | None = None,
    ) -> int:
        """Keep something worth telling; return its id."""
        return self._db.insert(
            "INSERT INTO events (at, level, kind, text, site, data) VALUES (?, ?, ?, ?, ?, ?)",
            (self._clock(), level, kind, text, site, json.dumps(data or {}, ensure_ascii=False)),
        )

    def events(self, *, after: int = 0, kind: str | None = None, limit: int = 1000) -> list[Event]:
        """Return the events that followed the one with id `after`, oldest first."""
        rows = self._db.rows(
            "SELECT * FROM events WHERE id > ? AND (? IS NULL OR kind = ?) ORDER BY id LIMIT ?",
            (after, kind, kind, limit),
        )
        return [Event(**{**dict(row), "data": json.loads(row["data"])}) for row in rows]
