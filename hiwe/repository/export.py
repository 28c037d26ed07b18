"""Exports: records in the user's format, and the archive as one file.

Every record comes with its provenance: id, site, address, the submissions that found it, where its
page lies in the archive, when it was first and last seen. All exports are written beside their
place and then moved there, so that a reader never sees half a file.
"""

from __future__ import annotations

import csv
import json
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from hiwe.errors import RunError, UsageError
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.records import Records, StoredRecord
from hiwe.repository.wacz import write_wacz
from hiwe.repository.warc_reader import archive_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

ENDINGS = {"warc": "warc.gz"}
PROVENANCE = ("id", "site", "url", "found_by", "warc", "first_seen", "last_seen", "gone_at")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute
BATCH_ROWS = 10_000


def export(directory: Path, kind: str, path: Path | None = None) -> Path:
    """Write the records or the archive of a run; return where.

    `path` None: `records.KIND` (or `archive.KIND`) in the run directory. RunError if it holds no
    run, UsageError for an unknown format or a library that is missing.
    """
    if kind not in WRITERS:
        raise UsageError(f"--format is {kind}; give one of {', '.join(WRITERS)}")
    if not (directory / FILE_NAME).is_file():
        raise RunError(directory, f"holds no run (there is no {FILE_NAME})")
    name = "archive" if kind in ("warc", "wacz") else "records"
    target = path or directory / f"{name}.{ENDINGS.get(kind, kind)}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[kind](directory, target)
    except OSError as exc:
        raise RunError(target, f"cannot be written: {exc.strerror or exc}") from exc
    return target


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a path to write to that takes the place of `target` when all went well."""
    partial = target.with_name(f".{target.name}.part")
    partial.unlink(missing_ok=True)
    try:
        yield partial
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def _replacing(target: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file that takes the place of `target` when it is complete."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    with _beside(target) as partial, partial.open(mode, **text) as file:
        yield file


@contextmanager
def _records(directory: Path) -> Iterator[Iterator[StoredRecord]]:
    with Database(directory / FILE_NAME, read_only=True) as db:
        yield Records(db).each()


def write_jsonl(directory: Path, target: Path) -> None:
    """Write one JSON object a line (contract), ordered by site and key."""
    with _records(directory) as records, _replacing(target) as file:
        for record in records:
            line = {
                "id": record.id,
                "fields": dict(record.fields),
                "url": record.url,
                "site": record.site,
                "found_by": record.found_by,
                "warc": record.warc,
            }
            if record.gone_at is not None:
                line["gone_at"] = _moment(record.gone_at)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _moment(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _field_names(directory: Path) -> list[str]:
    """Return the names of the records' fields, in the order they first occur."""
    names: dict[str, None] = {}
    with _records(directory) as records:
        for record in records:
            names.update(dict.fromkeys(name for name, _ in record.fields))
    return list(names)


def column_names(fields: Sequence[str]) -> dict[str, str]:
    """Return field name -> column name, none of which is one of the provenance columns.

    Columns that differ in case only get a number: most databases take them for one.
    """
    taken = set(PROVENANCE)
    columns: dict[str, str] = {}
    for name in fields:
        column, number = name or "field", 1
        while column.lower() in taken:
            number += 1
            column = f"{name or 'field'}_{number}"
        taken.add(column.lower())
        columns[name] = column
    return columns


def _rows(
    records: Iterator[StoredRecord], columns: dict[str, str]
) -> Iterator[dict[str, str | None]]:
    """Yield records as rows: fields by column name, then the provenance."""
    for record in records:
        row: dict[str, str | None] = dict.fromkeys(columns.values())
        row |= {columns[name]: value for name, value in record.fields}
        yield row | {
            "id": record.id,
            "site": record.site,
            "url": record.url,
            "found_by": " ".join(record.found_by),
            "warc": record.warc,
            "first_seen": _moment(record.first_seen),
            "last_seen": _moment(record.last_seen),
            "gone_at": _moment(record.gone_at),
        }


def write_csv(directory: Path, target: Path) -> None:
    """Write a table that a spreadsheet opens safely: no value is taken for a formula.

    UTF-8 with a byte order mark, as spreadsheets expect; a value that would begin a formula gets
    an apostrophe in front (OWASP, CSV injection).
    """
    columns = column_names(_field_names(directory))
    with _records(directory) as records, _replacing(target) as file:
        file.write("\ufeff")
        writer = csv.writer(file)
        writer.writerow([spreadsheet_safe(name) for name in (*columns.values(), *PROVENANCE)])
        for row in _rows(records, columns):
            writer.writerow([spreadsheet_safe(value or "") for value in row.values()])


def spreadsheet_safe(value: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; plain numbers stay as they are."""
    if not value.startswith(FORMULA_STARTS):
        return value
    number = value[1:].replace(",", "").replace(".", "", 1).isdecimal()
    return value if number and value[0] in "+-" else f"'{value}"


def write_parquet(directory: Path, target: Path) -> None:
    """Write a Parquet file of text columns; needs pyarrow."""
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as exc:
        raise UsageError("Parquet needs pyarrow: pip install 'hiwe[parquet]'") from exc
    columns = column_names(_field_names(directory))
    schema = arrow.schema([(name, arrow.string()) for name in (*columns.values(), *PROVENANCE)])
    with (
        _records(directory) as records,
        _replacing(target, "wb") as file,
        parquet.ParquetWriter(file, schema) as writer,
    ):
        rows = _rows(records, columns)
        while batch := list(islice(rows, BATCH_ROWS)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def write_sqlite(directory: Path, target: Path) -> None:
    """Write the table `records` of an SQLite file."""
    columns = column_names(_field_names(directory))
    names = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in (*columns.values(), *PROVENANCE)]
    with (
        _records(directory) as records,
        _beside(target) as partial,
        Database.plain(partial) as table,
        table.atomic(),
    ):
        table.execute(f"CREATE TABLE records ({', '.join(f'{name} TEXT' for name in names)})")
        insert = f"INSERT INTO records VALUES ({', '.join('?' * len(names))})"
        table.execute_many(insert, (list(row.values()) for row in _rows(records, columns)))


def write_warc(directory: Path, target: Path) -> None:
    """Write all files of the archive as one: archives may be joined end to end."""
    with _replacing(target, "wb") as whole:
        for path in archive_files(directory / "warc"):
            with path.open("rb") as part:
                shutil.copyfileobj(part, whole)


WRITERS: dict[str, Callable[[Path, Path], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "sqlite": write_sqlite,
    "warc": write_warc,
    "wacz": write_wacz,
}
