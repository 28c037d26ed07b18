"""How much of each form's and each site's database was seen, estimated from who found what."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from hiwe.repository.totals import COUNTED
from hiwe.response.coverage import Division, Estimate, estimate
from hiwe.response.typed import DATE, INTEGER, typed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from hiwe.repository.database import Database

UNKNOWN = "none"  # the estimate's method when too little is known
EARLIEST, LATEST = 1500, 2100  # numbers that may be years
BASES = {
    "parts": "from the sizes of an element's values",
    "total": "as the site itself says",
    "recapture": "from records found through different elements",
    "chao2": "from records found once and twice",
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Estimates by form id and by site; those are left out of which too little is known."""

    forms: dict[int, Estimate]
    sites: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class _Capture:
    """The records that one submission found.

    `template` is what it was asked by: elements, and the rows their values are of (a box for
    anything is another question with names than with genres). `total` is the site's own count.
    """

    form: int
    site: str
    template: tuple[tuple[int, str], ...]
    records: frozenset[str]
    total: int | None

    @property
    def label(self) -> Hashable:
        """What tells this question from others."""
        return (self.form, self.template)


def read_coverage(db: Database) -> Coverage:
    """Return what the submissions' records tell of the size of the databases behind them."""
    forms: defaultdict[int, list[_Capture]] = defaultdict(list)
    sites: defaultdict[str, list[_Capture]] = defaultdict(list)
    moments, domains = _moments(db), _domains(db)
    for capture in _captures(db, domains):
        forms[capture.form].append(capture)
        sites[capture.site].append(capture)
    return Coverage(
        {
            form: found
            for form, some in forms.items()
            if (found := _estimate(some, moments, domains))
        },
        {
            site: found
            for site, some in sites.items()
            if (found := _estimate(some, moments, domains))
        },
    )


def interval(found: Estimate) -> str:
    """Return in words how wide an estimate is and what it rests on."""
    basis = BASES.get(found.method, found.method)
    if found.method == "total":
        return basis
    return f"95 % interval {found.low:,.0f} to {found.high:,.0f}, {basis}"


def _captures(db: Database, domains: Mapping[tuple[int, int], int]) -> Iterable[_Capture]:
    """Yield the submissions with a valid answer, each with the records it found."""
    records: defaultdict[int, set[str]] = defaultdict(set)
    for row in db.each("SELECT submission, record FROM record_finders"):
        records[row["submission"]].add(str(row["record"]))
    for row in db.each(
        "SELECT id, form, site, verdict, json_extract(assignment, '$.bindings') AS bindings,"
        " json_extract(features, '$.features.count.total') AS total,"
        " json_extract(features, '$.features.count.capped') AS capped"
        f" FROM submissions WHERE {COUNTED} AND verdict IN ('results', 'no_results') ORDER BY id"
    ):
        bindings = json.loads(row["bindings"])
        rows = {
            one["element"]: "" if (row["form"], one["element"]) in domains else one.get("row") or ""
            for one in bindings
        }
        template = tuple(sorted(rows.items()))
        found = frozenset(records[row["id"]])
        total = row["total"] if row["verdict"] == "results" and not row["capped"] else None
        yield _Capture(row["form"], row["site"], template, found, total)


def _moments(db: Database) -> dict[str, float]:
    """The date of each record as a number of days, by its site's likeliest field of dates."""
    fields: defaultdict[str, Counter[str]] = defaultdict(Counter)
    read: dict[str, tuple[str, dict[str, float]]] = {}
    for row in db.each("SELECT id, site, fields FROM records"):
        days = {
            name: day for name, text in json.loads(row["fields"]) if (day := _day(text)) is not None
        }
        fields[row["site"]].update(days)
        read[str(row["id"])] = (row["site"], days)
    likeliest = {site: names.most_common(1)[0][0] for site, names in fields.items() if names}
    return {
        record: days[likeliest[site]]
        for record, (site, days) in read.items()
        if likeliest.get(site) in days
    }


def _day(text: str) -> float | None:
    """A date, or the beginning of a year, in days; None for other texts."""
    meant = typed(text)
    if meant.kind == DATE:
        return float(date.fromisoformat(str(meant.value)).toordinal())
    if meant.kind == INTEGER and EARLIEST <= int(meant.value) <= LATEST:
        return float(date(int(meant.value), 1, 1).toordinal())
    return None


def _domains(db: Database) -> dict[tuple[int, int], int]:
    """How many values each finite element has: by form and element."""
    found: dict[tuple[int, int], int] = {}
    for row in db.each("SELECT id, json_extract(state, '$.values') AS elements FROM forms"):
        for element in json.loads(row["elements"] or "[]"):
            if element.get("finite") and element.get("parent") is None:
                found[row["id"], element["element"]] = len(element["values"])
    return found


def _estimate(
    captures: list[_Capture], moments: dict[str, float], domains: dict[tuple[int, int], int]
) -> Estimate | None:
    """The size of what the captures were drawn from, None when too little is known."""
    found = estimate(
        [capture.records for capture in captures],
        [one.total for one in captures if one.total is not None and not one.template],
        [capture.label for capture in captures],
        moments=moments,
        divisions=_divisions(captures, domains),
    )
    return None if found.method == UNKNOWN else found


def _divisions(
    captures: list[_Capture], domains: dict[tuple[int, int], int]
) -> dict[Hashable, Division]:
    """What the site said of the values of finite elements that were asked one by one."""
    sizes: defaultdict[Hashable, list[int]] = defaultdict(list)
    values: dict[Hashable, int] = {}
    for one in captures:
        known = domains.get((one.form, one.template[0][0])) if len(one.template) == 1 else None
        if known is not None:
            values[one.label] = known
            sizes[one.label].append(max(one.total or 0, len(one.records)))
    return {label: Division(values[label], tuple(told)) for label, told in sizes.items()}
