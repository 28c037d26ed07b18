"""A real Ray cluster of two nodes on loopback: the engine's promises, and crawls of forty sites
that find what a local one finds while workers, a node or the crawl itself are killed.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from hiwe.bench.scale.recorded import Rendering
from hiwe.repository.warc_reader import read_page, read_pages
from tests.cluster import Cluster, wait_for
from tests.crawling import read_back, write_config
from tests.engine.crawls import RUN_DEADLINE_S, Found, asked, finish, least_rest_s, start
from tests.engine.databases import HOSTS, SHAPES, TABLE, databases

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from hiwe.engine.action import Observation
    from tests.served import Served

pytest.importorskip("ray", reason="no Ray; pip install 'hiwe[ray]' to run these")
from hiwe.engine.action import Failure
from hiwe.engine.ray import RayEngine
from tests.engine.faking import BREAKING, ENDING, SLOW, fetch, make_fake

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PATIENCE_S = 30.0
SITES = "abcdefghijkl"
PACE_S = 0.2
SLOW_PACE_S = 0.6  # so that a crawl lasts for several kills
KILLED_EVERY_S = 3.0
SETTINGS = {
    "transport": "http",
    "politeness": {"delay_s": PACE_S},
    "budget": {"details_per_site": 0},
    "browser": {"timeout_s": 60},  # a busy machine is no fault
}
RECORDED = "tests.engine.recorded_run"


@pytest.fixture(scope="module")
def sites() -> Iterator[list[Served]]:
    with databases() as served:
        yield served


@pytest.fixture(scope="module")
def cluster(chromium) -> Iterator[Cluster]:
    started = Cluster(browsers=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")  # no token: all is on loopback
        try:
            started.start()
            yield started
        finally:
            started.stop()


@pytest.fixture(scope="module")
def task(tmp_path_factory, sites) -> Path:
    """The configuration for forty sites."""
    out = tmp_path_factory.mktemp("forty")
    return write_config(out, tuple(site.url for site in sites), TABLE, SETTINGS)


@pytest.fixture(scope="module")
def small_task(tmp_path_factory, sites) -> Path:
    """One site of each shape."""
    out = tmp_path_factory.mktemp("few")
    return write_config(out, tuple(site.url for site in sites[:SHAPES]), TABLE, SETTINGS)


@pytest.fixture(scope="module")
def in_browser(small_task, tmp_path_factory, chromium) -> Path:
    """The sites of all shapes, crawled here with a browser."""
    out = tmp_path_factory.mktemp("browser")
    finish(start("hiwe", "run", small_task, "--out", out, "--workers", SHAPES, "--quiet"))
    return out


@pytest.fixture(scope="module")
def renderings(in_browser, sites, tmp_path_factory) -> Path:
    """How a browser shows the forty start pages: like those of the same shape."""
    shown = {p.page.url: Rendering.of(p.page) for p in read_pages(in_browser / "warc")}
    models = [shown[site.url] for site in sites[:SHAPES]]
    pages = {site.url: models[at % SHAPES].moved(site.url) for at, site in enumerate(sites)}
    file = tmp_path_factory.mktemp("renderings") / "pages.pickle"
    file.write_bytes(pickle.dumps(pages))
    return file


@pytest.fixture(scope="module")
def local(task, renderings, tmp_path_factory) -> Found:
    """What a local run finds on the forty sites."""
    out = tmp_path_factory.mktemp("local")
    finish(start(RECORDED, task, out, renderings, "local", "workers=16"))
    found = Found.of(out)
    assert len({site for site, *_ in found.answers}) == HOSTS
    return found


class Run:
    """A crawl of the forty sites on the cluster, and what the sites see of it."""

    def __init__(
        self, task: Path, out: Path, renderings: Path, cluster: Cluster, sites: list[Served]
    ) -> None:
        self.out = out
        self._cluster = cluster
        self._sites = sites
        self._command = (RECORDED, task, out, renderings, cluster.address)
        self._before = [len(site.log) for site in sites]
        self._searches = asked(sites)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int = 2, *overrides: str) -> subprocess.Popen[bytes]:
        """Start or resume it."""
        self._processes.append(start(*self._command, f"workers={workers}", *overrides))
        return self._processes[-1]

    def end(self) -> None:
        """Kill what still runs: a test has failed."""
        for process in self._processes:
            with process:
                process.kill()

    def wait_for_searches(self, count: int) -> None:
        """Return when the sites have seen so many."""
        wait_for(lambda: self._are(count), RUN_DEADLINE_S)

    def _are(self, count: int) -> bool:
        process = self._processes[-1]
        if process.poll() is not None:
            finish(process)  # it says why it has ended
        return asked(self._sites) >= self._searches + count

    def least_rest_s(self) -> float:
        """The shortest time between two requests to one host."""
        return least_rest_s(self._sites, self._before)


@pytest.fixture
def run(task, tmp_path, renderings, cluster, sites) -> Iterator[Run]:
    begun = Run(task, tmp_path, renderings, cluster, sites)
    yield begun
    begun.end()


async def _pids(engine: RayEngine) -> dict[str, int]:
    """The process that each site's actions go to."""
    for number, site in enumerate(SITES):
        engine.perform(fetch(number, site=site))
    seen = [await engine.observe(PATIENCE_S) for _ in SITES]
    return {SITES[o.action_id]: int(o.body.split()[1]) for o in seen}


