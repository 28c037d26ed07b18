"""One tool does the work once: fresh sites, a folder of its own, everything measured."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.peers.process import Cost, measured
from hiwe.bench.peers.served import Asked, SiteLog, read_log, served
from hiwe.bench.peers.tools import Ready, Tool, ready
from hiwe.page.chromium import find_chromium
from hiwe.repository.database import FILE_NAME, Database

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiwe.bench.peers.work import Work

EXPLORED_AFTER = 30  # submissions a form: by then hiwe knows its forms and has asked their lists
GRACE_S = 60.0  # an automatic crawler gets to end by itself after its limit
LONGEST_S = 1200.0  # no tool gets more


class FailedTrialError(Exception):
    """A tool ended with an error; says with what."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a tool did and what it cost.

    `sent` are the times of its submissions by site, `steady` those of them that were made when
    nothing was left to find out; `parsed` is the number of records the tool itself wrote, None
    if it writes none.
    """

    tool: Tool
    costs: tuple[Cost, ...]
    logs: Mapping[str, SiteLog]
    sent: Mapping[str, tuple[float, ...]]
    steady: Mapping[str, tuple[float, ...]]
    parsed: int | None

    @property
    def wall_s(self) -> float:
        """Seconds of work, start and end of the tool's processes included."""
        return sum(cost.wall_s for cost in self.costs)

    @property
    def cpu_s(self) -> float:
        """Processor seconds of all processes of the tool."""
        return sum(cost.cpu_s for cost in self.costs)

    @property
    def peak_mib(self) -> float:
        """The most memory that all its processes held at a time."""
        return max(cost.peak_mib for cost in self.costs)

    @property
    def asked(self) -> list[Asked]:
        """All requests of all sites, by time."""
        requests = chain.from_iterable(log.asked for log in self.logs.values())
        return sorted(requests, key=lambda asked: asked.at)


def try_out(tool: Tool, work: Work) -> Trial:
    """Let a tool do the work. FailedTrialError or NoEnvironmentError where it does not."""
    with tempfile.TemporaryDirectory(prefix="hiwe-peers-") as name:
        directory = Path(name)
        with served(work.sites, directory) as urls:
            costs: tuple[Cost, ...]
            if tool.kind == "hiwe":
                costs = _hiwe(tool, work, directory, urls)
            else:
                costs = (_peer(ready(tool), tool, work, directory, urls),)
        logs = {site: read_log(site, directory / f"{site}.log") for site in work.sites}
        if tool.kind == "hiwe":
            key = {url: site for site, url in urls.items()}
            return _told_by_hiwe(tool, directory / "run", costs, logs, key)
        return _told_by_sites(tool, directory, costs, logs)


def _peer(how: Ready, tool: Tool, work: Work, directory: Path, urls: Mapping[str, str]) -> Cost:
    given = directory / "work.json"
    work.write(given, urls, find_chromium())
    limit_s = work.limit_s + GRACE_S if tool.kind == "automatic" else LONGEST_S
    cost = measured(
        [*how.command, str(given)], directory, limit_s=limit_s, environment=how.environment
    )
    if tool.kind == "by hand" and cost.code != 0:
        raise FailedTrialError(_last_words(directory, cost))
    return cost


def _hiwe(tool: Tool, work: Work, directory: Path, urls: Mapping[str, str]) -> tuple[Cost, ...]:
    """A crawl in two sittings: until the forms are understood, and the rest of it."""
    task = work.write_task(directory, urls)
    command = [sys.executable, "-m", "hiwe", "run", str(task), "--out", str(directory / "run")]
    command += ["--quiet", "--set", f"transport={tool.script}"]
    first = [*command, "--set", f"budget.submissions_per_form={EXPLORED_AFTER}"]
    costs = tuple(measured(sitting, directory, limit_s=LONGEST_S) for sitting in (first, command))
    for cost in costs:
        if cost.code != 0:
            raise FailedTrialError(_last_words(directory, cost))
    return costs


def _last_words(directory: Path, cost: Cost) -> str:
    said = (directory / "out.txt").read_text(encoding="utf-8", errors="replace").strip()
    how = "was ended" if cost.code is None else f"ended with {cost.code}"
    return f"{how} after {cost.wall_s:.0f} s: {said[-300:]}"


def _told_by_hiwe(
    tool: Tool,
    run: Path,
    costs: tuple[Cost, ...],
    logs: Mapping[str, SiteLog],
    site_of: Mapping[str, str],
) -> Trial:
    """Submissions as hiwe counts them: a check by plain HTTP is none."""
    with Database(run / FILE_NAME, read_only=True) as db:
        rows = db.rows(
            "SELECT site, ended_at FROM submissions WHERE state = 'judged' AND probe = 0"
            " ORDER BY ended_at"
        )
        parsed = int(db.value("SELECT count(*) FROM records"))
    sent: dict[str, list[float]] = {site: [] for site in logs}
    for row in rows:
        sent[site_of[row["site"]]].append(row["ended_at"])
    since = costs[-1].began_at
    all_sent = {site: tuple(times) for site, times in sent.items()}
    steady = {site: tuple(t for t in times if t >= since) for site, times in sent.items()}
    return Trial(tool, costs, logs, all_sent, steady, parsed)


def _told_by_sites(
    tool: Tool, directory: Path, costs: tuple[Cost, ...], logs: Mapping[str, SiteLog]
) -> Trial:
    """Submissions as the sites saw them: searches of which the first page was answered."""
    sent = {
        site: tuple(asked.at for asked in log.asked if asked.is_first) for site, log in logs.items()
    }
    files = [directory / f"{site}.jsonl" for site in logs]
    parsed = sum(_records(path) for path in files) if any(map(Path.exists, files)) else None
    return Trial(tool, costs, logs, sent, sent, parsed)


def _records(path: Path) -> int:
    """How many different records a spider wrote."""
    if not path.exists():
        return 0
    lines = path.read_text(encoding="utf-8").splitlines()
    return len({json.dumps(json.loads(line), sort_keys=True) for line in lines})
