"""Read the archive: exchanges by reference, rendered pages in the order they were stored."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hiwe.errors import ArchiveError
from hiwe.page.exchange import Exchange
from hiwe.page.page import Page
from hiwe.repository import wire
from hiwe.repository.archive import (
    DOWNLOAD,
    DURATION,
    KIND,
    REFERS_FILE,
    REFERS_OFFSET,
    ArchivedRecord,
    WarcRef,
    records,
)
from hiwe.repository.codec import from_plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.repository.archive_place import Place
    from hiwe.repository.objects import ArchiveFile


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A rendered page with its exchanges, where it lies, and the note it was stored with."""

    page: Page
    ref: WarcRef
    note: dict[str, Any]


def archive_files(directory: Place) -> list[ArchiveFile]:
    """Return the files of an archive, in the order they were begun."""
    return sorted(directory.glob("*.warc.gz"), key=lambda file: file.name)


def read_pages(directory: Place) -> Iterator[ArchivedPage]:
    """Yield every rendered page of an archive, file by file."""
    for path in archive_files(directory):
        yield from _pages_of(directory, path)


def _pages_of(directory: Place, path: ArchiveFile) -> Iterator[ArchivedPage]:
    """Yield the pages of a file; most of their exchanges stand just before them."""
    before: ArchivedRecord | None = None
    passed: dict[str, Exchange] = {}
    for record in records(path):
        if record.kind == "conversion":
            yield _page(directory, record, passed)
            passed.clear()
        elif before is not None and before.kind == "response" and record.kind == "request":
            passed[str(before.ref)] = _exchange(record, before, before.body, "")
        before = record


def read_page(directory: Place, ref: str | WarcRef) -> ArchivedPage:
    """Return the rendered page at a reference; ArchiveError if there is none."""
    record = _record_at(directory, ref)
    if record.kind != "conversion":
        raise ArchiveError(directory / record.ref.file, f"no page at {record.ref}")
    return _page(directory, record, {})


def _page(directory: Place, record: ArchivedRecord, passed: Mapping[str, Exchange]) -> ArchivedPage:
    """Build a page; exchanges that were not passed on the way are looked up."""
    stored = json.loads(record.body)
    plain = stored["page"]
    refs = plain.pop("exchanges", [])
    exchanges = tuple(passed.get(ref) or read_exchange(directory, ref) for ref in refs)
    page = replace(from_plain(Page, plain), exchanges=exchanges)
    return ArchivedPage(page, record.ref, stored["note"])


def read_exchange(directory: Place, ref: str | WarcRef) -> Exchange:
    """Return the exchange whose response (or unanswered request) is at a reference.

    ArchiveError if there is none.
    """
    first, second = _pair_at(directory, ref)
    if first.kind == "request":
        return _exchange(first, None, b"", _error(second))
    if first.kind not in ("response", "revisit") or second is None or second.kind != "request":
        raise ArchiveError(directory / first.ref.file, f"no exchange at {first.ref}")
    body = first.body if first.kind == "response" else _original_body(directory, first)
    return _exchange(second, first, body, "")


def _pair_at(directory: Place, ref: str | WarcRef) -> tuple[ArchivedRecord, ArchivedRecord | None]:
    """Return the record at a reference and the one that follows it."""
    place = WarcRef.parse(ref) if isinstance(ref, str) else ref
    path = directory / place.file
    found = records(path, place.offset)
    first = next(found, None)
    if first is None:
        raise ArchiveError(path, f"has no record at {place.offset}")
    return first, next(found, None)


def _record_at(directory: Place, ref: str | WarcRef) -> ArchivedRecord:
    return _pair_at(directory, ref)[0]


def _original_body(directory: Place, revisit: ArchivedRecord) -> bytes:
    """Return the body that a revisit record repeats."""
    file = revisit.headers[REFERS_FILE.lower()]
    offset = int(revisit.headers[REFERS_OFFSET.lower()])
    return _record_at(directory, WarcRef(file, offset)).body


def _error(metadata: ArchivedRecord | None) -> str:
    if metadata is None or metadata.kind != "metadata":
        return ""
    return metadata.body.decode().removeprefix("fetchError: ").strip()


def _exchange(
    request: ArchivedRecord, response: ArchivedRecord | None, body: bytes, error: str
) -> Exchange:
    """Build an exchange from its records."""
    headers = (response or request).headers
    status, _, reason = (
        response.line.partition(" ")[2].partition(" ") if response else ("0", "", "")
    )
    return Exchange(
        method=request.line.split(" ", 1)[0],
        url=(response or request).url,
        request_headers=wire.original_fields(request.fields),
        request_body=request.body,
        status=int(status),
        reason=reason,
        response_headers=wire.original_fields(response.fields) if response else (),
        body=body,
        started_at=datetime.fromisoformat(headers["warc-date"]),
        duration_s=float(headers.get(DURATION.lower(), 0.0)),
        kind=headers.get(KIND.lower(), "document"),
        download=DOWNLOAD.lower() in headers,
        error=error,
    )
