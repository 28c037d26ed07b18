"""What a revisit finds for its requests: the bundled film sites, changed between two runs.

A whole run with a real browser over real HTTP; then one record in twenty of those harvested changes
(three in five get another title, one in five goes, one in five is added); then the run is started
again. Counted are all requests that arrived at the sites, style sheets and scripts included.
"""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from hiwe.crawl.run import run_task
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.rounds import GONE, RECORD, Rounds
from hiwe.task import load_task

if TYPE_CHECKING:
    from hiwe_fixtures.changes import Changes
    from hiwe_fixtures.server import FixtureServer

SITES = ("cineteca", "filmbase", "reelfinder", "studioarchive", "kritik")
PART = 0.05  # of the harvested records change
SETTINGS: dict[str, Any] = {
    "task": "movies",
    "forms": {"alpha": 1},
    "budget": {
        "submissions_per_form": 100,
        "submissions_per_site": 300,
        "pages_per_site": 60,
        "duration_s": 900,
    },
    "politeness": {"delay_s": 0.0},
}


async def run(sites: tuple[str, ...] = SITES) -> dict[str, Any]:
    """Return by site and in all: records, requests of both runs, changes made and found."""
    from hiwe_fixtures.changes import change
    from hiwe_fixtures.server import serve

    with tempfile.TemporaryDirectory() as directory, ExitStack() as stack:
        servers = {name: stack.enter_context(serve(name)) for name in sites}
        config = _config(Path(directory), servers)
        out = Path(directory) / "run"
        await run_task(load_task(config), out)
        first = {name: len(server.log.entries) for name, server in servers.items()}
        known = _values(out, servers)
        made = {
            name: change(server.store, PART, titles=known[name])
            for name, server in servers.items()
        }  # fmt: skip
        await run_task(load_task(config), out)
        found = _found(out, servers)
    figures = {
        name: _figures(made[name], found[name], first[name], len(server.log.entries))
        for name, server in servers.items()
    }
    total = {key: sum(site[key] for site in figures.values()) for key in figures[sites[0]]}
    return {**figures, "total": total | _shares(total)}


def _config(directory: Path, servers: dict[str, FixtureServer]) -> Path:
    """Write the task: the directors who won a prize, at all sites."""
    from hiwe_fixtures import awarded_directors

    table = [{"label": "Director", "aliases": ["Regista"], "values": sorted(awarded_directors())}]
    (directory / "table.yaml").write_text(yaml.safe_dump(table), encoding="utf-8")
    task = SETTINGS | {
        "sites": [server.url for server in servers.values()],
        "lvs": {"tables": ["table.yaml"]},
    }
    config = directory / "task.yaml"
    config.write_text(yaml.safe_dump(task), encoding="utf-8")
    return config


def _values(out: Path, servers: dict[str, FixtureServer]) -> dict[str, set[str]]:
    """All values of the harvested records, by site."""
    with Database(out / FILE_NAME, read_only=True) as db:
        return {
            name: {
                value
                for row in db.rows("SELECT fields FROM records WHERE site = ?", (server.url,))
                for _, value in json.loads(row["fields"])
            }
            for name, server in servers.items()
        }


def _found(
    out: Path, servers: dict[str, FixtureServer]
) -> dict[str, tuple[set[str], set[str]]]:  # fmt: skip
    """Values that the revisit told as new, and as gone, by site."""
    names = {server.url: name for name, server in servers.items()}
    found: dict[str, tuple[set[str], set[str]]] = {name: (set(), set()) for name in servers}
    with Database(out / FILE_NAME, read_only=True) as db:
        for told in Rounds(db).changes():
            if told.what == RECORD:
                now, gone = found[names[told.site]]
                now.update(told.after.values())
                gone.update(told.before.values() if told.kind == GONE else ())
    return found


def _figures(
    made: Changes, found: tuple[set[str], set[str]], first: int, both: int
) -> dict[str, int]:  # fmt: skip
    now, gone = found
    return {
        "requests": first,
        "requests_of_revisit": both - first,
        "changes": len(made),
        "found": len(made.changed & now) + len(made.gone & gone) + len(made.added & now),
        "changed_found": len(made.changed & now),
        "gone_found": len(made.gone & gone),
        "added_found": len(made.added & now),
    }


def _shares(total: dict[str, int]) -> dict[str, float]:
    return {
        "share_of_requests": total["requests_of_revisit"] / total["requests"],
        "share_of_changes": total["found"] / total["changes"],
    }
