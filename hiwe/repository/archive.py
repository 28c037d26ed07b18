"""Records of the archive: WARC 1.1 (ISO 28500:2017). The only module that imports warcio.

An exchange is a response and a request record tied together; a response whose body the archive
holds already is a revisit record; a rendered page is a conversion record of JSON. Each record is a
gzip member of its own, so that it can be read from its offset.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from warcio.archiveiterator import WARCIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from hiwe.errors import ArchiveError
from hiwe.repository import wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.page.exchange import Exchange
    from hiwe.repository.objects import ArchiveFile

COMPRESSION_LEVEL = 6
KIND, DURATION, DOWNLOAD = "Hiwe-Kind", "Hiwe-Duration", "Hiwe-Download"
REFERS_FILE, REFERS_OFFSET = "WARC-Refers-To-Filename", "WARC-Refers-To-File-Offset"


@dataclass(frozen=True, slots=True)
class WarcRef:
    """Where a record lies: file name within the archive's directory, offset of its first octet."""

    file: str
    offset: int
    record_id: str = ""

    def __str__(self) -> str:
        return f"{self.file}#{self.offset}"

    @classmethod
    def parse(cls, text: str) -> WarcRef:
        """Return the reference that `str` gave; ValueError if it is none."""
        file, _, offset = text.rpartition("#")
        if not file or not offset.isdecimal():
            raise ValueError(f"{text!r} is no reference into an archive")
        return cls(file, int(offset))


@dataclass(frozen=True, slots=True)
class Original:
    """The response whose body a revisit record repeats."""

    ref: WarcRef
    url: str
    date: str
    digest: str


@dataclass(frozen=True, slots=True)
class ArchivedRecord:
    """A record as read: its own header fields (lower-case names), HTTP head, body.

    `line` is the status or request line, '' for a record that is no HTTP message.
    """

    ref: WarcRef
    kind: str
    url: str
    headers: Mapping[str, str]
    line: str
    fields: tuple[tuple[str, str], ...]
    body: bytes


class Batch:
    """Records on their way into one file: each compressed alone, at a known offset."""

    def __init__(self, file: str, offset: int) -> None:
        self._file = file
        self._offset = offset
        self._builder = WARCWriter(io.BytesIO(), gzip=False, warc_version="1.1")
        self.octets = bytearray()

    def add_info(self, info: Mapping[str, str]) -> WarcRef:
        """Add the record that begins a file: what wrote it."""
        return self._add(self._builder.create_warcinfo_record(self._file, dict(info)))

    def add_request(self, exchange: Exchange, response: WarcRef | None) -> WarcRef:
        """Add a request record, tied to its response if there is one."""
        head = StatusAndHeaders(
            wire.request_line(exchange), wire.request_fields(exchange), is_http_request=True
        )
        headers = {"WARC-Date": warc_date(exchange.started_at)}
        if response is None:
            headers |= _of_fetch(exchange)
        else:
            headers["WARC-Concurrent-To"] = response.record_id
        return self._build(exchange.url, "request", headers, exchange.request_body, head)

    def add_response(self, exchange: Exchange, digest: str) -> WarcRef:
        """Add a response record; `digest` is that of its body."""
        headers = {"WARC-Date": warc_date(exchange.started_at), "WARC-Payload-Digest": digest}
        headers |= _of_fetch(exchange)
        return self._build(exchange.url, "response", headers, exchange.body, _head(exchange))

    def add_revisit(self, exchange: Exchange, original: Original) -> WarcRef:
        """Add a revisit record: the response's head, and where its body is."""
        headers = {
            "WARC-Date": warc_date(exchange.started_at),
            "WARC-Refers-To": original.ref.record_id,
            REFERS_FILE: original.ref.file,
            REFERS_OFFSET: str(original.ref.offset),
        }
        record = self._builder.create_revisit_record(
            plain_url(exchange.url), original.digest, original.url, original.date,
            _head(exchange), headers | _of_fetch(exchange),
        )  # fmt: skip
        return self._add(record)

    def add_failure(self, exchange: Exchange, request: WarcRef) -> WarcRef:
        """Add a metadata record that says why a request has no response."""
        reason = " ".join(exchange.error.split()) or "no answer"
        headers = {"WARC-Date": warc_date(exchange.started_at)}
        headers["WARC-Concurrent-To"] = request.record_id
        return self._build(exchange.url, "metadata", headers, f"fetchError: {reason}\r\n".encode())

    def add_conversion(self, url: str, body: bytes, refers_to: WarcRef | None) -> WarcRef:
        """Add a JSON document made from what was fetched."""
        headers = {"WARC-Date": warc_date(datetime.now(UTC)), "Content-Type": "application/json"}
        if refers_to is not None:
            headers["WARC-Refers-To"] = refers_to.record_id
        return self._build(url, "conversion", headers, body)

    def _build(
        self,
        url: str,
        kind: str,
        headers: dict[str, str],
        body: bytes,
        head: StatusAndHeaders | None = None,
    ) -> WarcRef:
        record = self._builder.create_warc_record(
            plain_url(url),
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            warc_headers_dict=headers,
            http_headers=head,
        )
        return self._add(record)

    def _add(self, record: Any) -> WarcRef:
        plain = io.BytesIO()
        WARCWriter(plain, gzip=False, warc_version="1.1").write_record(record)
        record_id = record.rec_headers.get_header("WARC-Record-ID")
        ref = WarcRef(self._file, self._offset + len(self.octets), record_id)
        packer = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        self.octets += packer.compress(plain.getbuffer()) + packer.flush()
        return ref


def _head(exchange: Exchange) -> StatusAndHeaders:
    """Return a response's status line and header fields."""
    fields = wire.stored_fields(exchange.response_headers, len(exchange.body))
    return StatusAndHeaders(wire.status_line(exchange), fields, protocol="HTTP/1.1")


def _of_fetch(exchange: Exchange) -> dict[str, str]:
    """Return what HTTP itself does not say of an exchange, as extension fields."""
    headers = {KIND: exchange.kind, DURATION: f"{exchange.duration_s:.3f}"}
    return headers | {DOWNLOAD: "1"} if exchange.download else headers


def payload_digest(body: bytes) -> str:
    """Return the digest of a body as archives write it: SHA-1 in base 32."""
    return f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"


def warc_date(moment: datetime) -> str:
    """Return a moment in UTC with microseconds; a naive one is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def plain_url(url: str) -> str:
    """Return an address without blanks and line breaks: it has to fit into one header field."""
    return "".join(url.split()) if url.split() != [url] else url


def records(path: ArchiveFile, offset: int = 0) -> Iterator[ArchivedRecord]:
    """Yield the records of a file from an offset on; ArchiveError where it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            found = WARCIterator(file)
            for record in found:
                body = record.content_stream().read()
                yield _archived(record, WarcRef(path.name, found.get_record_offset()), body)
    except OSError as exc:
        raise ArchiveError(path, exc.strerror or str(exc)) from exc
    except ArchiveLoadFailed as exc:
        raise ArchiveError(path, f"is no sound archive: {exc}") from exc


def _archived(record: Any, ref: WarcRef, body: bytes) -> ArchivedRecord:
    headers = {name.lower(): value for name, value in record.rec_headers.headers}
    head = record.http_headers
    return ArchivedRecord(
        WarcRef(ref.file, ref.offset, headers.get("warc-record-id", "")),
        record.rec_type,
        headers.get("warc-target-uri", ""),
        headers,
        f"{head.protocol} {head.statusline}" if head else "",
        tuple(head.headers) if head else (),
        body,
    )
