"""Record what a tab sends and receives, from the browser's own network events.

The browser reports one request in several events: what the page asked for, what really went over
the wire, the answer's headers, the end. `Recorder` puts them together into hops, one for each
request of a redirect chain, and knows which are still under way (`wire.py` makes Exchanges).
"""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

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
    noted: float = field(default_factory=time.monotonic)  # when we heard of it

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
        if event.get("type") in IGNORED_TYPES or not event["request"]["url"].startswith("http"):
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
