"""The work: the films of the directors of `lvs/movies.yaml` at four of the bundled sites."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from hiwe.bench.peers.lines import Written, plain_lines
from hiwe_fixtures import records_of_directors

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[3]
CONFIG, TABLE = ROOT / "configs" / "movies.yaml", ROOT / "lvs" / "movies.yaml"
SITES = ("cineteca", "filmbase", "reelfinder", "studioarchive")


@dataclass(frozen=True, slots=True)
class Work:
    """What every tool is given; `limit_s` is for those that know no end of their own."""

    sites: tuple[str, ...]
    directors: tuple[str, ...]
    limit_s: float

    def wanted(self, site: str) -> frozenset[str]:
        """Ids of the records of the directors at a site: the ground truth."""
        found = records_of_directors(site, self.directors)
        return frozenset(str(record["id"]) for record in found)

    def write(self, path: Path, urls: Mapping[str, str], chromium: Path) -> None:
        """Write the work for a spider."""
        given = {
            "sites": dict(urls),
            "directors": list(self.directors),
            "chromium": str(chromium),
            "limit_s": self.limit_s,
        }
        path.write_text(json.dumps(given), encoding="utf-8")

    def write_task(self, directory: Path, urls: Mapping[str, str]) -> Path:
        """Write `configs/movies.yaml` with these sites and directors; returns its path."""
        rows: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
        director = next(row for row in rows if row["label"] == "Director")
        director["values"] = {name: director["values"][name] for name in self.directors}
        (directory / "table.yaml").write_text(yaml.safe_dump(rows), encoding="utf-8")
        task = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
        task |= {"sites": list(urls.values()), "output": ""}
        task["lvs"]["tables"] = ["table.yaml"]
        path = directory / "task.yaml"
        path.write_text(yaml.safe_dump(task, sort_keys=False), encoding="utf-8")
        return path


def all_directors() -> tuple[str, ...]:
    """The directors of the table, in its order."""
    rows = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return tuple(next(row["values"] for row in rows if row["label"] == "Director"))


def hiwe_lines(sites: tuple[str, ...]) -> Written:
    """What a user of hiwe wrote: a line a site; the rest of the configuration and the table.

    The directors themselves are not counted: the spiders are given the same list.
    """
    config, table = (path.read_text(encoding="utf-8") for path in (CONFIG, TABLE))
    shared = plain_lines(config, "#") - sum("fixture://" in line for line in config.splitlines())
    shared += plain_lines(table, "#") - len(all_directors())
    return Written(dict.fromkeys(sites, 1), shared)
