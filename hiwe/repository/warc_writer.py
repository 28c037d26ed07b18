"""Write the archive: one worker's files, whole batches at a time."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from hiwe.errors import ArchiveError
from hiwe.repository.archive import Batch, Original, WarcRef, payload_digest, warc_date
from hiwe.repository.codec import to_plain
from hiwe.repository.salvage import marker_of
from hiwe.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page

LARGEST_FILE_BYTES = 1_000_000_000
REMEMBERED_BODIES = 100_000
LEAST_REPEATED_BYTES = 200  # a revisit record saves nothing for shorter bodies
FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class WarcWriter:
    """Writes the files of one worker, named PREFIX-TIME-SERIES-WORKER-NUMBER.warc.gz.

    `series` is the run's own, so that files of several runs may lie in one directory.

    What one call stores is handed to the operating system in one piece before the call returns, so
    that nothing is judged that the archive does not hold. `info` goes into each file's first
    record.
    """

    def __init__(
        self,
        directory: Path,
        prefix: str = "hiwe",
        *,
        series: str = "",
        worker: int = 0,
        info: Mapping[str, str] | None = None,
        largest_bytes: int = LARGEST_FILE_BYTES,
    ) -> None:
        self._directory = directory
        self._prefix = re.sub(r"[^A-Za-z0-9_]+", "_", prefix)
        self._owner = "-".join(part for part in (series, f"{worker:02d}") if part)
        self._info = dict(info or {})
        self._largest_bytes = largest_bytes
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        self._number = 0
        self._bodies: OrderedDict[str, Original] = OrderedDict()

    def store(
        self,
        exchanges: Sequence[Exchange],
        snapshot: Page | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> tuple[str, ...]:
        """Store exchanges and the rendered page; return their references 'file#offset'.

        One reference for each exchange over http or https (its response, or its request where no
        answer came), the page's last. `note` is kept with the page: what it was fetched for.
        ArchiveError if the file cannot be written.
        """
        try:
            file, name = self._open_file()
            batch = Batch(name, file.tell())
            kept = [(one, self._add_exchange(batch, one)) for one in exchanges if _is_http(one)]
            refs = [ref for _, ref in kept]
            if snapshot is not None:
                refs.append(_add_snapshot(batch, snapshot, kept, note or {}))
            file.write(batch.octets)
            file.flush()
        except OSError as exc:
            place = self._path or self._directory
            raise ArchiveError(place, f"cannot be written: {exc.strerror or exc}") from exc
        return tuple(str(ref) for ref in refs)

    def _add_exchange(self, batch: Batch, exchange: Exchange) -> WarcRef:
        """Add the records of an exchange; return the response's, or the request's without one."""
        if not exchange.status:
            request = batch.add_request(exchange, None)
            batch.add_failure(exchange, request)
            return request
        response = self._add_response(batch, exchange)
        batch.add_request(exchange, response)
        return response

    def _add_response(self, batch: Batch, exchange: Exchange) -> WarcRef:
        """Add the response, or a revisit record when its body is in the archive already."""
        digest = payload_digest(exchange.body)
        original = self._bodies.get(digest)
        if original is not None:
            self._bodies.move_to_end(digest)
            return batch.add_revisit(exchange, original)
        ref = batch.add_response(exchange, digest)
        if len(exchange.body) >= LEAST_REPEATED_BYTES:
            date = warc_date(exchange.started_at)
            self._bodies[digest] = Original(ref, exchange.url, date, digest)
        if len(self._bodies) > REMEMBERED_BODIES:
            self._bodies.popitem(last=False)
        return ref

    def _open_file(self) -> tuple[BinaryIO, str]:
        """Return the file to append to, a new one when there is none or it is full."""
        if self._file is not None and self._file.tell() >= self._largest_bytes:
            self.close()
        if self._file is None or self._path is None:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._path, self._file = self._new_file()
            batch = Batch(self._path.name, 0)
            batch.add_info(self._warcinfo())
            self._file.write(batch.octets)
            self._file.flush()
        return self._file, self._path.name

    def _new_file(self) -> tuple[Path, BinaryIO]:
        """Return a new file under a name that none has had."""
        time = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        while True:
            name = f"{self._prefix}-{time}-{self._owner}-{self._number:05d}.warc.gz"
            self._number += 1
            path = self._directory / name
            try:
                file = path.open("xb")
            except FileExistsError:
                continue
            marker_of(path).touch()
            return path, file

    def _warcinfo(self) -> dict[str, str]:
        own = {"software": f"hiwe/{__version__}", "format": "WARC file version 1.1"}
        return own | {"conformsTo": FORMAT} | self._info

    def close(self) -> None:
        """Close the file; a later call to `store` begins another one."""
        if self._file is not None and self._path is not None:
            self._file.close()
            marker_of(self._path).unlink(missing_ok=True)
        self._file = self._path = None


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
