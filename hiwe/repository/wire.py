"""How an exchange stands in an archive: request and status line, header fields, and back.

Bodies are stored decoded, so the fields that describe the transfer (its coding, its length) no
longer hold: they are kept under another name, as is common practice, and restored when read.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.page.exchange import Exchange

    Headers = list[tuple[str, str]]

KEPT_AS = "X-Archive-Orig-"
OF_THE_TRANSFER = frozenset({"content-encoding", "transfer-encoding", "content-length"})
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def request_line(exchange: Exchange) -> str:
    """Return `POST /find?x=1 HTTP/1.1`."""
    target = re.sub(r"^[a-z]+://[^/?#]*", "", exchange.url.split("#")[0], flags=re.IGNORECASE)
    target = target if target.startswith("/") else f"/{target}"
    return f"{exchange.method} {quote(target, safe=_PRINTABLE)} HTTP/1.1"


_PRINTABLE = "".join(chr(code) for code in range(0x21, 0x7F))


def status_line(exchange: Exchange) -> str:
    """Return `200 OK`; the reason is the standard's where the server's is not plain text."""
    reason = exchange.reason.strip()
    if not reason or not reason.isascii() or not reason.isprintable():
        known = exchange.status in set(HTTPStatus)
        reason = HTTPStatus(exchange.status).phrase if known else "Unknown"
    return f"{exchange.status} {reason}"


def request_fields(exchange: Exchange) -> Headers:
    """Return the request's header fields as stored; the host is there, as HTTP/1.1 demands."""
    fields = stored_fields(exchange.request_headers, len(exchange.request_body))
    if not any(name.lower() == "host" for name, _ in fields):
        host = re.sub(r"^[a-z]+://([^/?#]*).*", r"\1", exchange.url, flags=re.IGNORECASE)
        fields.insert(0, ("Host", host.rpartition("@")[2]))
    return fields


def stored_fields(headers: tuple[tuple[str, str], ...], body_length: int) -> Headers:
    """Return header fields that agree with a decoded body of `body_length` octets.

    Pseudo-fields of HTTP/2 are left out; a value of several lines (how browsers hand on repeated
    fields) becomes several fields.
    """
    fields: Headers = []
    for name, value in headers:
        if not TOKEN.fullmatch(name):
            continue
        holds = name.lower() not in OF_THE_TRANSFER or _length_holds(name, value, body_length)
        for line in value.splitlines() or [""]:
            fields.append((name if holds else KEPT_AS + name, line.strip().replace("\0", "")))
    return fields


def _length_holds(name: str, value: str, body_length: int) -> bool:
    return name.lower() == "content-length" and value.strip() == str(body_length)


def original_fields(fields: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return header fields as they came over the wire, from those stored."""
    return tuple(
        (name[len(KEPT_AS) :] if name.lower().startswith(KEPT_AS.lower()) else name, value)
        for name, value in fields
    )
