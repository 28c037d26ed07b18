"""The LVS table of a run: as it was loaded, a person's rows, and what the run learned over it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.crawl.learning import Learning
from hiwe.crawl.stores import Stores
from hiwe.lvs.readers import Connectors
from hiwe.lvs.sources import Sources
from hiwe.lvs.table import LvsTable
from hiwe.page.http import HttpClient
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from hiwe.task import load_task
from hiwe.task.assist import assist_beside, read_assist

if TYPE_CHECKING:
    from hiwe.lvs.sources import Keeper
    from hiwe.task import Task

SOURCE_TIMEOUT_S = 20.0
ASSIST_KEY = "assist"  # of the run: where a person's corrections lie


def assist_for(config: Path) -> Path:
    """Where a person's corrections lie for a configuration file: beside it.

    A run directory's own `config.yaml` is a copy: with it count those that the run goes by, unless
    they are gone and others lie beside the copy.
    """
    beside = assist_beside(config)
    if config.name != "config.yaml" or not (config.parent / FILE_NAME).is_file():
        return beside
    with Database(config.parent / FILE_NAME, read_only=True) as db:
        kept = Run(db).get(ASSIST_KEY) if db.version else None
    return Path(kept) if kept and (Path(kept).exists() or not beside.exists()) else beside


def table_of_task(task: Task, keeper: Keeper | None = None) -> tuple[LvsTable, Sources]:
    """The task's table, from its files, built-in categories and data sources; and the sources.

    Their notes tell which were passed over. Answers of sources are kept with `keeper`.
    """
    table = LvsTable.load(task.lvs.tables, builtin=task.lvs.builtin)
    used = connectors(task.politeness.user_agent)
    sources = Sources(task.lvs.sources, used, keeper=keeper)
    for row in sources.rows():
        table.add_row(row)
    return table, sources


def connectors(user_agent: str) -> Connectors:
    """How data sources reach the world: plain HTTP, SQLite files read-only, SQLAlchemy's URLs."""
    http = HttpClient(user_agent)

    def fetch(url: str) -> bytes:
        answer = http.get(url, SOURCE_TIMEOUT_S)
        if not 200 <= answer.status < 300:
            raise OSError(answer.error or f"{url} answers {answer.status}")
        return answer.body

    def query(target: str, sql: str, label: str) -> list[tuple[Any, ...]]:
        if "://" in target and not target.startswith("sqlite:///"):
            return _query_url(target, sql, label)
        path = Path(target.removeprefix("sqlite:///"))
        if not path.is_file():
            raise OSError(f"no such file: {path}")
        with Database(path, read_only=True) as db:
            return [tuple(row) for row in db.rows(sql, {"label": label})]

    return Connectors(fetch, query)


def _query_url(url: str, sql: str, label: str) -> list[tuple[Any, ...]]:
    """Rows of any database that SQLAlchemy speaks to, if it is installed."""
    try:
        sqlalchemy: Any = import_module("sqlalchemy")
    except ImportError as exc:
        raise OSError("needs SQLAlchemy and the database's driver: pip install sqlalchemy") from exc
    try:
        with sqlalchemy.create_engine(url).connect() as connection:
            asked = {"label": label} if ":label" in sql else {}
            return [tuple(row) for row in connection.execute(sqlalchemy.text(sql), asked)]
    except (sqlalchemy.exc.SQLAlchemyError, ImportError) as exc:
        raise OSError(str(exc).splitlines()[0]) from exc


class _ReadOnly:
    """A keeper that only gives: for looking into a run."""

    def __init__(self, keeper: Keeper) -> None:
        self.get = keeper.get

    def set(self, key: str, value: Any) -> None:
        """Nothing is written into a run that is looked at."""


def table_of_run(directory: Path) -> LvsTable:
    """The table of a run directory, weights as they are now."""
    with Database(directory / FILE_NAME, read_only=True) as db:
        keeper = _ReadOnly(Stores.of(db).run)
        table, _ = table_of_task(load_task(directory / "config.yaml"), keeper)
        learning = Learning(table, Stores.of(db), enabled=True)
        if (file := keeper.get(ASSIST_KEY)) is not None:
            learning.add_rows_of_person(read_assist(file).rows, at=0.0, log=False)
        learning.restore()
    return table
