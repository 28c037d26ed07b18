"""The run directory: its database opened to be read, files that appear whole."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiwe.errors import RunError
from hiwe.repository.database import FILE_NAME, Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def opened(out: Path) -> Iterator[Database]:
    """Yield the database of a run, read-only; RunError if the directory holds no run.

    The tables of a run of an older version are brought up to date first.
    """
    if not out.is_dir():
        raise RunError(out, "there is no such directory; name the one that `hiwe run` wrote to")
    if not (out / FILE_NAME).is_file():
        raise RunError(
            out, f"holds no run (there is no {FILE_NAME}); name the directory `hiwe run` wrote to"
        )
    with Database(out / FILE_NAME, read_only=True) as db:
        is_outdated = db.is_outdated
    if is_outdated:
        Database(out / FILE_NAME).close()
    with Database(out / FILE_NAME, read_only=True) as db:
        yield db


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Let all queries of a block see one state of the database, whatever a crawl writes."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that a reader never sees half of it; return its path."""
    partial = path.with_name(f".{path.name}.part")
    try:
        partial.write_bytes(text.encode("utf-8", "replace"))  # pages hold half surrogate pairs
        partial.replace(path)
    except OSError as exc:
        raise RunError(path, f"cannot be written: {exc.strerror or exc}") from exc
    finally:
        partial.unlink(missing_ok=True)
    return path
