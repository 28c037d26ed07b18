"""How well records are read from result pages, against what the sites' own data say of each page.

The data file holds result pages of the fixture sites and of three real applications, with the
records that the database behind each page puts there: the address of each (if its page links one)
and its fields under the names that the page shows. A record of ours is one of the page's if it has
its address, else if most of its values.
"""

from __future__ import annotations

import gzip
import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rich.table import Table

from hiwe.bench.responses import plain_form
from hiwe.bench.result import BenchResult
from hiwe.page.exchange import Exchange
from hiwe.page.page import Page
from hiwe.response.analyse import analyse
from hiwe.response.verdict import FormKnowledge, hit_records, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiwe.form.form import Form
    from hiwe.response.response import Record

LEAST_ALIKE = 0.6  # share of a record's known values that make it the same item


@dataclass(frozen=True, slots=True)
class TrueRecord:
    """A record that a page shows: path of its own page (None: it has none), its fields."""

    path: str | None
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A saved result page with the records that it shows. `origin` is fixture or real."""

    site: str
    origin: str
    page: Page
    form_page: Page
    form: Form
    values: tuple[str, ...]
    records: tuple[TrueRecord, ...]


@dataclass(slots=True)
class Tally:
    """Counts of records and fields: found, right, and shown by the pages."""

    pages: int = 0
    found: int = 0
    right: int = 0
    shown: int = 0
    fields: int = 0  # of the records that are right
    names: int = 0
    values: int = 0  # of the fields whose name is right
    analysis_s: float = 0.0
    misses: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the counts of another."""
        for name in ("pages", "found", "right", "shown", "fields", "names", "values"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.analysis_s += other.analysis_s
        self.misses += other.misses

    def figures(self) -> dict[str, float]:
        """Shares by name; a share of nothing is 1."""
        return {
            "pages": self.pages,
            "records": self.shown,
            "precision": _share(self.right, self.found),
            "recall": _share(self.right, self.shown),
            "names": _share(self.names, self.fields),
            "values": _share(self.values, self.names),
        }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def record_pages() -> Iterator[RecordPage]:
    """Yield the result pages of the data file."""
    forms: dict[str, Page] = {}
    source = resources.files("hiwe.bench").joinpath("data/records.jsonl.gz")
    with source.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "form_page" in row:
                forms[row["form_page"]] = Page(row["url"], 200, row["html"])
            else:
                yield _record_page(row, forms[row["form"]])


def _record_page(row: Mapping[str, Any], form_page: Page) -> RecordPage:
    sent = tuple(_exchange(one) for one in row.get("exchanges", ()))
    page = Page(row["url"], row["status"], row["html"], content_type=row["type"], exchanges=sent)
    known = tuple(TrueRecord(one["url"], one["fields"]) for one in row["records"])
    form = plain_form(form_page.url, row["names"])
    return RecordPage(
        row["site"], row["origin"], page, form_page, form, tuple(row["values"]), known
    )


def _exchange(row: Mapping[str, Any]) -> Exchange:
    """An exchange of which only the answer was kept."""
    return Exchange(
        method=row["method"],
        url=row["url"],
        request_headers=(),
        request_body=b"",
        status=row["status"],
        reason="",
        response_headers=(("content-type", row["type"]),),
        body=row["body"].encode(),
        started_at=datetime.fromtimestamp(0, UTC),
        duration_s=0.0,
        kind=row["kind"],
    )


def measure(page: RecordPage) -> Tally:
    """Read one page by itself, with nothing learned before, and compare."""
    began = time.process_time()
    features = analyse(
        page.page, form_page=page.form_page, form=page.form, landed="page", values=page.values
    )
    knowledge = FormKnowledge()
    records = hit_records(features, judge(features, knowledge), knowledge)
    spent_s = time.process_time() - began
    tally = compared(records, page.records)
    tally.pages, tally.analysis_s = 1, spent_s
    tally.misses = [f"{page.site} {page.page.url}: {miss}" for miss in tally.misses]
    return tally


def compared(records: Sequence[Record], known: Sequence[TrueRecord]) -> Tally:
    """Compare records with those that are known to be there; each of these counts once."""
    tally = Tally(found=len(records), shown=len(known))
    left = list(known)
    for record in records:
        one = _match(record, left)
        if one is None:
            tally.misses.append(f"no record of the page: {dict(record.fields)}")
            continue
        left.remove(one)
        tally.right += 1
        _compare_fields(dict(record.fields), one, tally)
    tally.misses += [f"not found: {dict(one.fields)}" for one in left]
    return tally


def _match(record: Record, left: Iterable[TrueRecord]) -> TrueRecord | None:
    """The known record that a record is; None if it is none of them."""
    path = urlsplit(record.url).path if record.url else None
    values = {_plain(value) for _, value in record.fields}
    best, share = None, 0.0
    for one in left:
        if one.path is not None and one.path == path:
            return one
        if one.path is None and (alike := _alike(one, values)) > share:
            best, share = one, alike
    return best if share >= LEAST_ALIKE else None


def _alike(one: TrueRecord, values: set[str]) -> float:
    known = [_plain(value) for value in one.fields.values() if value]
    return sum(value in values for value in known) / len(known) if known else 0.0


def _compare_fields(got: Mapping[str, str], one: TrueRecord, tally: Tally) -> None:
    names = {_plain(name): value for name, value in got.items()}
    for name, value in one.fields.items():
        if not value:
            continue
        tally.fields += 1
        if _plain(name) not in names:
            tally.misses.append(f"no field {name!r} ({value}) in {dict(got)}")
            continue
        tally.names += 1
        right = _spaced(names[_plain(name)]) == _spaced(value)
        tally.values += right
        if not right:
            tally.misses.append(f"{name!r} is {value!r}, read {names[_plain(name)]!r}")


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    return _spaced(text.replace("_", " ")).casefold()


def run() -> BenchResult:
    """Measure all pages: figures of each site, of the fixture and the real ones, of all."""
    by_name: defaultdict[str, Tally] = defaultdict(Tally)
    for page in record_pages():
        tally = measure(page)
        for name in (page.site, f"{page.origin} sites", "all"):
            by_name[name].add(tally)
    names = sorted(by_name, key=lambda name: (name == "all", name.endswith(" sites"), name))
    figures = {name: by_name[name].figures() for name in names}
    return BenchResult(_table(figures), figures, tuple(by_name["all"].misses))


def _table(figures: Mapping[str, Mapping[str, float]]) -> Table:
    table = Table("site", "pages", "records", "precision", "recall", "names", "values")
    table.title = "records: read from result pages"
    for name, one in figures.items():
        shares = [f"{one[key]:.3f}" for key in ("precision", "recall", "names", "values")]
        table.add_row(name, f"{one['pages']:.0f}", f"{one['records']:.0f}", *shares)
    return table
