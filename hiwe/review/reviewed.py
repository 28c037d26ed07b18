"""The run that is reviewed: its directory, its corrections, whether a crawl works on it now."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.crawl.learned import ASSIST_KEY, table_of_run
from hiwe.report.directory import opened, snapshot
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from hiwe.repository.schema import MIGRATIONS
from hiwe.task.assist import assist_beside, read_assist, write_assist
from hiwe.task.control import read_control, read_running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiwe.lvs.table import LvsTable
    from hiwe.task.assist import Assist
    from hiwe.task.control import State


TABLE_AGE_S = 30.0  # a large table takes seconds to load


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A run directory `out`, and where its corrections are kept (`assist_path`)."""

    out: Path
    assist_path: Path
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _tables: dict[tuple[int, int], LvsTable] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, out: Path) -> Reviewed:
        """Return the run in a directory, brought up to date; RunError if there is none.

        A run that does not know its configuration keeps its corrections in its own directory.
        """
        with opened(out) as db:
            is_old = db.version < len(MIGRATIONS)
            kept = Run(db).get(ASSIST_KEY)
        if is_old:
            Database(out / FILE_NAME).close()
        return cls(out, Path(kept) if kept else assist_beside(out / "config.yaml"))

    @contextmanager
    def database(self) -> Iterator[Database]:
        """Yield the database, read-only, as one consistent state while a crawl may be writing."""
        with opened(self.out) as db, snapshot(db):
            yield db

    @contextmanager
    def writable(self) -> Iterator[Database]:
        """Yield the database to keep a person's verdicts in."""
        with Database(self.out / FILE_NAME) as db:
            yield db

    def assist(self) -> Assist:
        """Return a person's corrections; ConfigError if the file was spoilt by hand."""
        return read_assist(self.assist_path)

    def correct(self, change: Callable[[Assist], Assist]) -> None:
        """Change the corrections, one change at a time."""
        with self._lock:
            write_assist(self.assist_path, change(self.assist()))

    def wanted(self) -> State | None:
        """Return what is wanted of the crawl that works on the run now, None if there is none."""
        return read_control(self.out).state if read_running(self.out) else None

    def table(self) -> LvsTable:
        """Return the LVS table with what the run learned, at most half a minute old."""
        file = self.assist_path
        key = (file.stat().st_mtime_ns if file.exists() else 0, int(time.time() / TABLE_AGE_S))
        with self._lock:
            if key not in self._tables:
                self._tables.clear()
                self._tables[key] = table_of_run(self.out)
            return self._tables[key]
