"""The state of a run at one moment, as the progress shows it: each site's work and what it awaits.

Everything is read from the database; the rate alone is remembered from one look to the next.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.report.directory import snapshot
from hiwe.report.words import duration
from hiwe.repository.run import Event, Run
from hiwe.repository.totals import RunTotals, SiteTotals, Totals

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.repository.database import Database, Row

RATE_WINDOW_S = 60.0
LEAST_WINDOW_S = 3.0  # a rate over less says nothing
LONG_WAIT_S = 5.0  # a wait worth telling of
MOST_EVENTS = 1000
LAST_EVENTS = 5
DOES = {"visit": "visits", "submit": "submits to", "probe": "probes", "detail": "reads"}


@dataclass(frozen=True, slots=True)
class SiteMoment:
    """A site now: its figures, what it is at, submissions a minute (None: not known yet).

    `state` is working, waiting, done or stopped; `now` says it in words. `trouble_until` is when a
    long wait ends that the host gave cause for (seconds since 1970); None: there is none.
    """

    totals: SiteTotals
    state: str
    now: str
    rate: float | None
    trouble_until: float | None = None


@dataclass(frozen=True, slots=True)
class _State:
    """What a site does or waits for, as in SiteMoment."""

    name: str
    now: str
    trouble_until: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """The run now. `events` are those since the last look, `last` the last few of all."""

    elapsed_s: float
    totals: RunTotals
    sites: tuple[SiteMoment, ...]
    events: tuple[Event, ...]
    last: tuple[Event, ...]
    rate: float | None


class Pace:
    """Looks at a run again and again; `after` is the id of the last event already told."""

    def __init__(
        self, db: Database, *, after: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self._db = db
        self._clock = clock
        self._after = after
        self._began_at = clock()
        self._seen: deque[tuple[float, dict[str, int]]] = deque()
        self._last: deque[Event] = deque(maxlen=LAST_EVENTS)

    def look(self) -> Moment:
        """Return the state of the run now."""
        now = self._clock()
        with snapshot(self._db):
            totals = Totals(self._db)
            run, sites = totals.run(), totals.sites()
            states = _states(self._db, now)
            events = Run(self._db).events(after=self._after, limit=MOST_EVENTS)
        self._after = events[-1].id if events else self._after
        self._last.extend(events)
        rates = self._rates(now, {site.url: site.tally.submissions for site in sites})
        return Moment(
            elapsed_s=now - self._began_at,
            totals=run,
            sites=tuple(_site(site, states.get(site.url), rates.get(site.url)) for site in sites),
            events=tuple(events),
            last=tuple(self._last),
            rate=None if not rates else sum(rates.values()),
        )

    def _rates(self, now: float, submissions: dict[str, int]) -> dict[str, float]:
        """Return site -> submissions a minute, over the last minute at most."""
        self._seen.append((now, submissions))
        while len(self._seen) > 2 and now - self._seen[1][0] >= RATE_WINDOW_S:
            self._seen.popleft()
        then, before = self._seen[0]
        if now - then < LEAST_WINDOW_S:
            return {}
        per_minute = 60.0 / (now - then)
        return {url: (n - before.get(url, 0)) * per_minute for url, n in submissions.items()}


def last_event_id(db: Database) -> int:
    """Return the id of the newest event, 0 if there is none."""
    return int(db.value("SELECT coalesce(max(id), 0) FROM events"))


def _states(db: Database, now: float) -> dict[str, _State]:
    """Return what each site with open actions does or waits for."""
    found: dict[str, _State] = {}
    for row in db.rows(
        "SELECT site, kind, a.url FROM actions a WHERE state = 'claimed' ORDER BY a.id"
    ):
        does = DOES.get(row["kind"], row["kind"])
        found[row["site"]] = _State("working", f"{does} {_path(row['url'])}")
    for row in db.rows(
        "SELECT a.site, count(*) AS open, min(max(a.not_before, h.next_allowed_at)) AS due_at,"
        " min(a.not_before) AS not_before, max(h.backoff) AS backoff,"
        " max(h.failure_streak) AS unanswered"
        " FROM actions a JOIN hosts h ON h.id = a.host"
        " WHERE a.state = 'open' AND h.stopped = '' GROUP BY a.site"
    ):
        found.setdefault(row["site"], _waiting(row, now))
    return found


def _waiting(row: Row, now: float) -> _State:
    """What the open actions of a site wait for: the pace asked for, a back-off, a free tab."""
    wait_s = row["due_at"] - now
    left = f"{row['open']:,} to do"
    if wait_s <= 0.05:
        return _State("waiting", f"waits for a free tab, {left}")
    why = _why(row, now)
    is_trouble = bool(why) and wait_s >= LONG_WAIT_S
    said = f"waits {duration(wait_s)} ({why or 'politeness'}), {left}"
    return _State("waiting", said, row["due_at"] if is_trouble else None)


def _why(row: Row, now: float) -> str:
    """Why more than the pace is waited for, '' where it is not."""
    if row["unanswered"]:
        return "the host does not answer, then tries again"
    if row["backoff"]:
        return "the host is slow or asked for less"
    return "then tries again" if row["not_before"] > now else ""


def _site(totals: SiteTotals, state: _State | None, rate: float | None) -> SiteMoment:
    if totals.stopped:
        return SiteMoment(totals, "stopped", f"stopped: {totals.stopped}", rate)
    if state is None:
        state = _State("done", "done") if totals.pages else _State("waiting", "waits to begin")
    return SiteMoment(totals, state.name, state.now, rate, state.trouble_until)


def _path(url: str) -> str:
    """An address without its host: that stands at the head of the line already."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
