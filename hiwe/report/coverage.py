"""How much of each form's and each site's database was seen, estimated from who found what."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.totals import COUNTED
from hiwe.response.coverage import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.repository.database import Database

UNKNOWN = "none"  # the estimate's method when too little is known
BASES = {
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
    """The records that one submission found; `stated` is the site's own count of all it holds."""

    form: int
    site: str
    template: tuple[int, ...]
    records: frozenset[str]
    stated: int | None


def read_coverage(db: Database) -> Coverage:
    """Return what the submissions' records tell of the size of the databases behind them."""
    forms: defaultdict[int, list[_Capture]] = defaultdict(list)
    sites: defaultdict[str, list[_Capture]] = defaultdict(list)
    for capture in _captures(db):
        forms[capture.form].append(capture)
        sites[capture.site].append(capture)
    return Coverage(
        {form: found for form, some in forms.items() if (found := _estimate(some))},
        {site: found for site, some in sites.items() if (found := _estimate(some))},
    )


def interval(found: Estimate) -> str:
    """Return in words how wide an estimate is and what it rests on."""
    basis = BASES.get(found.method, found.method)
    if found.method == "total":
        return basis
    return f"95 % interval {found.low:,.0f} to {found.high:,.0f}, {basis}"


def _captures(db: Database) -> Iterable[_Capture]:
    """Yield the submissions with results, each with the records it found."""
    records: defaultdict[int, set[str]] = defaultdict(set)
    for row in db.each("SELECT submission, record FROM record_finders"):
        records[row["submission"]].add(str(row["record"]))
    for row in db.each(
        "SELECT id, form, site, json_extract(assignment, '$.bindings') AS bindings,"
        " json_extract(features, '$.features.count.total') AS total,"
        " json_extract(features, '$.features.count.capped') AS capped"
        f" FROM submissions WHERE {COUNTED} AND verdict = 'results' ORDER BY id"
    ):
        template = tuple(sorted(binding["element"] for binding in json.loads(row["bindings"])))
        stated = row["total"] if not template and not row["capped"] else None
        yield _Capture(row["form"], row["site"], template, frozenset(records[row["id"]]), stated)


def _estimate(captures: list[_Capture]) -> Estimate | None:
    """The size of what the captures were drawn from, None when too little is known."""
    found = estimate(
        [capture.records for capture in captures],
        [capture.stated for capture in captures if capture.stated is not None],
        [(capture.form, capture.template) for capture in captures],
    )
    return None if found.method == UNKNOWN else found
