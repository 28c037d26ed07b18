"""Shapes of addresses: what an address without end looks like.

Some addresses look wrong by themselves (`fault`): too long, too deep, the same segments over and
over. Others are traps only by their number: addresses that differ in a number, a date, a filter are
of one *shape* (`groups`), and of each shape only so many are visited (`traps.py` counts).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from hiwe.address import has_token_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_URL_LENGTH = 1000
MAX_PATH_SEGMENTS = 16
MAX_PARAMETERS = 16
MAX_SAME_SEGMENT = 3  # /a/x/a/y/a/z
MAX_SAME_PARAMETER = 6  # f[]=1&f[]=2...

MAX_PER_SHAPE = 500  # addresses that differ in numbers, keys or values of parameters only
MAX_PER_CALENDAR = 12  # that differ in a date only: a year of months
MAX_PER_FACETS = 20  # combinations of filters over one path
MAX_PER_SORTING = 4  # other orders of one list
MAX_PER_VIEWS = 20  # other ways to show one page, or pages that are named so
MAX_PER_PATH = 500  # queries of any kind over one path
MAX_PER_DIRECTORY = 500  # addresses beside each other
MAX_PER_DEPTH = 500  # addresses far below one directory
DEEP_SEGMENTS = 3
LEAST_KEY_LENGTH = 12  # of a path segment that is a key or a session id

ORDER_NAMES = re.compile(
    r"sort(ed)?([_-]?(by|order|dir|field))?|order[_-]?(by|dir)|order|asc|desc|per[_-]?page"
    r"|page[_-]?size|limit|ordina(mento)?|tri|sortierung",
    re.IGNORECASE,
)
VIEW_NAMES = re.compile(r"view|layout|mode|display", re.IGNORECASE)  # may name a page as well
WAY_NAMES = re.compile(r"dir(ection)?", re.IGNORECASE)  # may name a directory as well
WAYS = re.compile(r"|asc(ending)?|desc(ending)?|up|down|[ad01]|-1", re.IGNORECASE)
ORDER_NUMBER = re.compile(r"\d{3,}")  # of an order that was placed
ITEM_NAMES = re.compile(r"(.*[a-z_-])?(id|key|nr|no)", re.IGNORECASE)  # they tell a page apart
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
    pairs = _pairs(parts.query)
    names = [name for name, _ in pairs]
    if len(url) > MAX_URL_LENGTH:
        return "url_length"
    if len(segments) > MAX_PATH_SEGMENTS:
        return "path_depth"
    if len(names) > MAX_PARAMETERS or _most(names) > MAX_SAME_PARAMETER:
        return "parameters"
    if len(set(pairs)) < len(pairs):  # the same name with the same value: it was added again
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
    kept = sorted(f"{n}={v}" for n, v in pairs if not _orders(n, v) and not _shows(n))
    if any(_orders(name, value) for name, value in pairs):
        yield Group(f"{bare}?{'&'.join(kept)}&(order)", MAX_PER_SORTING, "sorting")
    elif len(kept) < len(pairs):
        yield Group(f"{bare}?{'&'.join(kept)}&(view)", MAX_PER_VIEWS, "views")
    if _most(names) > 1 or any("[" in name for name, _ in pairs) or _are_filters(names):
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


def _orders(name: str, value: str) -> bool:
    """Return whether a parameter sets the order or the length of a list and nothing else."""
    name = _bare_name(name)
    if WAY_NAMES.fullmatch(name):
        return bool(WAYS.fullmatch(value))
    return bool(ORDER_NAMES.fullmatch(name)) and not (
        name.lower() == "order" and ORDER_NUMBER.fullmatch(value)
    )


def _shows(name: str) -> bool:
    """Return whether a parameter says how a list is shown: perhaps it names another page."""
    return bool(VIEW_NAMES.fullmatch(_bare_name(name)))


def _are_filters(names: Sequence[str]) -> bool:
    """Return whether these are so many parameters that they combine, none of them an item's key."""
    return len(set(names)) > 3 and not any(ITEM_NAMES.fullmatch(name) for name in names)


def unordered(url: str) -> str:
    """Return an address without the parameters that only set the order of its list."""
    parts = urlsplit(url)
    pairs = [pair for pair in parts.query.split("&") if pair]
    kept = [p for p, (n, v) in zip(pairs, _pairs(parts.query), strict=True) if not _orders(n, v)]
    return url if len(kept) == len(pairs) else urlunsplit(parts._replace(query="&".join(kept)))


def directories(url: str) -> list[str]:
    """Return the shapes of all that lies below the directories of an address, but for its own.

    /a/b/c/d lies below `/a/**` and `/a/b/**`; /a/b/c only below `/a/**`, in a directory of its.
    """
    segments = urlsplit(url).path.split("/")
    return [f"{'/'.join(segments[:end])}/**" for end in range(2, len(segments) - 1)]


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
