"""Answers that are data and no page, and the data behind a page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.response.objects import json_rows
from hiwe.response.rows import Rows, feed_rows, table_rows, without_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.response.records import Addresses
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
    if kind.endswith("json") or (landed == "download" and text[:1] in ("{", "[")):
        return json_rows(without_frame(text), addresses)
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


def fetched_rows(page: Page, shown: Sequence[Record], addresses: Addresses) -> Rows | None:
    """JSON that the page fetched and shows: most of its items' names stand among those shown.

    An empty list is told only when nothing is shown. The last fitting exchange is taken. An item
    without an address of its own has that of the shown one.
    """
    by_text = {
        " ".join(value.split()).casefold(): record
        for record in reversed(shown)
        for _, value in record.fields
        if len(value) > 1
    }
    for sent in reversed(page.exchanges):
        if not _is_json(sent):
            continue
        rows = json_rows(text_of(sent), addresses)
        if rows.error or rows.records is None:
            continue
        if not rows.records and not shown:
            return rows
        paired = [_shown_as(record, by_text) for record in rows.records]
        if rows.records and sum(one is not None for one in paired) >= SHOWN_SHARE * len(paired):
            records = tuple(
                replace(record, url=one.url, key=one.key)
                if one and one.url and not record.url
                else record
                for record, one in zip(rows.records, paired, strict=True)
            )
            return replace(rows, records=records)
    return None


def _is_json(sent: Exchange) -> bool:
    if sent.kind not in ("xhr", "fetch") or not 200 <= sent.status < 300:
        return False
    fits = 2 <= len(sent.body) <= LONGEST_DATA
    return fits and ("json" in sent.content_type or sent.body[:1] in (b"{", b"["))


def _shown_as(record: Record, by_text: dict[str, Record]) -> Record | None:
    """The shown record that has a text in common with one of the data."""
    for _, value in record.fields:
        found = by_text.get(" ".join(value.split()).casefold()) if len(value) > 1 else None
        if found is not None:
            return found
    return None
