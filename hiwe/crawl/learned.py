"""The LVS table of a run: as it was loaded, with what the run learned laid over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.learning import Learning
from hiwe.crawl.stores import Stores
from hiwe.lvs.sources import Sources
from hiwe.lvs.table import LvsTable
from hiwe.repository.database import FILE_NAME, Database
from hiwe.task import load_task

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.task import Task


def table_of_task(task: Task) -> tuple[LvsTable, list[str]]:
    """The task's table: its files, built-in categories and data sources.

    The notes tell of sources that were passed over.
    """
    table = LvsTable.load(task.lvs.tables, builtin=task.lvs.builtin)
    sources = Sources(task.lvs.sources)
    for row in sources.rows():
        table.add_row(row)
    return table, sources.notes


def table_of_run(directory: Path) -> LvsTable:
    """The table of a run directory, weights as they are now."""
    table, _ = table_of_task(load_task(directory / "config.yaml"))
    with Database(directory / FILE_NAME, read_only=True) as db:
        Learning(table, Stores.of(db), enabled=True).restore()
    return table
