"""What a crawl of so many sites takes: a small model of measured figures and of named assumptions.

Work of one site: pages opened in a browser, submissions, most of them by plain HTTP. Workers are
whatever the slower of two asks for: processor time, or answers waited for. A crawl has as many
drivers (shards) as it takes to keep up with its workers within the time allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

SIZES = (10**3, 10**5, 10**7)


@dataclass(frozen=True, slots=True)
class Assumed:
    """What nobody measured here: the task, the sites, a week, and prices in USD."""

    days: float = 7.0
    pages_a_site: float = 10.0  # opened in a browser
    submissions_a_site: float = 100.0
    plain: float = 0.9  # share of submissions by plain HTTP
    latency_s: float = 1.0  # until a site has answered
    bytes_a_page: float = 500_000.0  # a page in a browser with all that it loads
    bytes_an_answer: float = 50_000.0  # one document
    packed: float = 0.25  # of these in the archive
    slots: int = 4  # actions at a time on one worker
    core_hour: float = 0.04
    gigabyte_month: float = 0.02
    gigabyte_moved: float = 0.0  # what comes in is free at most providers


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured: processor seconds of a worker or the driver, bytes of the database."""

    page_s: float  # a page opened and analysed in a browser
    browser_s: float  # a submission in a browser
    plain_s: float  # a submission by plain HTTP
    driver_s: float  # the crawl's share of an observation
    database_bytes: float  # of an observation


@dataclass(frozen=True, slots=True)
class Needs:
    """Of a crawl of `sites`."""

    sites: int
    workers: int
    drivers: int
    observations_per_s: float
    megabits_per_s: float
    archive_gb: float
    database_gb: float
    usd_per_million: float  # of submissions


def needs(sites: int, costs: Costs, assumed: Assumed | None = None) -> Needs:
    """What a crawl of so many sites takes."""
    given = assumed or Assumed()
    seconds = given.days * 86_400
    pages, sent = sites * given.pages_a_site, sites * given.submissions_a_site
    plain, in_browser = sent * given.plain, sent * (1 - given.plain)
    cpu_s = pages * costs.page_s + in_browser * costs.browser_s + plain * costs.plain_s
    waited_s = (pages + sent) * given.latency_s / given.slots
    observations = pages + sent + sites  # robots.txt
    driver_s = observations * costs.driver_s
    moved = (pages + in_browser) * given.bytes_a_page + plain * given.bytes_an_answer
    archive_gb, database_gb = moved * given.packed / 1e9, observations * costs.database_bytes / 1e9
    usd = (cpu_s + driver_s) / 3600 * given.core_hour + moved / 1e9 * given.gigabyte_moved
    usd += (archive_gb + database_gb) * given.gigabyte_month
    return Needs(
        sites=sites,
        workers=ceil(max(cpu_s, waited_s) / seconds),
        drivers=ceil(driver_s / seconds),
        observations_per_s=observations / seconds,
        megabits_per_s=moved * 8 / 1e6 / seconds,
        archive_gb=archive_gb,
        database_gb=database_gb,
        usd_per_million=usd / sent * 1e6,
    )
