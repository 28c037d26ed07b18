"""`hiwe bench scale`: workers, the driver alone, and what a crawl of many sites takes.

Four parts. Whole crawls of sites that take their time, with 1, 2, 4 and 8 workers, on the local
engine and, where Ray is installed, on Ray; what the costs measured there give in simulated time,
with a processor for each worker; the crawl's own work, with an engine that answers from memory; and
a table of what 10^3, 10^5 and 10^7 sites take, by a model of these figures. docs/scale.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.bench.scale.costs import browser_costs
from hiwe.bench.scale.driver import FULL, QUICK, drive, record
from hiwe.bench.scale.model import SIZES, Costs, needs
from hiwe.bench.scale.shown import Found, result_of
from hiwe.bench.scale.speedup import LOCAL, WORKERS, kinds, measure

if TYPE_CHECKING:
    from hiwe.bench.result import BenchResult

SECONDS, QUICK_SECONDS = 15.0, 2.0  # of one crawl with so many workers
SITES, SUBMISSIONS = 12, 4  # in the browser


async def run(*, quick: bool = False) -> BenchResult:
    """Measure. `quick`: the local engine with one and two workers, 10^4 observations."""
    engines, counts, seconds = (
        ((LOCAL,), WORKERS[:2], QUICK_SECONDS) if quick else (kinds(), WORKERS, SECONDS)
    )
    measured = {kind: await measure(kind, counts, seconds) for kind in engines}
    driven = await drive(await record(), QUICK if quick else FULL)
    sites = SITES // 4 if quick else SITES
    page_s, browser_s = await browser_costs(sites, SUBMISSIONS)
    driver_s = 1 / driven.cpu_median
    whole_s = measured[LOCAL][-1].driver_cpu_s  # worker and driver are one process there
    costs = Costs(
        page_s=max(0.0, page_s - driver_s),
        browser_s=max(0.0, browser_s - driver_s),
        plain_s=max(0.0, whole_s - driver_s),
        driver_s=driver_s,
        database_bytes=driven.database_bytes / driven.observations,
    )
    table = [needs(sites, costs) for sites in SIZES]
    return result_of(Found(measured, driven, costs, table))
