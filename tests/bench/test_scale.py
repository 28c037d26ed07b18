"""The scale benchmark: simulated workers, the model of needs, the driver alone on a real crawl."""

from __future__ import annotations

import asyncio
import urllib.request
from dataclasses import replace

import pytest

from hiwe.bench.scale.driver import Driven, drive, record
from hiwe.bench.scale.instant import Extent
from hiwe.bench.scale.model import Assumed, Costs, needs
from hiwe.bench.scale.shown import Row, missed
from hiwe.bench.scale.simulate import Costs as Stage
from hiwe.bench.scale.simulate import simulated_rate
from hiwe.bench.scale.sites import BOOKS, authors, root, served

COSTS = Costs(page_s=0.5, browser_s=1.0, plain_s=0.01, driver_s=0.001, database_bytes=5_000)
WELL = Driven(2_000, [3_000.0], [3_000.0], [100.0, 100.0, 100.0], 1.0, 1)


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_workers_that_only_wait_do_their_slots_in_each_latency(workers):
    rate = simulated_rate(Stage(0.5, 0.0, 0.0), workers, 4)
    assert rate == pytest.approx(workers * 4 / 0.5, rel=0.05)


def test_a_driver_that_is_slower_than_its_workers_sets_the_rate():
    assert simulated_rate(Stage(0.1, 0.0, 0.02), 8, 4) == pytest.approx(50.0, rel=0.01)
    assert simulated_rate(Stage(0.1, 0.05, 0.0), 2, 4) == pytest.approx(40.0, rel=0.01)


def test_ten_times_the_sites_take_ten_times_the_storage_and_cost_the_same_each():
    few, many = needs(10**5, COSTS), needs(10**6, COSTS)
    assert many.archive_gb == pytest.approx(10 * few.archive_gb)
    assert many.usd_per_million == pytest.approx(few.usd_per_million)
    assert few.workers < many.workers <= 10 * few.workers


def test_workers_are_what_processors_or_answers_take_whichever_is_more():
    days = Assumed(days=1.0, pages_a_site=0.0, plain=1.0, latency_s=4.0, slots=4)
    waiting = needs(10**6, COSTS, days)
    assert waiting.workers == -(-(10**8) // 86_400)
    busy = needs(10**6, replace(COSTS, plain_s=2.0), days)
    assert busy.workers == -(-2 * 10**8 // 86_400)


def test_goals_that_were_missed_are_told_with_what_the_figures_show():
    row = Row("local", 8, 40.0, 5.0, busy=1.9, simulated=7.9)
    assert missed([replace(row, speedup=6.9)], WELL) == []
    told = missed([row], replace(WELL, rates=[500.0]))
    assert "5.00 times one worker, goal 6.80" in told[0]
    assert "7.90 times" in told[0]
    assert told[1].startswith("driver: 500 observations a second")


def test_the_sites_answer_the_same_author_alike_after_their_time():
    with served(2, 0.05) as port:
        pages = []
        for number in (0, 1):
            url = f"{root(number, port)}find?author={authors(1)[0].replace(' ', '+')}"
            with urllib.request.urlopen(url) as answer:
                pages.append(answer.read().decode())
    assert pages[0] == pages[1]
    assert pages[0].count('class="hit"') == BOOKS


@pytest.mark.browser
def test_the_driver_alone_takes_every_observation_of_its_sites(chromium):
    async def work():
        return await drive(await record(5), Extent(1_000, 60.0, at_once=10, submissions=48))

    driven = asyncio.run(work())
    assert 1_000 <= driven.observations <= 1_050
    assert len(driven.rates) == 1
    assert driven.median > 0
    assert driven.database_bytes > 1_000_000
