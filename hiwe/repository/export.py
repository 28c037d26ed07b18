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
from datetime import UTC, date, datetime
from importlib import import_module
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from hiwe.errors import RunError, UsageError
from hiwe.repository.archive_place import archive_of
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.wacz import write_wacz
from hiwe.repository.wanted import wanted_columns, wanted_records
from hiwe.repository.warc_reader import archive_files
from hiwe.response.typed import DATE, INTEGER, MONEY, NUMBER, column_kind, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hiwe.repository.records import StoredRecord

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
    """Give the records, their fields under the names that the task wants."""
    with Database(directory / FILE_NAME, read_only=True) as db:
        yield wanted_records(db)


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
            if kinds := _typed(record.fields):
                line["typed"] = kinds
            if record.gone_at is not None:
                line["gone_at"] = _moment(record.gone_at)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _typed(fields: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What the fields that are no mere text mean: numbers, ISO dates, money with its currency."""
    found: dict[str, Any] = {}
    for name, text in fields:
        meant = typed(text)
        if meant.kind == MONEY:
            found[name] = {"amount": meant.value, "currency": meant.unit}
        elif meant.kind in (INTEGER, NUMBER) or (meant.kind == DATE and meant.value != text):
            found[name] = meant.value
    return found


def _moment(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _field_kinds(directory: Path) -> dict[str, str]:
    """Return field -> kind of its values: those wanted first, then as they first occur."""
    with Database(directory / FILE_NAME, read_only=True) as db:
        values: dict[str, set[str]] = {name: set() for name in wanted_columns(db)}
        for record in wanted_records(db):
            for name, value in record.fields:
                values.setdefault(name, set()).add(value)
    return {name: column_kind(some) for name, some in values.items()}


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
    columns = column_names(list(_field_kinds(directory)))
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
    """Write a Parquet file; a column whose values are all numbers or dates has that type.

    Needs pyarrow.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as exc:
        raise UsageError("Parquet needs pyarrow: pip install 'hiwe[parquet]'") from exc
    kinds = _field_kinds(directory)
    columns = column_names(list(kinds))
    types = {INTEGER: arrow.int64(), NUMBER: arrow.float64(), DATE: arrow.date32()}
    named = [(columns[name], types.get(kind, arrow.string())) for name, kind in kinds.items()]
    schema = arrow.schema([*named, *((name, arrow.string()) for name in PROVENANCE)])
    with (
        _records(directory) as records,
        _replacing(target, "wb") as file,
        parquet.ParquetWriter(file, schema) as writer,
    ):
        rows = (_plain(row, columns, kinds, dates=True) for row in _rows(records, columns))
        while batch := list(islice(rows, BATCH_ROWS)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _plain(
    row: dict[str, str | None], columns: dict[str, str], kinds: dict[str, str], *, dates: bool
) -> dict[str, Any]:
    """Return a row with numbers, and with `dates` dates, where a column holds nothing else."""
    plain: dict[str, Any] = dict(row)
    for name, kind in kinds.items():
        text = row[columns[name]]
        if kind not in (INTEGER, NUMBER, DATE):
            continue
        value = typed(text).value if text and text.strip() else None
        is_date = kind == DATE and dates and value is not None
        plain[columns[name]] = date.fromisoformat(str(value)) if is_date else value
    return plain


def write_sqlite(directory: Path, target: Path) -> None:
    """Write the table `records` of an SQLite file; numbers as numbers, dates as ISO 8601."""
    kinds = _field_kinds(directory)
    columns = column_names(list(kinds))
    types = {
        columns[name]: {INTEGER: "INTEGER", NUMBER: "REAL"}.get(k) for name, k in kinds.items()
    }
    names = [*columns.values(), *PROVENANCE]
    shape = ", ".join(f"{_quoted(name)} {types.get(name) or 'TEXT'}" for name in names)
    with (
        _records(directory) as records,
        _beside(target) as partial,
        Database.plain(partial) as table,
        table.atomic(),
    ):
        table.execute(f"CREATE TABLE records ({shape})")
        insert = f"INSERT INTO records VALUES ({', '.join('?' * len(names))})"
        rows = (_plain(row, columns, kinds, dates=False) for row in _rows(records, columns))
        table.execute_many(insert, (list(row.values()) for row in rows))


def _quoted(name: str) -> str:
    """Return an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def write_warc(directory: Path, target: Path) -> None:
    """Write all files of the archive as one: archives may be joined end to end."""
    with _replacing(target, "wb") as whole:
        for path in archive_files(archive_of(directory)):
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
