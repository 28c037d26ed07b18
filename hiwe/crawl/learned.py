"""The LVS table of a run: as it was loaded, with what the run learned laid over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.crawl.learning import Learning
from hiwe.crawl.stores import Stores
from hiwe.lvs.readers import Connectors
from hiwe.lvs.sources import Sources
from hiwe.lvs.table import LvsTable
from hiwe.page.http import HttpClient
from hiwe.repository.database import FILE_NAME, Database
from hiwe.task import load_task

if TYPE_CHECKING:
    from hiwe.task import Task

SOURCE_TIMEOUT_S = 20.0


def table_of_task(task: Task) -> tuple[LvsTable, list[str]]:
    """The task's table: its files, built-in categories and data sources.

    The notes tell of sources that were passed over.
    """
    table = LvsTable.load(task.lvs.tables, builtin=task.lvs.builtin)
    sources = Sources(task.lvs.sources, connectors(task.politeness.user_agent))
    for row in sources.rows():
        table.add_row(row)
    return table, sources.notes


def connectors(user_agent: str) -> Connectors:
    """How data sources reach the world: plain HTTP, and SQLite files read-only."""
    http = HttpClient(user_agent)

    def fetch(url: str) -> bytes:
        answer = http.get(url, SOURCE_TIMEOUT_S)
        if not 200 <= answer.status < 300:
            raise OSError(answer.error or f"{url} answers {answer.status}")
        return answer.body

    def query(target: str, sql: str, label: str) -> list[tuple[Any, ...]]:
        path = Path(target.removeprefix("sqlite:///"))
        with Database(path, read_only=True) as db:
            return [tuple(row) for row in db.rows(sql, {"label": label})]

    return Connectors(fetch, query)


def table_of_run(directory: Path) -> LvsTable:
    """The table of a run directory, weights as they are now."""
    table, _ = table_of_task(load_task(directory / "config.yaml"))
    with Database(directory / FILE_NAME, read_only=True) as db:
        Learning(table, Stores.of(db), enabled=True).restore()
    return table
