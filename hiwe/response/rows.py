"""Answers that are data: JSON, CSV or TSV downloads, RSS and Atom feeds, and JSON the page fetched."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lxml import etree

from hiwe.response.fields import readable
from hiwe.response.records import clean_url, digest_key
from hiwe.response.response import Count, PagerStep, Record, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.response.records import Addresses

LONGEST_DATA = 20_000_000  # characters
TABLE_TYPES = frozenset(
    {"text/csv", "text/tab-separated-values", "application/csv", "text/comma-separated-values"}
)
_URL_KEYS = (
    "url",
    "link",
    "href",
    "html_url",
    "permalink",
    "uri",
    "web_url",
    "detailurl",
    "detail_url",
    "self",
)
_TOTAL_KEYS = (
    "total", "totalresults", "total_results", "totalcount", "total_count", "numfound", "count", "totalhits",
    "total_hits", "totalitems", "total_items", "found", "hits", "nbhits", "resultcount", "recordstotal",
    "recordsfiltered", "totalrecords", "total_records", "nresults", "matches",
)  # fmt: skip
_NEXT_KEYS = ("next", "next_url", "nexturl", "next_page", "nextpage", "nextlink", "next_link")
_LIST_KEYS = (
    "results", "items", "hits", "records", "docs", "data", "rows", "entries", "films", "movies", "list", "matches",
    "documents", "features", "products", "objects", "content", "value",
)  # fmt: skip


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


def answer_rows(page: Page, landed: str, addresses: Addresses) -> Rows | None:
    """The data of an answer that is no page: a download, JSON, a table of text, a feed; else None."""
    body, kind = page.html, page.content_type.split(";")[0].strip().lower()
    if landed == "download":
        sent = download_of(page)
        if sent is not None:
            body, kind = text_of(sent), sent.content_type or kind
            name = sent.header("content-disposition").lower() + sent.url.lower()
            kind = "text/csv" if ".csv" in name else kind
            kind = "text/tab-separated-values" if ".tsv" in name else kind
    if len(body) > LONGEST_DATA:
        return None
    text = body.lstrip("\ufeff \r\n\t")
    if kind in TABLE_TYPES or (
        landed == "download" and kind in ("text/plain", "application/octet-stream")
    ):
        return table_rows(text, kind, addresses)
    if kind.endswith("json") or (landed == "download" and text[:1] in ("{", "[")):
        return json_rows(_without_frame(text), addresses)
    if kind.endswith("xml") and kind != "application/xhtml+xml":
        return feed_rows(text, addresses)
    return None


def download_of(page: Page) -> Exchange | None:
    """The exchange whose body was saved as a file; None when there is none."""
    saved = [one for one in page.exchanges if one.download and one.body]
    return saved[-1] if saved else None


def text_of(exchange: Exchange) -> str:
    """The body as text, by the charset it names, else UTF-8, else Latin-1."""
    match = re.search(r"charset=\"?([\w.:-]+)", exchange.header("content-type"))
    for charset in filter(None, (match and match.group(1), "utf-8-sig")):
        try:
            return exchange.body.decode(charset)
        except (LookupError, UnicodeDecodeError):
            continue
    return exchange.body.decode("latin-1")


def _without_frame(text: str) -> str:
    """JSON as a browser shows it stands in a `pre` of a page."""
    if text.startswith("<"):
        match = re.search(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)
        if match:
            text = match.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
            return text.replace("&amp;", "&")
    return text


def table_rows(text: str, kind: str, addresses: Addresses) -> Rows:
    """Rows of delimited text; its first line names the fields."""
    text = _without_frame(text)
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
    records = tuple(_record(item, addresses) for item in items)
    return Rows(
        "rows",
        records,
        Count(None, None, len(records), f"{len(records)} rows"),
        path=",".join(header)[:200],
    )


def feed_rows(text: str, addresses: Addresses) -> Rows:
    """Items of an RSS or Atom feed, or the repeated children of another XML document's root."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    if root is None:
        return Rows("feed", None)
    items = [
        el
        for el in root.iter()
        if _local(el) in ("item", "entry", "record", "doc", "row", "result", "hit")
    ]
    if not items and _local(root) not in (
        "rss",
        "feed",
        "channel",
        "results",
        "response",
        "records",
    ):
        return Rows("feed", None)
    total = next(
        (el.text for el in root.iter() if _local(el).lower() in _TOTAL_KEYS and el.text), ""
    )
    records = tuple(_record(_feed_fields(item), addresses) for item in items)
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


