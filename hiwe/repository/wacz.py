"""WACZ 1.1.1: the archive with an index and a list of pages in one file, for replay in a browser.

The index is CDXJ: a line for each response with its address turned round (host backwards), time,
and where it lies. A POST is indexed under its address and the fields of its body, as replay tools
do, so that each of several bodies finds its own answer.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from hiwe.repository.archive import ArchivedRecord, records
from hiwe.repository.archive_place import archive_of
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.pages import Pages
from hiwe.repository.warc_reader import archive_files
from hiwe.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiwe.repository.objects import ArchiveFile

VERSION = "1.1.1"
MAX_BODY_KEY = 16 * 1024
BLOCK_BYTES = 1 << 20


def write_wacz(directory: Path, target: Path) -> None:
    """Write the archive of a run as one WACZ file."""
    partial = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as package:
            _fill(package, directory)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _fill(package: zipfile.ZipFile, directory: Path) -> None:
    resources: list[dict[str, Any]] = []
    lines: list[str] = []
    for path in archive_files(archive_of(directory)):
        resources.append(_add_file(package, path))
        lines += index_lines(path)
    index = gzip.compress("".join(sorted(lines)).encode(), mtime=0)
    for name, octets in (
        ("indexes/index.cdx.gz", index),
        ("pages/pages.jsonl", _page_list(directory).encode("utf-8", "replace")),
    ):
        package.writestr(name, octets)
        resources.append(_resource(name, hashlib.sha256(octets).hexdigest(), len(octets)))
    description = json.dumps(_description(resources), indent=2).encode()
    package.writestr("datapackage.json", description)
    whole = {
        "path": "datapackage.json",
        "hash": f"sha256:{hashlib.sha256(description).hexdigest()}",
    }
    package.writestr("datapackage-digest.json", json.dumps(whole))


def _add_file(package: zipfile.ZipFile, path: ArchiveFile) -> dict[str, Any]:
    """Copy a file of the archive into the package; return what is to be said of it."""
    digest, size = hashlib.sha256(), 0
    name = f"archive/{path.name}"
    with path.open("rb") as file, package.open(name, "w", force_zip64=True) as target:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            size += target.write(block)
    return _resource(name, digest.hexdigest(), size)


def _resource(path: str, digest: str, size: int) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {"name": name, "path": path, "hash": f"sha256:{digest}", "bytes": size}


def _description(resources: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "profile": "data-package",
        "wacz_version": VERSION,
        "software": f"hiwe/{__version__}",
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "resources": resources,
    }


def _page_list(directory: Path) -> str:
    """Return the pages that were visited, one JSON object a line after the head."""
    lines = [{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}]
    with Database(directory / FILE_NAME, read_only=True) as db:
        for page in Pages(db).each():
            moment = datetime.fromtimestamp(page.fetched_at, UTC)
            lines.append(
                {
                    "id": str(page.id),
                    "url": page.url,
                    "title": page.title or page.url,
                    "ts": moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                }
            )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def index_lines(path: ArchiveFile) -> Iterator[str]:
    """Yield a CDXJ line for each response and revisit record of a file."""
    response: ArchivedRecord | None = None
    for record in records(path):
        if response is not None:
            yield _line(response, record, record.ref.offset - response.ref.offset)
        answers = record.kind in ("response", "revisit")
        response = record if answers else None


def _line(response: ArchivedRecord, request: ArchivedRecord, length: int) -> str:
    """Return the line of a response; the request record follows it in the file."""
    url, method = (
        response.url,
        request.line.split(" ", 1)[0] if request.kind == "request" else "GET",
    )
    body = request.body if request.kind == "request" else b""
    fields = {name.lower(): value for name, value in response.fields}
    facts: dict[str, Any] = {
        "url": url,
        "mime": fields.get("content-type", "").split(";")[0].strip() or "application/octet-stream",
        "status": int(response.line.split(" ")[1]) if response.line else 0,
        "digest": response.headers.get("warc-payload-digest", ""),
        "length": length,
        "offset": response.ref.offset,
        "filename": response.ref.file,
    }
    if response.kind == "revisit":
        facts["mime"] = "warc/revisit"
    key = sort_key(url)
    if method != "GET":
        encoded = _body_key(body, {n.lower(): v for n, v in request.fields})
        facts |= {"method": method, "requestBody": encoded}
        joint = "&" if "?" in key else "?"
        key += f"{joint}__wb_method={method.lower()}&{encoded.lower()}".rstrip("&")
    stamp = re.sub(r"\D", "", response.headers["warc-date"])[:17]
    return f"{key} {stamp[:14]} {json.dumps(facts)}\n"


def sort_key(url: str) -> str:
    """Return an address turned round for sorting: `org,example)/path?a=1&b=2`, lower case."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    turned = host if re.fullmatch(r"[\d.:]+", host) else ",".join(reversed(host.split(".")))
    port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    query = "&".join(sorted(parts.query.lower().split("&"))) if parts.query else ""
    return f"{turned}{port}){parts.path.lower() or '/'}{'?' + query if query else ''}"


def _body_key(body: bytes, headers: dict[str, str]) -> str:
    """Return a request body as query fields: forms as they are, other bodies by their JSON."""
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    text = body[:MAX_BODY_KEY].decode("utf-8", "replace")
    if kind == "application/json":
        try:
            return urlencode(list(_json_fields(json.loads(text))))
        except ValueError:
            return urlencode({"__wb_post_data": text})
    return urlencode(parse_qsl(text, keep_blank_values=True)) or urlencode({"__wb_post_data": text})


def _json_fields(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the leaves of a JSON value as fields named by their last key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _json_fields(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _json_fields(inner, name)
    else:
        yield name, "" if value is None else str(value)
