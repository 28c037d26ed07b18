"""Traps: addresses without end. Exploring stops in them, with a reason a person can read and undo.

Two kinds of rule. Some addresses look wrong by themselves (`fault`): too long, too deep, the same
segments over and over. Others are traps only by their number: addresses that differ in a number, a
date, a filter are of one *shape*, and of each shape only so many are visited. They are counted in
the database, so that a resumed run does not begin to count anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit

from hiwe.address import has_token_shape, host_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.repository.database import Database

MAX_URL_LENGTH = 1000
MAX_PATH_SEGMENTS = 16
MAX_PARAMETERS = 16
MAX_SAME_SEGMENT = 3  # /a/x/a/y/a/z
MAX_SAME_PARAMETER = 6  # f[]=1&f[]=2...

MAX_PER_SHAPE = 500  # addresses that differ in numbers, keys or values of parameters only
MAX_PER_CALENDAR = 12  # that differ in a date only: a year of months
MAX_PER_FACETS = 20  # combinations of filters over one path
MAX_PER_SORTING = 4  # other orders of one list
MAX_PER_PATH = 500  # queries of any kind over one path
MAX_PER_DIRECTORY = 500  # addresses beside each other
MAX_PER_DEPTH = 500  # addresses far below one directory
DEEP_SEGMENTS = 3
LEAST_KEY_LENGTH = 12  # of a path segment that is a key or a session id
# Pages in a row that brought nothing new, by group, after which no more of it is visited.
PATIENCE = {
    "calendar": 2, "sorting": 1, "facets": 2, "shape": 6, "depth": 6, "path": 30, "directory": 30,
}  # fmt: skip

SORTING_NAMES = re.compile(
    r"sort(ed)?([_-]?(by|order|dir|field))?|order([_-]?by)?|dir(ection)?|asc|desc|view|layout"
    r"|mode|display|per[_-]?page|page[_-]?size|limit|ordina(mento)?|tri|sortierung",
    re.IGNORECASE,
)
CALENDAR_NAMES = re.compile(  # a year alone is none: there are not so many years
    r"(cal(endar)?[_-]?)?(date|day|month|mon|week|ym|ymd|datum|monat|woche|giorno|mese|jour|mois"
    r"|semaine|dia|mes)",
    re.IGNORECASE,
)
DATE = re.compile(
    r"(19|20|21|22)\d\d[-_.]?(0?[1-9]|1[0-2])([-_.]?(0?[1-9]|[12]\d|3[01]))?(t.*)?", re.IGNORECASE
)
YEAR = re.compile(r"(1[5-9]|2\d|3\d)\d\d")


def fault(url: str) -> str | None:
    """Return what is wrong with an address in itself, None if nothing is."""
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    names = [name for name, _ in _pairs(parts.query)]
    if len(url) > MAX_URL_LENGTH:
        return "url_length"
    if len(segments) > MAX_PATH_SEGMENTS:
        return "path_depth"
    if len(names) > MAX_PARAMETERS or _most(names) > MAX_SAME_PARAMETER:
        return "parameters"
    if re.search(r"%25(25)+|%00", url, re.IGNORECASE):
        return "escapes"
    words = [segment for segment in segments if not segment.isdecimal()]
    if _most(words) > MAX_SAME_SEGMENT or _has_repeated_run(segments):
        return "repeated_segments"
    return None


def _most(words: Sequence[str]) -> int:
    """Return how often the most frequent word occurs."""
    return max((words.count(word) for word in set(words)), default=0)


def _has_repeated_run(segments: Sequence[str]) -> bool:
    """Return whether a run of segments follows itself: a word twice, a longer run once.

    Numbers may: /volume/1/1/1 is a place in a book.
    """
    for size in range(1, len(segments) // 2 + 1):
        times = 3 if size == 1 else 2
        for start in range(len(segments) - size * times + 1):
            ends = range(start, start + size * times, size)
            runs = {tuple(segments[end : end + size]) for end in ends}
            if len(runs) == 1 and not all(word.isdecimal() for word in runs.pop()):
                return True
    return False


@dataclass(frozen=True, slots=True)
class Group:
    """Addresses that count together: at most `limit` of them are visited, else `reason`."""

    shape: str
    limit: int
    reason: str


def groups(url: str) -> list[Group]:
    """Return the groups an address belongs to, the narrowest first; none for a plain page."""
    parts = urlsplit(url)
    path = "/".join(_shape_of(segment) for segment in parts.path.split("/"))
    pairs = _pairs(parts.query)
    found = list(_of_dates(parts.path, path, pairs))
    if pairs:
        found += _of_query(parts.path, path, pairs)
    elif path != parts.path and not found:
        found.append(Group(path, MAX_PER_SHAPE, "shape"))
    directory = parts.path.rpartition("/")[0]
    if directory and not found:
        found.append(Group(f"{directory}/*", MAX_PER_DIRECTORY, "directory"))
    if parts.path.count("/") >= DEEP_SEGMENTS:
        found.append(Group(f"/{parts.path.split('/')[1]}/**", MAX_PER_DEPTH, "depth"))
    return found


def _of_query(bare: str, path: str, pairs: list[tuple[str, str]]) -> Iterator[Group]:
    """Yield the groups of an address with a query."""
    names = [_bare_name(name) for name, _ in pairs]
    ordering = [name for name in names if SORTING_NAMES.fullmatch(name)]
    if ordering:
        kept = sorted(f"{n}={v}" for n, v in pairs if not SORTING_NAMES.fullmatch(_bare_name(n)))
        yield Group(f"{bare}?{'&'.join(kept)}&(order)", MAX_PER_SORTING, "sorting")
    if _most(names) > 1 or any("[" in name for name, _ in pairs) or len(set(names)) > 3:
        yield Group(f"{path}?(filters)", MAX_PER_FACETS, "facets")
    shape = "&".join(sorted(set(names)))
    yield Group(f"{path}?{shape}", MAX_PER_SHAPE, "shape")
    yield Group(f"{path}?*", MAX_PER_PATH, "path")


def _of_dates(bare: str, path: str, pairs: list[tuple[str, str]]) -> Iterator[Group]:
    """Yield the group of a calendar's page: dates in parameters, or a path that ends in one."""
    dated = [name for name, value in pairs if _is_date_parameter(name, value)]
    if dated:
        yield Group(f"{path}?(dates)", MAX_PER_CALENDAR, "calendar")
        return
    segments = bare.strip("/").split("/")
    tail = len(segments)
    while tail and (segments[tail - 1].isdecimal() or DATE.fullmatch(segments[tail - 1])):
        tail -= 1
    dates = segments[tail:]
    if dates and (DATE.fullmatch(dates[0]) or (len(dates) > 1 and YEAR.fullmatch(dates[0]))):
        yield Group(f"/{'/'.join(segments[:tail])}/(dates)", MAX_PER_CALENDAR, "calendar")