def json_rows(text: str, addresses: Addresses) -> Rows:
    """Items of a JSON answer: its likeliest list of objects, its total, its own address of more."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Rows("json", None)
    if isinstance(data, dict) and not any(isinstance(v, list) and v for v in data.values()):
        error = (
            data.get("error")
            or data.get("errors")
            or (data.get("message") if data.get("status") == "error" else "")
        )
        if error:
            return Rows("json", None, error=str(error)[:200])
    best = max(_lists(data, ""), key=lambda one: _merit(*one), default=None)
    count = _total(data)
    next_url = _next(data, addresses)
    if best is None:
        empty = count is not None and count.total == 0
        return Rows("json", () if empty else None, count)
    path, items = best
    records = tuple(_record(flat(item), addresses) for item in items)
    return Rows("json", records, count, next_url=next_url if records else "", path=path)


def _merit(path: str, items: list[Any]) -> float:
    name = path.rsplit(".", 1)[-1].lower()
    fields = sum(len(item) for item in items[:5]) / max(len(items[:5]), 1)
    return (
        (3.0 if name in _LIST_KEYS else 0.0)
        + min(fields, 6) / 2
        + min(len(items), 10) / 5
        - path.count(".") / 2
    )


def _lists(data: Any, path: str, depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """Every list of objects in the data, with its path; empty lists under a telling name too."""
    if isinstance(data, list):
        objects = [one for one in data if isinstance(one, dict)]
        name = path.rsplit(".", 1)[-1].lower()
        if (objects and len(objects) == len(data)) or (
            not data and (name in _LIST_KEYS or not path)
        ):
            yield path, objects
    elif isinstance(data, dict) and depth < 6:
        for key, value in data.items():
            yield from _lists(value, f"{path}.{key}" if path else str(key), depth + 1)


def flat(item: dict[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    """Scalars of an object by readable name; nested objects by 'Outer inner', lists joined."""
    fields: dict[str, str] = {}
    for key, value in item.items():
        name = f"{prefix} {key}".strip()
        if isinstance(value, dict):
            if depth < 3:
                fields.update(flat(value, name, depth + 1))
        elif isinstance(value, list):
            plain = [scalar(one) for one in value if not isinstance(one, dict | list)]
            plain = plain or [
                scalar(one["name"]) for one in value if isinstance(one, dict) and "name" in one
            ]
            if plain:
                fields[name] = ", ".join(plain)
        elif value is not None:
            fields[name] = scalar(value)
    return fields


def scalar(value: Any) -> str:
    """A JSON scalar as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(value).split())


def _record(item: dict[str, str], addresses: Addresses) -> Record:
    url = None
    for key in _URL_KEYS:
        value = next((v for name, v in item.items() if name.lower() == key), "")
        if value and (value.startswith(("http", "/", "?", "./")) or "/" in value):
            url = addresses.resolve(value)
            break
    fields = tuple((readable(name), value) for name, value in item.items() if value)
    return Record(fields, clean_url(url), addresses.identity(url) if url else digest_key(fields))


def _total(data: Any) -> Count | None:
    for holder in _objects(data, 0):
        for key, value in holder.items():
            if key.lower().lstrip("@$#") in _TOTAL_KEYS:
                figure = value.get("value") if isinstance(value, dict) else value
                if isinstance(figure, str) and figure.isdecimal():
                    figure = int(figure)
                if isinstance(figure, int) and not isinstance(figure, bool) and figure >= 0:
                    return Count(None, None, figure, f"{key}: {figure}")
    return None


def _next(data: Any, addresses: Addresses) -> str:
    for holder in _objects(data, 0):
        for key, value in holder.items():
            if (
                key.lower().lstrip("@") in _NEXT_KEYS
                and isinstance(value, str)
                and "/" in value + "?"
            ):
                url = addresses.resolve(value)
                if url:
                    return url
    return ""


def _objects(data: Any, depth: int) -> Iterable[dict[str, Any]]:
    """The outer objects of JSON data, items of lists left out."""
    if isinstance(data, dict) and depth < 3:
        yield data
        for value in data.values():
            yield from _objects(value, depth + 1)


def fetched_rows(page: Page, shown: Iterable[str], addresses: Addresses) -> Rows | None:
    """JSON that the page fetched and shows: most of its items' names stand among the texts `shown`.

    An empty list is told only when nothing is shown. The last fitting exchange is taken.
    """
    texts = {" ".join(text.split()).casefold() for text in shown}
    for sent in reversed(page.exchanges):
        if sent.kind not in ("xhr", "fetch") or not 200 <= sent.status < 300 or len(sent.body) < 2:
            continue
        if "json" not in sent.content_type and sent.body[:1] not in (b"{", b"["):
            continue
        if len(sent.body) > LONGEST_DATA:
            continue
        rows = json_rows(text_of(sent), addresses)
        if rows.error or rows.records is None:
            continue
        if not rows.records and not texts:
            return rows
        seen = sum(
            any(v.casefold() in texts for _, v in r.fields if len(v) > 1) for r in rows.records
        )
        if rows.records and seen * 10 >= len(rows.records) * 6:
            return rows
    return None
