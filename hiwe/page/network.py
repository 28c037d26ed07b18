"""Record what a tab sends and receives, from the browser's own network events.

The browser reports one request in several events: what the page asked for, what really went over
the wire, the answer's headers, the end. `Recorder` puts them together into `Exchange`s, one for
each hop of a redirect chain, and knows which requests are still under way.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from hiwe.page.exchange import Exchange

Event = dict[str, Any]

KINDS = {
    "Document": "document",
    "XHR": "xhr",
    "Fetch": "fetch",
    "Stylesheet": "stylesheet",
    "Script": "script",
}
DATA_KINDS = frozenset({"xhr", "fetch"})
IGNORED_TYPES = frozenset({"Image", "Font", "Media", "Preflight", "Prefetch"})
BLOCKED = "blocked: robots.txt or scope forbid this address"
# The events name request headers in alphabetical order; this is the order Chromium sends them in
# over HTTP/1.1. Others follow in the order reported.
SENT_ORDER = (
    "host",
    "connection",
    "content-length",
    "pragma",
    "cache-control",
    "authorization",
    "sec-ch-ua-platform",
    "x-requested-with",
    "user-agent",
    "sec-ch-ua",
    "content-type",
    "sec-ch-ua-mobile",
    "upgrade-insecure-requests",
    "accept",
    "origin",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-user",
    "sec-fetch-dest",
    "sec-fetch-storage-access",
    "referer",
    "accept-encoding",
    "accept-language",
    "cookie",
    "if-none-match",
    "if-modified-since",
)


@dataclass(slots=True)
class Hop:
    """One request of a chain and what is known of its answer so far."""

    request_id: str
    loader: str
    frame: str
    kind: str
    method: str
    url: str
    asked_headers: Event
    body: bytes
    started_at: datetime
    began: float
    response: Event | None = None
    ended: float | None = None
    error: str = ""
    redirected: bool = False
    from_cache: bool = False
    wire: bool = True
    download: bool = False
    content: bytes | None = None
    sent_headers: Event | None = None
    received: Event | None = None
    taken: bool = False

    @property
    def is_over(self) -> bool:
        """The answer is complete, or there will be none."""
        return self.ended is not None


@dataclass
class Recorder:
    """Hops of one tab in order of departure; `on_*` methods take the events' parameters."""

    hops: list[Hop] = field(default_factory=list)
    _sent: dict[str, list[Event]] = field(default_factory=dict)
    _received: dict[str, list[Event]] = field(default_factory=dict)
    _open: dict[str, Hop] = field(default_factory=dict)
    ended_data: int = 0  # xhr and fetch requests that came to their end

    def on_request(self, event: Event) -> None:
        """Network.requestWillBeSent: a request leaves, or a redirect is followed."""
        if event.get("type") in IGNORED_TYPES or event["request"]["url"].startswith("data:"):
            return
        request_id, request = event["requestId"], event["request"]
        if "redirectResponse" in event and request_id in self._open:
            hop = self._open.pop(request_id)
            hop.redirected = True
            hop.response = event["redirectResponse"]
            hop.wire = event.get("redirectHasExtraInfo", True)
            hop.ended = event["timestamp"]
        hop = Hop(
            request_id=request_id,
            loader=event.get("loaderId", ""),
            frame=event.get("frameId", ""),
            kind=KINDS.get(event.get("type", ""), "other"),
            method=request["method"],
            url=request["url"],
            asked_headers=request.get("headers", {}),
            body=post_body(request),
            started_at=datetime.fromtimestamp(event["wallTime"], UTC),
            began=event["timestamp"],
        )
        self._open[request_id] = hop
        self.hops.append(hop)

    def on_sent(self, event: Event) -> None:
        """Network.requestWillBeSentExtraInfo: the headers that really went out."""
        self._sent.setdefault(event["requestId"], []).append(event["headers"])

    def on_received(self, event: Event) -> None:
        """Network.responseReceivedExtraInfo: the headers that really came in."""
        self._received.setdefault(event["requestId"], []).append(event)

    def on_response(self, event: Event) -> None:
        """Network.responseReceived: an answer begins."""
        hop = self._open.get(event["requestId"])
        if hop is None:
            return
        hop.response = event["response"]
        hop.kind = KINDS.get(event.get("type", ""), hop.kind)
        hop.wire = event.get("hasExtraInfo", True)
        hop.from_cache = bool(
            event["response"].get("fromDiskCache") or event["response"].get("fromPrefetchCache")
        )

    def on_cached(self, event: Event) -> None:
        """Network.requestServedFromCache: nothing leaves the browser."""
        hop = self._open.get(event["requestId"])
        if hop is not None:
            hop.from_cache = True

    def on_finished(self, event: Event) -> None:
        """Network.loadingFinished: the answer is complete."""
        self._end(event, "")

    def on_failed(self, event: Event) -> None:
        """Network.loadingFailed: no answer, or it was broken off."""
        reason = event.get("blockedReason") or event.get("errorText") or "failed"
        if event.get("blockedReason") == "inspector":
            reason = BLOCKED
        self._end(event, reason)

    def _end(self, event: Event, error: str) -> None:
        hop = self._open.pop(event["requestId"], None)
        if hop is None:
            return
        hop.ended = event["timestamp"]
        hop.error = error
        if hop.kind in DATA_KINDS:
            self.ended_data += 1

    def pending(self, kinds: frozenset[str], *, since: int = 0) -> list[Hop]:
        """Hops of these kinds still under way among those that left after the first `since`."""
        if not self._open:
            return []
        return [h for h in self.hops[since:] if not h.is_over and h.kind in kinds]

    def document_of(self, loader: str, url: str = "") -> Hop | None:
        """The hop that brought the document with this loader id (the last of its redirects).

        A document that was asked for before the tab was listened to has none: `url` finds it.
        """
        documents = [h for h in reversed(self.hops) if h.kind == "document"]
        for hop in documents:
            if loader in (hop.loader, hop.request_id):
                return hop
        bare = url.split("#")[0]
        return next((h for h in documents if not h.loader and h.url.split("#")[0] == bare), None)

    def last_of(self, url: str) -> Hop | None:
        """The last hop to `url`."""
        return next((h for h in reversed(self.hops) if h.url == url), None)

    def clear(self) -> None:
        """Forget everything, before the tab is used again."""
        self.hops.clear()
        self._sent.clear()
        self._received.clear()
        self._open.clear()
        self.ended_data = 0

    def take(self) -> list[Hop]:
        """Hops that are over or still open and were not taken before; marks the ended as taken."""
        self._match_wire()
        fresh = [h for h in self.hops if not h.taken]
        for hop in fresh:
            hop.taken = hop.is_over
        return fresh

    def _match_wire(self) -> None:
        """Give each hop the headers of the wire: the n-th report belongs to the n-th wire hop."""
        seen: dict[str, int] = {}
        for hop in self.hops:
            if not hop.wire:
                continue
            place = seen.get(hop.request_id, 0)
            seen[hop.request_id] = place + 1
            hop.sent_headers = _at(self._sent.get(hop.request_id), place)
            hop.received = _at(self._received.get(hop.request_id), place)


def _at(events: list[Event] | None, place: int) -> Event | None:
    return events[place] if events and place < len(events) else None


def post_body(request: Event) -> bytes:
    """The exact bytes of a request's body, b'' when it has none."""
    entries = request.get("postDataEntries") or []
    parts = [entry["bytes"] for entry in entries if "bytes" in entry]
    if parts:
        return b"".join(base64.b64decode(part) for part in parts)
    text: str = request.get("postData", "")
    return text.encode("utf-8", "surrogateescape")


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
    known = {name: place for place, name in enumerate(SENT_ORDER)}
    pairs = [(name, str(value)) for name, value in headers.items() if not name.startswith(":")]
    return tuple(sorted(pairs, key=lambda pair: known.get(pair[0].lower(), len(known))))


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
    latin: Literal["windows-1252"] = "windows-1252"
    return latin if name in ("iso-8859-1", "latin1", "us-ascii", "ascii") else name
