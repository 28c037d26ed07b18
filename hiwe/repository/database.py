"""One SQLite file: open, migrate, transactions. The only module that imports sqlite3.

One process writes, any number read. The journal is a write-ahead log, so that a killed process
loses at most the transaction it was in: what was committed has been handed to the operating system.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hiwe.errors import RunError
from hiwe.repository.schema import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    Parameters = Sequence[Any] | Mapping[str, Any]

Row = sqlite3.Row
FILE_NAME = "hiwe.sqlite"
BUSY_TIMEOUT_S = 30.0
CACHE_KIB = 64 * 1024
CHECKPOINT_PAGES = 4000  # a longer log than SQLite's own 1000: fewer copies of hot pages


class Database:
    """An open database: plain SQL, rows by column name, `atomic()` transactions that nest.

    `path` None keeps everything in memory (tests). Outside `atomic()` each statement is a
    transaction of its own. RunError if the file is no database, or one of a newer hiwe.
    """

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self._depth = 0
        try:
            self._connection = _connect(path, read_only=read_only)
            if not read_only:
                self._prepare()
            self._check_version()
        except sqlite3.DatabaseError as exc:
            raise self._error(exc) from exc

    @classmethod
    def plain(cls, path: Path) -> Database:
        """Return a new file without the run's tables: for exports."""
        database = cls.__new__(cls)
        database.path, database._depth = path, 0
        database._connection = _connect(path, read_only=False)
        return database

    def _prepare(self) -> None:
        """Set the journal and bring the tables up to date."""
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, applied_at REAL)"
        )
        for number in range(self.version + 1, len(MIGRATIONS) + 1):
            with self.atomic():
                for statement in _statements(MIGRATIONS[number - 1]):
                    self.execute(statement)
                self.execute("INSERT INTO migrations VALUES (?, ?)", (number, time.time()))

    @property
    def version(self) -> int:
        """Number of the last migration applied, 0 for an empty database."""
        return int(self.value("SELECT coalesce(max(number), 0) FROM migrations"))

    @property
    def is_outdated(self) -> bool:
        """Whether an older version made the file; opened for writing, it is brought up to date."""
        return self.version < len(MIGRATIONS)

    def _check_version(self) -> None:
        if self.version > len(MIGRATIONS):
            raise RunError(
                self._place,
                f"the database has format {self.version}, this hiwe knows {len(MIGRATIONS)}; "
                "use a newer hiwe, or start anew with --fresh",
            )

    @property
    def _place(self) -> str:
        return str(self.path) if self.path else "memory"

    def _error(self, exc: sqlite3.Error) -> RunError:
        return RunError(
            self._place, f"cannot be used ({exc}); move it away, or start anew with --fresh"
        )

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Run a block as one transaction; an exception undoes it. Nested blocks are savepoints."""
        depth, self._depth = self._depth, self._depth + 1
        begin, end, undo = _transaction_words(depth)
        done = False
        try:
            self._run(begin)
            try:
                yield
                self._run(end)
                done = True
            finally:
                if (
                    not done and self._connection.in_transaction
                ):  # a full disk has undone it already
                    for statement in undo:
                        self._connection.execute(statement)
        finally:
            self._depth = depth

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run a block within the open transaction, or as one of its own when there is none.

        Cheaper than a nested `atomic()`: a failed block is undone with the whole transaction.
        """
        if self._depth:
            yield
        else:
            with self.atomic():
                yield

    def _run(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        """Run a statement; what the file or the disk refuses becomes a RunError."""
        try:
            return self._connection.execute(sql, parameters)
        except UnicodeEncodeError:  # half a surrogate pair: pages hold such text
            return self._connection.execute(sql, _encodable(parameters))
        except sqlite3.IntegrityError:
            raise  # a rule of the tables: the caller's fault, not the file's
        except sqlite3.DatabaseError as exc:
            raise self._error(exc) from exc

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._connection.in_transaction

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; return the number of rows it changed."""
        return self._run(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Parameters]) -> int:
        """Run one statement for each row of parameters; return the number of rows changed."""
        given = list(rows)
        try:
            with self.atomic():
                return self._run_many(sql, given)
        except UnicodeEncodeError:
            with self.atomic():
                return self._run_many(sql, [_encodable(row) for row in given])

    def _run_many(self, sql: str, rows: list[Parameters]) -> int:
        try:
            return self._connection.executemany(sql, rows).rowcount if rows else 0
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as exc:
            raise self._error(exc) from exc

    def insert(self, sql: str, parameters: Parameters = ()) -> int:
        """Run an INSERT; return the id of the new row."""
        return int(self._run(sql, parameters).lastrowid or 0)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows of a query."""
        return self._run(sql, parameters).fetchall()

    def each(self, sql: str, parameters: Parameters = ()) -> Iterator[Row]:
        """Yield the rows of a query one by one: for results that may not fit into memory."""
        yield from self._run(sql, parameters)

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of a query, None when there is none.

        The query is run to its end, so that a statement with RETURNING is complete.
        """
        rows = self._run(sql, parameters).fetchall()
        return rows[0] if rows else None

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """Return the first column of the first row, None when there is none."""
        row = self.row(sql, parameters)
        return None if row is None else row[0]

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy to a new file, while others may be writing."""
        target = sqlite3.connect(path)
        try:
            self._connection.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()

    def check(self) -> list[str]:
        """Return what SQLite finds wrong with the file: nothing, if all is well."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        found += [f"dangling row in {row[0]}" for row in self.rows("PRAGMA foreign_key_check")]
        return [problem for problem in found if problem != "ok"]

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Database {self._place}>"


def _connect(path: Path | None, *, read_only: bool) -> sqlite3.Connection:
    """Open the file (or memory) in autocommit mode: transactions begin and end in `atomic`."""
    address = f"file:{path.absolute().as_posix()}?mode=ro" if path and read_only else path
    connection = sqlite3.connect(
        str(address or ":memory:"),
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        uri=bool(path and read_only),
    )
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    return connection


def _transaction_words(depth: int) -> tuple[str, str, tuple[str, ...]]:
    """Return the statements that begin, end and undo a transaction at a nesting depth."""
    if depth == 0:
        return "BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",)
    name = f"level_{depth}"
    return f"SAVEPOINT {name}", f"RELEASE {name}", (f"ROLLBACK TO {name}", f"RELEASE {name}")


def _encodable(parameters: Parameters) -> Parameters:
    """Return the parameters with what UTF-8 cannot hold replaced by question marks."""
    if isinstance(parameters, Mapping):
        return {key: _encodable_value(value) for key, value in parameters.items()}
    return [_encodable_value(value) for value in parameters]


def _encodable_value(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _statements(script: str) -> Iterator[str]:
    """Split a script into its statements; a semicolon within a trigger ends none."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""
