"""The run directory: a run of an older version is brought up to date when it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.report.directory import opened
from hiwe.repository.database import FILE_NAME, Database, _statements
from hiwe.repository.forms import Forms
from hiwe.repository.schema import MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path

BEFORE_CORRECTIONS = 4  # migrations


def test_an_older_run_is_brought_up_to_date(tmp_path: Path) -> None:
    with Database.plain(tmp_path / FILE_NAME) as old:
        old.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at REAL)")
        for number, migration in enumerate(MIGRATIONS[:BEFORE_CORRECTIONS], start=1):
            for statement in _statements(migration):
                old.execute(statement)
            old.execute("INSERT INTO migrations VALUES (?, 0.0)", (number,))
        assert old.is_outdated
    with opened(tmp_path) as db:
        assert db.version == len(MIGRATIONS)
        assert Forms(db).matches(1) == {}
