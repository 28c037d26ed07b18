"""`hiwe bench peers`: the same work by hand-written spiders, automatic crawlers and hiwe.

All in one run, on the same fixture sites, at the same concurrency: four sites at once, one request
of a site at a time. Each tool gets fresh sites and a process of its own. docs/peers.md tells how.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hiwe.bench.peers.environment import NoEnvironmentError
from hiwe.bench.peers.figures import figures_of
from hiwe.bench.peers.shown import result_of
from hiwe.bench.peers.tools import AUTOMATIC, BY_HAND, HIWE, HIWE_PLAIN, Tool
from hiwe.bench.peers.trial import FailedTrialError, Trial, try_out
from hiwe.bench.peers.work import SITES, Work, all_directors

if TYPE_CHECKING:
    from hiwe.bench.result import BenchResult

LOG = logging.getLogger(__name__)
ROUNDS = 3  # of the tools without a browser; the others and the automatic ones go once
AUTOMATIC_LIMIT_S = 45.0
QUICK_SITES, QUICK_DIRECTORS = ("cineteca",), 40
QUICK_TOOLS = (Tool("requests + lxml", "by hand", "requests_films.py"), HIWE_PLAIN)


def run(*, quick: bool = False) -> BenchResult:
    """Compare. `quick`: hiwe by plain HTTP with requests at one site; nothing is installed."""
    if quick:
        work = Work(QUICK_SITES, all_directors()[:QUICK_DIRECTORS], AUTOMATIC_LIMIT_S)
        return compare(QUICK_TOOLS, work, rounds=1)
    return compare((*BY_HAND, *HIWE, *AUTOMATIC), Work(SITES, all_directors(), AUTOMATIC_LIMIT_S))


def compare(tools: tuple[Tool, ...], work: Work, *, rounds: int = ROUNDS) -> BenchResult:
    """Let the tools take turns; those that cannot take part are named with the reason."""
    trials: dict[str, list[Trial]] = {tool.name: [] for tool in tools}
    missing: dict[str, str] = {}
    for number in range(rounds):
        for tool in tools:
            once = tool.in_browser or tool.kind == "automatic"
            if tool.name in missing or (number and once):
                continue
            LOG.info("round %d: %s", number + 1, tool.name)
            try:
                trials[tool.name].append(try_out(tool, work))
            except (NoEnvironmentError, FailedTrialError) as exc:
                missing[tool.name] = str(exc)
    done = [found for found in trials.values() if found]
    return result_of([figures_of(found, work) for found in done], done, work, missing)