async def _until_fault(engine: RayEngine) -> None:
    for _ in range(100):
        await engine.observe(0.1)


async def _pids_of(engine: RayEngine, count: int) -> dict[str, int]:
    """The process of each site, once so many workers are up."""
    for _ in range(400):
        found = await _pids(engine)
        if len(set(found.values())) == count:
            return found
        await asyncio.sleep(0.1)
    raise AssertionError(f"there are no {count} workers")


async def _losing(engine: RayEngine, lose) -> tuple[dict[str, int], list[Observation]]:
    """Which process has each site, and what comes of its actions when `lose` is called."""
    before = await _pids(engine)
    for number, site in enumerate(SITES):
        engine.perform(fetch(number, SLOW, site=site))
    await asyncio.sleep(0.3)
    lose(before)
    seen = [await engine.observe(PATIENCE_S) for _ in SITES]
    assert {o.action_id for o in seen} == set(range(len(SITES)))
    return before, seen


def _check_moved(before: dict[str, int], seen: list[Observation], now: dict[str, int]) -> set[str]:
    """Those whose actions were lost have another process now, the others have theirs."""
    moved = {SITES[o.action_id] for o in seen if isinstance(o, Failure)}
    assert all(o.is_loss for o in seen if isinstance(o, Failure))
    assert {site for site in SITES if now[site] != before[site]} == moved
    assert not {before[site] for site in moved} & set(now.values())
    return moved


async def _with_engine(cluster: Cluster, work, workers: int):
    engine = RayEngine(make_fake, workers, cluster.address)
    await engine.start()
    try:
        return await work(engine)
    finally:
        await engine.stop()


def test_sites_stay_with_their_worker_until_it_or_its_node_is_lost_and_go_to_those_that_join(
    cluster,
):
    async def work(engine):
        assert await _pids(engine) == await _pids(engine)
        before, seen = await _losing(engine, lambda pids: os.kill(pids["a"], signal.SIGKILL))
        moved = _check_moved(before, seen, await _pids(engine))
        assert "a" in moved
        _check_moved(before, seen, await _pids_of(engine, 4))
        before, seen = await _losing(engine, lambda pids: cluster.lose_node())
        _check_moved(before, seen, await _pids(engine))
        await asyncio.to_thread(cluster.add_node)
        _check_moved(before, seen, await _pids_of(engine, 4))

    handler = signal.getsignal(signal.SIGTERM)
    asyncio.run(_with_engine(cluster, work, workers=4))
    assert signal.getsignal(signal.SIGTERM) is handler


def test_workers_that_end_with_nothing_in_hand_are_replaced_and_a_fault_ends_the_run(cluster):
    async def work(engine):
        engine.perform(fetch(1, ENDING))
        lost = await engine.observe(PATIENCE_S)
        before = await _pids(engine)
        os.kill(before["a"], signal.SIGKILL)
        await asyncio.sleep(1.0)
        fetched = await _pids_of(engine, 1)
        engine.perform(fetch(3, BREAKING))
        with pytest.raises(LookupError, match=BREAKING):
            await _until_fault(engine)
        return lost, before, fetched

    lost, before, after = asyncio.run(_with_engine(cluster, work, workers=1))
    assert lost.is_loss
    assert set(after.values()) != set(before.values())


def test_browsers_of_a_cluster_find_what_one_machine_finds(
    small_task, cluster, in_browser, tmp_path
):
    options = ("--engine", "ray", "--ray-address", cluster.address, "--workers", 2, "--quiet")
    finish(start("hiwe", "run", small_task, "--out", tmp_path, *options))
    assert Found.of(tmp_path) == Found.of(in_browser)
    sent = read_back(tmp_path).sent
    places = [s.archived[-1] for s in sent]
    assert len({place.partition("#")[0] for place in places}) == 2, "each worker has its own file"
    for submission, place in zip(sent, places, strict=True):
        assert read_page(tmp_path / "warc", place).page.url == submission.request[1]


def test_a_cluster_finds_on_forty_sites_what_one_machine_finds(run, local):
    finish(run.start())
    assert Found.of(run.out) == local
    assert run.least_rest_s() >= PACE_S


def test_workers_and_a_node_that_are_killed_lose_and_repeat_nothing(run, cluster, local):
    process = run.start(4, f"politeness.delay_s={SLOW_PACE_S}")
    ended = threading.Event()
    run.wait_for_searches(1)
    killer = threading.Thread(target=_kill_workers, args=(cluster, ended))
    killer.start()
    try:
        run.wait_for_searches(HOSTS)
        cluster.lose_node()
        cluster.add_node()
        finish(process)
    finally:
        ended.set()
        killer.join()
    assert Found.of(run.out) == local
    assert run.least_rest_s() >= SLOW_PACE_S
    assert (run.out / "hiwe.log").read_text().count("is lost") >= 4


def _kill_workers(cluster: Cluster, ended: threading.Event) -> None:
    """Kill the worker that has lived longest, again and again."""
    while not ended.wait(KILLED_EVERY_S):
        pids = cluster.workers()
        if pids:
            os.kill(min(pids), signal.SIGKILL)


def test_a_crawl_that_is_killed_goes_on_where_it_was(run, local):
    process = run.start()
    run.wait_for_searches(HOSTS)
    process.kill()
    process.communicate()
    finish(run.start())
    assert Found.of(run.out) == local
    assert run.least_rest_s() >= PACE_S
