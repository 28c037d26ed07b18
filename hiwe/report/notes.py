"""What is worth telling besides the figures: closed traps, what was not asked, warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.report.audit import read_audit
from hiwe.repository.hosts import Hosts
from hiwe.repository.rounds import CHANGED, GONE, NEW, PAGE, RECORD, Rounds
from hiwe.repository.totals import Totals
from hiwe.text import count

if TYPE_CHECKING:
    from hiwe.repository.database import Database
    from hiwe.repository.hosts import HostState

MOST_TRAPS = 5
MOST_REASONS = 8
MOST_EVENTS = 8
MOST_HOSTS = 10
AUDITED = 4  # the database's version that keeps what a person says


@dataclass(frozen=True, slots=True)
class Trap:
    """A shape of addresses of which no more is visited, and how many were turned away."""

    host: str
    shape: str
    reason: str
    refused: int


@dataclass(frozen=True, slots=True)
class NotableEvent:
    """A warning or an error, how often it came and when it came last."""

    at: float
    level: str
    site: str
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class Notes:
    """The most telling of each kind; `unasked` is ((kind of action, reason), number).

    `hosts` are those that were slowest to answer, `revisit` says what the last revisit found,
    `audit` what a person's judgement of a sample says of the figures.
    """

    traps: tuple[Trap, ...]
    unasked: tuple[tuple[tuple[str, str], int], ...]
    events: tuple[NotableEvent, ...]
    hosts: tuple[HostState, ...]
    revisit: tuple[str, ...] = ()
    audit: tuple[str, ...] = ()


def read_notes(db: Database) -> Notes:
    """Return what is worth telling of a run."""
    skipped = sorted(Totals(db).skipped().items(), key=lambda item: (-item[1], item[0]))
    return Notes(
        _traps(db), tuple(skipped[:MOST_REASONS]), _events(db), _hosts(db), _revisit(db), _audit(db)
    )


def _audit(db: Database) -> tuple[str, ...]:
    """Return what a person's judgement of a sample says; () without one."""
    if db.version < AUDITED:
        return ()
    audit = read_audit(db)
    return audit.lines() if audit else ()


def _revisit(db: Database) -> tuple[str, ...]:
    """Return what the last revisit found, in lines; none if there was no revisit."""
    rounds = Rounds(db)
    last = rounds.last()
    if last is None:
        return ()
    counts = rounds.counts(last.number)
    lines = [f"{count(rounds.rechecked(last.number), 'answer')} asked for again"]
    for what in (RECORD, PAGE):
        kinds = ", ".join(
            f"{counts.get((what, kind), 0):,} {kind}" for kind in (NEW, CHANGED, GONE)
        )
        lines.append(f"{what}s: {kinds}")
    return tuple(lines)


def _traps(db: Database) -> tuple[Trap, ...]:
    rows = db.rows(
        "SELECT host, shape, closed AS reason, refused FROM shapes"
        " WHERE closed NOT IN ('', 'opened')"
        " ORDER BY refused DESC, host, shape LIMIT ?",
        (MOST_TRAPS,),
    )
    return tuple(Trap(**dict(row)) for row in rows)


def _events(db: Database) -> tuple[NotableEvent, ...]:
    """Return the last different warnings and errors, oldest first; stopped sites have a place."""
    rows = db.rows(
        "SELECT max(at) AS at, level, site, text, count(*) AS times FROM events"
        " WHERE level IN ('warning', 'error') AND kind <> 'site_stopped'"
        " GROUP BY level, site, text ORDER BY max(id) DESC LIMIT ?",
        (MOST_EVENTS,),
    )
    return tuple(NotableEvent(**dict(row)) for row in reversed(rows))


def _hosts(db: Database) -> tuple[HostState, ...]:
    """Return the hosts that answered, the slowest first."""
    rows = db.rows(
        "SELECT key FROM hosts WHERE response_s > 0 ORDER BY response_s DESC, key LIMIT ?",
        (MOST_HOSTS,),
    )
    hosts = Hosts(db)
    return tuple(hosts.get(row["key"]) for row in rows)
