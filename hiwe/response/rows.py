"""Answers that are tables of text or feeds: CSV, TSV, RSS, Atom, plain XML."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

from lxml import etree

from hiwe.response.addresses import clean_url
from hiwe.response.names import readable
from hiwe.response.records import digest_key
from hiwe.response.response import Count, PagerStep, Record, Region

if TYPE_CHECKING:
    from hiwe.response.addresses import Addresses

_URL_KEYS = (
    "url", "link", "href", "html_url", "permalink", "uri", "web_url",
    "detailurl", "detail_url", "self",
)  # fmt: skip
TOTAL_KEYS = frozenset(
    [
        "total",
        "totalresults",
        "total_results",
        "totalcount",
        "total_count",
        "numfound",
        "count",
        "totalhits",
        "total_hits",
        "totalitems",
        "total_items",
        "found",
        "hits",
        "nbhits",
        "resultcount",
        "recordstotal",
        "recordsfiltered",
        "totalrecords",
        "total_records",
        "nresults",
        "matches",
    ]
)
ITEM_NAMES = frozenset({"item", "entry", "record", "doc", "row", "result", "hit"})
ROOT_NAMES = frozenset({"rss", "feed", "channel", "results", "response", "records", "rdf"})


@dataclass(frozen=True, slots=True)
class Rows:
    """What a data answer holds. `records` None: no list of items was found at all."""

    origin: str
    records: tuple[Record, ...] | None
    count: Count | None = None
    error: str = ""
    next_url: str = ""
    path: str = ""  # where in the data the list stands

    def region(self) -> Region | None:
        """The records as a region; None without any."""
        return (
            Region(f"{self.origin}:{self.path}", self.origin, 0.95, self.records)
            if self.records
            else None
        )

    def pager(self) -> PagerStep | None:
        """The step that the data themselves name."""
        return PagerStep("json", self.next_url, "next") if self.next_url else None


def table_rows(text: str, kind: str, addresses: Addresses) -> Rows:
    """Rows of delimited text; its first line names the fields."""
    text = without_frame(text)
    first = text.partition("\n")[0]
    delimiter = "\t" if "tab" in kind else max(",;\t|", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        table = [
            [cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)
        ]
    except csv.Error:
        return Rows("rows", None)
    if not table:
        return Rows("rows", ())
    header = [name or f"Column {i + 1}" for i, name in enumerate(table[0])]
    items = [dict(zip(header, row, strict=False)) for row in table[1:]]
    records = tuple(make_record(item, addresses) for item in items)
    return Rows(
        "rows",
        records,
        Count(None, None, len(records), f"{len(records)} rows"),
        path=",".join(header)[:200],
    )


def feed_rows(text: str, addresses: Addresses) -> Rows:
    """Items of an RSS or Atom feed, or the repeated children of another XML document's root."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    root: etree._Element | None
    try:
        root = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    except etree.XMLSyntaxError:  # an empty document
        root = None
    if root is None:
        return Rows("feed", None)
    items = [el for el in root.iter() if _local(el) in ITEM_NAMES]
    if not items and _local(root).lower() not in ROOT_NAMES:
        return Rows("feed", None)
    total = next(
        (el.text for el in root.iter() if _local(el).lower() in TOTAL_KEYS and el.text), ""
    )
    records = tuple(make_record(_feed_fields(item), addresses) for item in items)
    count = Count(None, None, int(total), f"total {total}") if total.strip().isdecimal() else None
    return Rows("feed", records, count, path=_local(root))


def _feed_fields(item: Any) -> dict[str, str]:
    fields: dict[str, str] = {}
    for child in item.iter():
        if child is item or not isinstance(child.tag, str):
            continue
        value = " ".join((child.text or child.get("href") or "").split())
        if value:
            fields.setdefault(_local(child), value)
    return fields


def _local(el: Any) -> str:
    return el.tag.rsplit("}", 1)[-1] if isinstance(el.tag, str) else ""


def without_frame(text: str) -> str:
    """JSON as a browser shows it stands in a `pre` of a page."""
    if text.startswith("<"):
        match = re.search(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)
        if match:
            return unescape(match.group(1))
    return text


def make_record(item: dict[str, str], addresses: Addresses) -> Record:
    """A record of named values; its address is the value whose name says so."""
    url = None
    for key in _URL_KEYS:
        value = next((v for name, v in item.items() if name.lower() == key), "")
        if value and (value.startswith(("http", "/", "?", "./")) or "/" in value):
            url = addresses.resolve(value)
            break
    fields = tuple((readable(name), value) for name, value in item.items() if value)
    return Record(fields, clean_url(url), addresses.identity(url) if url else digest_key(fields))