def _is_date_parameter(name: str, value: str) -> bool:
    """Return whether a parameter tells a date: by its name and a number, or by its value."""
    if DATE.fullmatch(value) and not value.isdecimal():
        return True
    named = CALENDAR_NAMES.fullmatch(_bare_name(name))
    return bool(named) and bool(re.fullmatch(r"[\d\-./]+", value))


def _shape_of(segment: str) -> str:
    """Return a path segment with what varies replaced: numbers by N, keys by X."""
    made_by_machine = segment.isdecimal() or has_token_shape(segment)
    if len(segment) >= LEAST_KEY_LENGTH and made_by_machine and "-" not in segment.strip("-"):
        return "X"
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", segment, re.IGNORECASE):
        return "X"
    return re.sub(r"\d+", "N", segment)


def _pairs(query: str) -> list[tuple[str, str]]:
    """Return the names and values of a query, in order."""
    split = (pair.partition("=") for pair in query.split("&") if pair)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in split]


def _bare_name(name: str) -> str:
    """Return a parameter's name without an index: `f[]`, `f[2]`, `f.2` are all `f`."""
    return re.sub(r"(\[[^\]]*\]|[._]\d+)+$", "", name)


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

    def refusal(self, url: str) -> str | None:
        """Return why an address is not to be visited, None if it is; it then counts.

        To be asked once for each address that is new to the frontier. The reason is that of
        `fault`, or of the shape that is full or was closed.
        """
        wrong = fault(url)
        if wrong is not None:
            self._refuse(host_of(url), f"({wrong})", wrong)
            return wrong
        host, belongs = host_of(url), groups(url)
        for group in belongs:
            reason = self._full(host, group)
            if reason:
                self._refuse(host, group.shape, reason)
                return reason
        for group in belongs:
            self._db.execute(
                "INSERT INTO shapes (host, shape, addresses) VALUES (?, ?, 1)"
                " ON CONFLICT DO UPDATE SET addresses = addresses + 1",
                (host, group.shape),
            )
        return None

    def _full(self, host: str, group: Group) -> str | None:
        row = self._db.row(
            "SELECT addresses, closed FROM shapes WHERE host = ? AND shape = ?", (host, group.shape)
        )
        if row is None:
            return None
        if row["closed"]:
            return str(row["closed"])
        return group.reason if row["addresses"] >= group.limit else None

    def _refuse(self, host: str, shape: str, reason: str) -> None:
        self._db.execute(
            "INSERT INTO shapes (host, shape, closed, refused) VALUES (?, ?, ?, 1) ON CONFLICT"
            " DO UPDATE SET closed = iif(closed = '', excluded.closed, closed),"
            " refused = refused + 1",
            (host, shape, reason),
        )

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
                "UPDATE shapes SET closed = 'stale'"
                " WHERE host = ? AND shape = ? AND stale >= ? AND closed <> 'stale'",
                (host, group.shape, PATIENCE[group.reason]),
            )
        return "stale" if closed else None

    def is_closed(self, url: str) -> str | None:
        """Return why the shape of an address was closed since it was admitted, None if not.

        To be asked before a visit: what was added while the shape was open is skipped.
        """
        host = host_of(url)
        for group in groups(url):
            closed = self._db.value(
                "SELECT closed FROM shapes WHERE host = ? AND shape = ?", (host, group.shape)
            )
            if closed == "stale":
                return str(closed)
        return None

    def closed(self) -> list[ClosedTrap]:
        """Return the traps that were closed, those that turned most away first."""
        rows = self._db.rows(
            "SELECT host, shape, closed, addresses, refused FROM shapes WHERE closed <> ''"
            " ORDER BY refused DESC, host, shape"
        )
        return [ClosedTrap(*row) for row in rows]

    def reopen(self, host: str, shape: str) -> None:
        """Let a shape be visited again: a person says that it is no trap. Its count starts anew."""
        self._db.execute(
            "UPDATE shapes SET closed = '', addresses = 0, stale = 0 WHERE host = ? AND shape = ?",
            (host, shape),
        )
