"""Answers that are no web pages: files shown in a viewer, saved as downloads, or plain text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from hiwe.page.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.exchange import Exchange

HTML_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
TEXT_TYPES = frozenset(
    {
        "application/json",
        "application/ld+json",
        "application/xml",
        "application/javascript",
        "application/csv",
        "application/x-ndjson",
        "application/vnd.ms-excel",  # servers say so of CSV, too
    }
)
LARGEST_TEXT_BYTES = 5_000_000


def is_html(content_type: str) -> bool:
    """Whether a browser builds a document of this media type from markup."""
    return content_type in HTML_TYPES


def is_text(content_type: str) -> bool:
    """Whether a person can read the bytes of this media type."""
    return (
        content_type.startswith("text/")
        or content_type in TEXT_TYPES
        or content_type.endswith(("+json", "+xml"))
    )


def text_of(exchange: Exchange) -> str:
    """The body as text: by its charset, else UTF-8, else windows-1252; '' for binary data."""
    body = exchange.body[:LARGEST_TEXT_BYTES]
    if b"\x00" in body[:1000] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    for charset in (charset_of(exchange), "utf-8-sig", "windows-1252"):
        try:
            return body.decode(charset)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def charset_of(exchange: Exchange) -> str:
    """The charset that the answer names, 'utf-8-sig' when it names none."""
    for part in exchange.header("content-type").split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip(" \"'").lower() or "utf-8-sig"
    return "utf-8-sig"


def page_of_file(
    exchange: Exchange,
    *,
    exchanges: Sequence[Exchange] = (),
    dialogs: Sequence[str] = (),
    fetched_at: str = "",
) -> Page:
    """A Page of an answer that is no web page: its text in one `<pre>`, no markup if binary."""
    text = text_of(exchange) if is_text(exchange.content_type) else ""
    return Page(
        url=exchange.url,
        status=exchange.status,
        html=f"<html><body><pre>{escape(text)}</pre></body></html>" if text else "",
        content_type=exchange.content_type or "application/octet-stream",
        charset="utf-8",
        base_url=exchange.url,
        headers=exchange.response_headers,
        dialogs=tuple(dialogs),
        exchanges=tuple(exchanges),
        fetched_at=fetched_at,
    )


def page_without_document(
    url: str,
    *,
    exchanges: Sequence[Exchange] = (),
    dialogs: Sequence[str] = (),
    fetched_at: str = "",
) -> Page:
    """A Page where no document took its place: a file to save, an empty answer, a refusal.

    Status 0 means that nothing was asked for, or nothing came; `exchanges` say why.
    """
    last = next((e for e in reversed(exchanges) if e.kind == "document"), None)
    if last is not None and last.download:
        return page_of_file(last, exchanges=exchanges, dialogs=dialogs, fetched_at=fetched_at)
    return Page(
        url=last.url if last else url,
        status=last.status if last else 0,
        html="",
        content_type=last.content_type if last else "",
        headers=last.response_headers if last else (),
        dialogs=tuple(dialogs),
        exchanges=tuple(exchanges),
        fetched_at=fetched_at,
    )
