"""A host that does not answer is left in peace, whatever it was asked for."""

from __future__ import annotations

import pytest

from hiwe.crawl.action import DETAIL, RECHECK, SIGNPOST, NewAction
from hiwe.crawl.crawl import Crawl
from hiwe.crawl.site import Site
from hiwe.crawl.stores import Stores
from hiwe.engine.action import Failure
from hiwe.engine.local import LocalEngine
from hiwe.lvs.table import LvsTable
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts
from hiwe.task import parse_task

URL = "http://a.org/"


async def no_worker():
    raise AssertionError("nothing is to be performed")


@pytest.mark.parametrize("kind", ["visit", DETAIL, RECHECK, SIGNPOST])
@pytest.mark.parametrize(("failure", "streak"), [("timeout", 1), ("unreachable", 1), ("crash", 0)])
def test_silence_is_counted_against_the_host(kind, failure, streak, tmp_path):
    task = parse_task(f"task: t\nsites: [{URL}]\n")
    site = Site(URL, URL, task.for_site(task.sites[0]))
    with Database(None) as db:
        engine = LocalEngine(no_worker, slots=1)
        crawl = Crawl(
            task, [site], Stores.of(db), LvsTable(), engine,
            directory=tmp_path, assist=tmp_path / "assist.yaml",
        )  # fmt: skip
        crawl.frontier.add(NewAction(kind, URL, f"{URL}x", depth=1, payload={"record": "r"}))
        row = crawl.frontier.claim()
        assert row is not None
        crawl._dispatch.in_flight[row.id] = row
        crawl._take(Failure(row.id, failure, "it did not come"))
        assert Hosts(db).get("a.org").failure_streak == streak
        assert not crawl._dispatch.in_flight
