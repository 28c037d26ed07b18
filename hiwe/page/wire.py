"""Exchanges from what was recorded of them: exact bytes, headers in the order of the wire."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from hiwe.page.exchange import Exchange

if TYPE_CHECKING:
    from hiwe.page.network import Event, Hop


def _order(names: str) -> dict[str, float]:
    return {name: float(place) for place, name in enumerate(names.split())}


# The browser reports request headers in alphabetical order. These are the orders in which Chromium
# sends them over HTTP/1.1, observed at a server; what a script adds comes before sec-ch-ua-mobile.
DOCUMENT_ORDER = _order(
    "host connection content-length pragma cache-control authorization sec-ch-ua sec-ch-ua-mobile"
    " sec-ch-ua-platform upgrade-insecure-requests content-type user-agent origin accept"
    " sec-fetch-site sec-fetch-mode sec-fetch-user sec-fetch-dest sec-fetch-storage-access referer"
    " accept-encoding accept-language cookie if-none-match if-modified-since"
)
SCRIPT_ORDER = _order(
    "host connection content-length pragma cache-control authorization sec-ch-ua-platform"
    " x-requested-with user-agent sec-ch-ua content-type sec-ch-ua-mobile accept origin"
    " sec-fetch-site sec-fetch-mode sec-fetch-dest sec-fetch-storage-access referer"
    " accept-encoding accept-language cookie if-none-match if-modified-since"
)


def exchange_of(hop: Hop) -> Exchange:
    """The finished record of one hop."""
    status, reason, headers = _answer(hop)
    ended = hop.ended if hop.ended is not None else hop.began
    return Exchange(
        method=hop.method,
        url=hop.url,
        request_headers=_request_headers(hop),
        request_body=hop.body,
        status=status,
        reason=reason,
        response_headers=headers,
        body=hop.content or b"",
        started_at=hop.started_at,
        duration_s=max(0.0, ended - hop.began),
        kind=hop.kind,
        download=hop.download,
        error="" if hop.download else (hop.error or ("" if hop.is_over else "no answer yet")),
    )


def _request_headers(hop: Hop) -> tuple[tuple[str, str], ...]:
    headers = hop.sent_headers or hop.asked_headers
    order = DOCUMENT_ORDER if hop.kind == "document" else SCRIPT_ORDER
    unknown = order["sec-ch-ua-mobile"] - 0.5
    pairs = [(name, str(value)) for name, value in headers.items() if not name.startswith(":")]
    return tuple(sorted(pairs, key=lambda pair: order.get(pair[0].lower(), unknown)))


def _answer(hop: Hop) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """Status, reason and header lines of the answer; status 0 when there was none."""
    if hop.response is None:
        return 0, "", ()
    response = hop.response
    status, reason = int(response["status"]), str(response.get("statusText", ""))
    received = hop.received
    if received is None:
        return status, reason, _unfold(response.get("headers", {}))
    status = int(received.get("statusCode") or status)
    text = received.get("headersText")
    return status, reason, _lines(text) if text else _unfold(received["headers"])


def _unfold(headers: Event) -> tuple[tuple[str, str], ...]:
    """One pair for each line: repeated headers are reported as one, with line breaks."""
    return tuple((k, line) for k, v in headers.items() for line in str(v).split("\n"))


def _lines(text: str) -> tuple[tuple[str, str], ...]:
    """The header lines of a raw answer head, in order."""
    pairs = (line.partition(":") for line in text.split("\r\n")[1:] if ":" in line)
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)


def content_of(hop: Hop, answer: Event) -> bytes:
    """The body's bytes from Network.getResponseBody.

    The browser hands text over decoded; encoding it again with the answer's own charset gives the
    bytes back (malformed sequences are lost: they were replaced when the browser read them).
    """
    if answer.get("base64Encoded"):
        try:
            return base64.b64decode(answer["body"])
        except (binascii.Error, ValueError):
            return b""
    charset = (hop.response or {}).get("charset") or "utf-8"
    text: str = answer["body"]
    try:
        return text.encode(_codec(charset))
    except (LookupError, UnicodeEncodeError):
        return text.encode("utf-8", "surrogatepass")


def _codec(charset: str) -> str:
    """Python's name of a web charset: pages that say Latin-1 mean windows-1252 (WHATWG)."""
    name = charset.strip().lower()
    return "windows-1252" if name in ("iso-8859-1", "latin1", "us-ascii", "ascii") else name
