"""`hiwe bench limits`: what the machine can do at most, and hiwe's stages as ratios to that.

Raw figures (Chromium, HTTP, a DOM snapshot, a parse, a compression, a transaction) and stages are
measured in one run, taking turns in each round; a figure is the median of its rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.bench.limits.shown import result_of
from hiwe.bench.limits.stage import take_turns
from hiwe.bench.limits.stages import measures
from hiwe.bench.limits.web import web

if TYPE_CHECKING:
    from hiwe.bench.result import BenchResult

ROUNDS, QUICK_ROUNDS = 7, 3


async def run(*, quick: bool = False) -> BenchResult:
    """Measure. `quick`: pages of the fixture site alone, fewer rounds."""
    async with web(corpus=not quick) as found, measures(found) as ours:
        times = await take_turns(ours, QUICK_ROUNDS if quick else ROUNDS)
    return result_of(times, len(found.pages))
