"""The task of the scale benchmarks: sites that are all alike, authors to ask them for."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import yaml

from hiwe.bench.scale.sites import authors
from hiwe.crawl.crawl import Crawl
from hiwe.crawl.fixtures import sites_of
from hiwe.crawl.stores import Stores
from hiwe.lvs.table import LvsTable
from hiwe.repository.database import FILE_NAME, Database
from hiwe.task import load_task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hiwe.engine.engine import Engine
    from hiwe.task import Task


def task_of(directory: Path, sites: Sequence[str], submissions: int) -> Task:
    """The task for these sites, so many submissions each; its files are written to `directory`."""
    rows = [{"label": "Author", "values": authors(max(submissions, 1))}]
    (directory / "authors.yaml").write_text(yaml.safe_dump(rows), encoding="utf-8")
    config = directory / "task.yaml"
    document = {
        "task": "scale",
        "sites": list(sites),
        "lvs": {"tables": ["authors.yaml"], "builtin": [], "learn": False},
        "transport": "http",
        "politeness": {"delay_s": 0},
        "forms": {"alpha": 1},
        "response": {"probe": False},
        "budget": {
            "submissions_per_form": submissions,
            "submissions_per_site": submissions,
            "details_per_site": 0,
            "pages_per_site": 1,
            "duration_s": 24 * 3600,
        },
    }
    config.write_text(yaml.safe_dump(document), encoding="utf-8")
    return load_task(config)


@contextmanager
def crawl_of(
    task: Task, directory: Path, make_engine: Callable[[Stores], Engine]
) -> Iterator[Crawl]:
    """Yield the crawl of a task, its database in `directory`, its workers those of an engine."""
    with ExitStack() as stack:
        db = stack.enter_context(Database(directory / FILE_NAME))
        sites = stack.enter_context(sites_of(task))
        stores, lvs = Stores.of(db), LvsTable.load(task.lvs.tables, builtin=task.lvs.builtin)
        yield Crawl(
            task, sites, stores, lvs, make_engine(stores), directory=directory,
            assist=directory / "assist.yaml",
        )  # fmt: skip
