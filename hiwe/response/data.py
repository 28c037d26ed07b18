"""Answers that are data and no page, and the data behind a page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.response.evidence import retry_after
from hiwe.response.objects import json_rows
from hiwe.response.response import ResponseFeatures, Signal
from hiwe.response.rows import Rows, feed_rows, table_rows, without_frame
from hiwe.response.significant import combined, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.response.addresses import Addresses
    from hiwe.response.response import Record

LONGEST_DATA = 20_000_000  # characters
SHOWN_SHARE = 0.6  # of the items in fetched data, how many must be on the page
TABLE_TYPES = frozenset(
    {"text/csv", "text/tab-separated-values", "application/csv", "text/comma-separated-values"}
)


def answer_rows(page: Page, landed: str, addresses: Addresses) -> Rows | None:
    """The data of an answer that is no page: download, JSON, table of text, feed; else None."""
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
    if kind.endswith(("json", "/jsonl", "jsonlines")) or (
        landed == "download" and text[:1] in ("{", "[")
    ):
        return json_rows(without_frame(text), addresses)
    if kind.endswith("xml") and kind != "application/xhtml+xml":
        return feed_rows(without_frame(text) if text.startswith("<html") else text, addresses)
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


def fetched_rows(
    page: Page, shown: Sequence[Record], texts: Iterable[str], addresses: Addresses
) -> Rows | None:
    """JSON that the page fetched and shows: most of its items have a text among `texts`.

    `shown` are the records read from the page: an item without an address of its own has that of
    the shown one. An empty list is told only when none is shown. The last fitting exchange is
    taken; None without one.
    """
    sent = [one for one in page.exchanges if _is_json(one)]
    if not sent:
        return None
    seen = {_plain(text) for text in texts}
    by_text = {_plain(value): record for record in reversed(shown) for _, value in record.fields}
    for exchange in reversed(sent):
        rows = json_rows(text_of(exchange), addresses)
        if rows.error or rows.records is None:
            continue
        if not rows.records and not shown:
            return rows
        found = sum(any(text in seen for text in _texts(record)) for record in rows.records)
        if rows.records and found >= SHOWN_SHARE * len(rows.records):
            return replace(rows, records=tuple(_addressed(r, by_text) for r in rows.records))
    return None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(record: Record) -> Iterator[str]:
    """The values of a record that can stand on a page by themselves."""
    return (_plain(value) for _, value in record.fields if len(value) > 1)


def _addressed(record: Record, by_text: dict[str, Record]) -> Record:
    """The record with the address of the shown one that has a text in common with it."""
    if record.url:
        return record
    for text in _texts(record):
        shown = by_text.get(text)
        if shown is not None and shown.url:
            return replace(record, url=shown.url, key=shown.key)
    return record


def _is_json(sent: Exchange) -> bool:
    if sent.kind not in ("xhr", "fetch") or not 200 <= sent.status < 300:
        return False
    fits = 2 <= len(sent.body) <= LONGEST_DATA
    return fits and ("json" in sent.content_type or sent.body[:1] in (b"{", b"["))


def data_features(page: Page, rows: Rows, landed: str) -> ResponseFeatures:
    """Features of an answer that is data and no page."""
    signals = []
    if rows.error:
        signals.append(Signal("error", rows.error, 0.8))
    if rows.records == ():
        signals.append(Signal("empty_data", f"no items in the {rows.origin}", 0.9))
    elif rows.records:
        signals.append(Signal("repeated", f"{len(rows.records)} x {rows.origin}", 0.95))
    lines = frozenset(digest_of(record.key) for record in rows.records or ())
    return ResponseFeatures(
        url=page.url,
        status=page.status,
        landed=landed,
        content_type=page.content_type,
        records=rows.records or (),
        count=rows.count,
        pager=rows.pager(),
        signals=tuple(signals),
        significant=lines,
        digest=combined(sorted(lines)),
        title=page.title,
        has_form_again=False,
        form_unchanged=False,
        length=len(page.html),
        retry_after_s=retry_after(page),
        region=rows.region(),
        words=len(rows.records or ()),
    )
