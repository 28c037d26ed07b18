"""A real Ray cluster of two nodes: the engine's promises, and crawls that find what a local one
finds, faults or none.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from hiwe.repository.warc_reader import read_page
from tests.catalogue import having, list_page
from tests.cluster import Cluster, wait_for
from tests.crawling import read_back, write_config
from tests.served import Reply, Served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("ray", reason="no Ray; pip install 'hiwe[ray]' to run these")
from hiwe.engine.action import Failure
from hiwe.engine.ray import RayEngine
from tests.engine.faking import BREAKING, ENDING, SLOW, fetch, make_fake

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTS = 4
LATENCY_S = 0.15
RUN_DEADLINE_S = 100.0
PATIENCE_S = 30.0
SITES = "abcdefgh"
AUTHORS = ("Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm")
FORM = f"""<form action="/find"><label>Author <select name="a"><option value="">any</option>
{"".join(f"<option>{author}</option>" for author in AUTHORS)}</select></label>
<button>Find</button></form>"""


def _find(request):
    return Reply(list_page(having(author=request.value("a"))), delay_s=LATENCY_S)


@pytest.fixture(scope="module")
def sites() -> Iterator[list[Served]]:
    with ExitStack() as stack:
        routes = {"/": FORM, "/find": _find}
        yield [
            stack.enter_context(Served(routes, host=f"127.0.1.{at}")) for at in range(1, 1 + HOSTS)
        ]


@pytest.fixture(scope="module")
def config(sites, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("task")
    return write_config(out, tuple(site.url for site in sites), settings={"workers": 2})


@pytest.fixture(scope="module")
def cluster(chromium) -> Iterator[Cluster]:
    started = Cluster(browsers=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")  # no token: all is on loopback
        try:
            started.start()
            yield started
        finally:
            started.stop()


@pytest.fixture(scope="module")
def local(config, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("local")
    _finish(_start(config, out))
    return out


def _start(config: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hiwe", "run", str(config), "--out", str(out), "--quiet"]
    return subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip


def _finish(process: subprocess.Popen[bytes]) -> None:
    written, said = process.communicate(timeout=RUN_DEADLINE_S)
    assert process.returncode == 0, said.decode()
    assert written == b""


def _on_ray(cluster: Cluster) -> tuple[str, ...]:
    return "--engine", "ray", "--ray-address", cluster.address


def _records(out: Path) -> dict[str, dict[str, str]]:
    lines = (out / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record["fields"] for record in map(json.loads, lines)}


def _answers(out: Path) -> Counter[tuple[str, str]]:
    """The submissions that count, as addresses and verdicts."""
    return Counter((s.request[1], str(s.judgement.verdict)) for s in read_back(out).sent)


def _check_same(found: Path, expected: Path) -> None:
    assert _records(found) == _records(expected)
    assert _answers(found) == _answers(expected)
    assert max(_answers(found).values()) == 1


async def _pids(engine: RayEngine) -> dict[str, int]:
    """The process that each site's actions go to."""
    for number, site in enumerate(SITES):
        engine.perform(fetch(number, site=site))
    seen = [await engine.observe(PATIENCE_S) for _ in SITES]
    return {SITES[o.action_id]: int(o.body.split()[1]) for o in seen}


async def _until_fault(engine: RayEngine) -> None:
    for _ in range(100):
        await engine.observe(0.1)


async def _with_engine(cluster: Cluster, work):
    engine = RayEngine(make_fake, 2, cluster.address)
    await engine.start()
    try:
        return await work(engine)
    finally:
        await engine.stop()


def test_each_site_stays_with_its_worker_and_both_have_some(cluster):
    async def work(engine):
        return await _pids(engine), await _pids(engine)

    handler = signal.getsignal(signal.SIGTERM)
    first, second = asyncio.run(_with_engine(cluster, work))
    assert first == second
    assert len(set(first.values())) == 2
    assert signal.getsignal(signal.SIGTERM) is handler


def test_what_a_killed_worker_had_in_hand_is_lost_and_another_takes_its_place(cluster):
    async def work(engine):
        before = await _pids(engine)
        engine.perform(fetch(1, SLOW, site="a"))
        await asyncio.sleep(0.3)
        os.kill(before["a"], signal.SIGKILL)
        lost = await engine.observe(PATIENCE_S)
        meanwhile = await _pids(engine)
        for _ in range(100):
            after = await _pids(engine)
            if len(set(after.values())) == 2:
                return before, lost, meanwhile, after
            await asyncio.sleep(0.2)
        raise AssertionError("no other worker came")

    before, lost, meanwhile, after = asyncio.run(_with_engine(cluster, work))
    assert (lost.action_id, lost.is_loss) == (1, True)
    assert before["a"] not in {*meanwhile.values(), *after.values()}
    homes = {site for site in SITES if before[site] == before["a"]}
    assert {site for site in SITES if after[site] == after["a"]} == homes


def test_a_browser_that_ended_is_replaced_and_a_fault_ends_the_run(cluster):
    async def work(engine):
        engine.perform(fetch(1, ENDING))
        lost = await engine.observe(PATIENCE_S)
        engine.perform(fetch(2))
        fetched = await engine.observe(PATIENCE_S)
        engine.perform(fetch(3, BREAKING))
        with pytest.raises(LookupError, match=BREAKING):
            await _until_fault(engine)
        return lost, fetched

    lost, fetched = asyncio.run(_with_engine(cluster, work))
    assert lost.is_loss
    assert fetched.status == 200


def test_a_cluster_finds_what_one_machine_finds(config, cluster, local, tmp_path):
    _finish(_start(config, tmp_path, *_on_ray(cluster)))
    _check_same(tmp_path, local)
    result = read_back(tmp_path)
    places = [s.archived[-1] for s in result.sent]
    assert len({place.partition("#")[0] for place in places}) == 2, "each worker has its own file"
    for sent in result.sent:
        page = read_page(tmp_path / "warc", sent.archived[-1]).page
        assert page.url == sent.request[1]


def test_a_killed_worker_loses_and_repeats_nothing(config, cluster, local, sites, tmp_path):
    before = sum(len(site.to("/find")) for site in sites)
    process = _start(config, tmp_path, *_on_ray(cluster))
    wait_for(lambda: sum(len(site.to("/find")) for site in sites) >= before + 3)
    os.kill(cluster.workers()[0], signal.SIGKILL)
    _finish(process)
    _check_same(tmp_path, local)
    assert "is lost" in (tmp_path / "hiwe.log").read_text()
    assert not list((tmp_path / "warc").glob("*.open"))


def test_a_lost_node_leaves_its_sites_to_the_workers_that_are_left(cluster):
    async def work(engine):
        before = await _pids(engine)
        for number, site in enumerate(SITES):
            engine.perform(fetch(number, SLOW, site=site))
        await asyncio.sleep(0.5)
        cluster.lose_node()  # the last test of this module: the node does not come back
        seen = [await engine.observe(PATIENCE_S) for _ in SITES]
        return before, seen, await _pids(engine)

    before, seen, after = asyncio.run(_with_engine(cluster, work))
    assert {o.action_id for o in seen} == set(range(len(SITES)))
    assert len(set(after.values())) == 1
    assert set(after.values()) < set(before.values())
    moved = {SITES.index(site) for site in SITES if after[site] != before[site]}
    assert {o.action_id for o in seen if isinstance(o, Failure)} == moved
