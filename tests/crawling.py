"""A whole crawl for tests: a task on served sites, run for real, read back from its database."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import yaml

from hiwe.crawl.run import run_task
from hiwe.crawl.stores import Stores
from hiwe.repository.database import FILE_NAME, Database
from hiwe.task import load_task

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.repository.forms import StoredForm
    from hiwe.repository.submissions import StoredSubmission
    from tests.browsing import Browsing

# The base table that the acceptance cases give to the crawler (all weights equal).
BASE_TABLE = {
    "Title": ["Glass", "Salt", "Moons", "Brass"],
    "Author": ["Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm"],
    "Genre": ["Science fiction", "History", "Cookery", "Poetry", "Travel"],
    "Language": ["English", "French", "German", "Russian"],
    "Year": [
        *("1987", "1994", "1999", "2003", "2005", "2008"),
        *("2011", "2013", "2014", "2016", "2019", "2021"),
    ],
    "Format": ["Paper", "E-book", "Audio"],
}
BACKOFF_BASE_S = 0.25  # an eighth of what a site gets: refusals are waited out in seconds
CRAWL_DEADLINE_S = 240.0  # far more than any needs: a busy machine is no fault
SETTINGS: dict[str, Any] = {
    "forms": {"alpha": 1},
    "politeness": {"delay_s": 0.0},
    "budget": {"submissions_per_form": 200, "pages_per_site": 50, "duration_s": 200},
    "transport": "browser",
    "response": {"probe": False},
    "workers": 1,
    "browser": {"timeout_s": 15},
}


@dataclass(frozen=True)
class Crawled:
    """What a crawl left behind. `submissions` holds those that count and those not sent."""

    status: str
    out: Path
    forms: list[StoredForm]
    submissions: list[StoredSubmission]
    records: list[dict[str, Any]]
    sites: dict[str, str]
    events: list[str]

    @property
    def sent(self) -> list[StoredSubmission]:
        """The submissions that count: a request left, no probe."""
        return [s for s in self.submissions if s.judgement is not None and not s.probe]

    @property
    def verdicts(self) -> list[str]:
        """The verdicts of the submissions that count, in order."""
        return [str(s.judgement.verdict) for s in self.sent if s.judgement]

    def values(self) -> list[tuple[str, ...]]:
        """The values of the submissions that count, in order."""
        return [tuple(b.value for b in s.assignment.bindings) for s in self.sent]


def crawl(
    browsing: Browsing,
    out: Path,
    *urls: str,
    table: dict[str, Any] | None = None,
    fresh: bool = False,
    **settings: Any,
) -> Crawled:
    """Run a task over the sites at `urls` and read it back. Settings are laid over SETTINGS."""
    config = write_config(out, urls, table, settings)
    work = run_task(load_task(config), out / "run", fresh=fresh, browser=browsing.browser)
    with patch("hiwe.crawl.politeness.BACKOFF_BASE_S", BACKOFF_BASE_S):
        status = browsing.run(work, deadline_s=CRAWL_DEADLINE_S)
    return read_back(out / "run", status)


def write_config(
    out: Path,
    urls: tuple[str, ...],
    table: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
) -> Path:
    """Write a configuration and its table into `out`; the path of the configuration."""
    table, settings = BASE_TABLE if table is None else table, settings or {}
    rows = [{"label": label, "values": values} for label, values in table.items()]
    (out / "table.yaml").write_text(yaml.safe_dump(rows, allow_unicode=True), encoding="utf-8")
    merged = dict(SETTINGS)
    for key, value in settings.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = merged[key] | value if both else value
    lvs = {"tables": ["table.yaml"], "builtin": [], "learn": False} | settings.get("lvs", {})
    task = merged | {"task": "test", "sites": list(urls), "lvs": lvs}
    config = out / "task.yaml"
    config.write_text(yaml.safe_dump(task, allow_unicode=True), encoding="utf-8")
    return config


def read_back(run: Path, status: str = "") -> Crawled:
    """What the run directory holds."""
    with Database(run / FILE_NAME, read_only=True) as db:
        stores = Stores.of(db)
        lines = (run / "records.jsonl").read_text(encoding="utf-8").splitlines()
        return Crawled(
            status=status or stores.run.status,
            out=run,
            forms=stores.forms.all(),
            submissions=list(stores.submissions.each()),
            records=[json.loads(line) for line in lines],
            sites=stores.run.site_states(),
            events=[f"{event.kind}: {event.text}" for event in stores.run.events()],
        )
