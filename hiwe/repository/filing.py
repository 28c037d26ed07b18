"""Filing: exchanges and rendered pages put into a batch of archive records; bodies stand once."""

from __future__ import annotations

import json
from collections import ChainMap, OrderedDict
from typing import TYPE_CHECKING, Any

from hiwe.repository.archive import Original, payload_digest, warc_date
from hiwe.repository.codec import to_plain
from hiwe.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.repository.archive import Batch, WarcRef

    Bodies = dict[str, Original]

REMEMBERED_BODIES = 100_000
LEAST_REPEATED_BYTES = 200  # a revisit record saves nothing for shorter bodies
FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class Filing:
    """Knows the bodies that one worker's files hold: each stands there once."""

    def __init__(self) -> None:
        """No body is known."""
        self._bodies: OrderedDict[str, Original] = OrderedDict()

    def add(
        self,
        batch: Batch,
        exchanges: Sequence[Exchange],
        snapshot: Page | None,
        note: Mapping[str, Any] | None,
        fresh: Bodies,
    ) -> tuple[WarcRef, ...]:
        """Add exchanges and the rendered page; their references, the page's last.

        One reference for each exchange over http or https (its response, or its request where no
        answer came). `fresh` are bodies of records that are not safe yet; new ones are added to it,
        and known once they are `remember`ed.
        """
        kept = [(one, self._add_exchange(batch, one, fresh)) for one in exchanges if _is_http(one)]
        refs = [ref for _, ref in kept]
        if snapshot is not None:
            refs.append(_add_snapshot(batch, snapshot, kept, note or {}))
        return tuple(refs)

    def remember(self, fresh: Bodies) -> None:
        """The records of these bodies are safe: they may be referred to."""
        for digest, original in fresh.items():
            self._bodies.setdefault(digest, original)
        while len(self._bodies) > REMEMBERED_BODIES:
            self._bodies.popitem(last=False)

    def _add_exchange(self, batch: Batch, exchange: Exchange, fresh: Bodies) -> WarcRef:
        """Add the records of an exchange; return the response's, or the request's without one."""
        if not exchange.status:
            request = batch.add_request(exchange, None)
            batch.add_failure(exchange, request)
            return request
        response = self._add_response(batch, exchange, fresh)
        batch.add_request(exchange, response)
        return response

    def _add_response(self, batch: Batch, exchange: Exchange, fresh: Bodies) -> WarcRef:
        """Add the response, or a revisit record when its body is in the archive already."""
        digest = payload_digest(exchange.body)
        original = ChainMap(fresh, self._bodies).get(digest)
        if original is not None:
            if digest in self._bodies:
                self._bodies.move_to_end(digest)
            return batch.add_revisit(exchange, original)
        ref = batch.add_response(exchange, digest)
        if len(exchange.body) >= LEAST_REPEATED_BYTES:
            date = warc_date(exchange.started_at)
            fresh[digest] = Original(ref, exchange.url, date, digest)
        return ref


def file_name(prefix: str, time: str, series: str, worker: str, number: int) -> str:
    """Return PREFIX-TIME-SERIES-WORKER-NUMBER.warc.gz; a series of '' is left out."""
    parts = (prefix, time, series, worker, f"{number:05d}")
    return "-".join(part for part in parts if part) + ".warc.gz"


def series_of(name: str) -> str:
    """Return the series in the name of an archive file, '' if there is none."""
    parts = name.split("-")
    return parts[2] if len(parts) == 5 else ""


def warcinfo(info: Mapping[str, str]) -> dict[str, str]:
    """Return what the first record of a file says: what wrote it, in which format."""
    own = {"software": f"hiwe/{__version__}", "format": "WARC file version 1.1"}
    return own | {"conformsTo": FORMAT} | dict(info)


def _add_snapshot(
    batch: Batch, page: Page, kept: Sequence[tuple[Exchange, WarcRef]], note: Mapping[str, Any]
) -> WarcRef:
    """Add a rendered page: everything but its exchanges, which it names."""
    plain = to_plain(page)
    plain["exchanges"] = [str(ref) for _, ref in kept]
    text = json.dumps({"page": plain, "note": to_plain(note)}, ensure_ascii=False)
    documents = [ref for one, ref in kept if one.kind == "document" and one.status]
    return batch.add_conversion(
        page.url or "about:blank",
        text.encode("utf-8", "surrogatepass"),
        documents[-1] if documents else None,
    )


def _is_http(exchange: Exchange) -> bool:
    return exchange.url.startswith(("http://", "https://"))
