"""An action that was lost with its worker is done again, as after a killed process."""

from __future__ import annotations

import asyncio

import pytest

from hiwe.crawl.action import DETAIL, RECHECK, SIGNPOST, NewAction
from hiwe.crawl.crawl import TOGETHER, Crawl
from hiwe.crawl.frontier import MAX_CRASHES
from hiwe.crawl.run import run_task
from hiwe.crawl.site import Site
from hiwe.crawl.stores import Stores
from hiwe.engine.action import LOST, Failure, Submit
from hiwe.engine.local import LocalEngine
from hiwe.lvs.table import LvsTable
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts
from hiwe.task import load_task, parse_task
from tests.catalogue import having, list_page
from tests.crawling import crawl, read_back, write_config
from tests.served import Served

URL = "http://a.org/"
FORM = """<form action="/find"><label>Genre <select name="g"><option value="">any</option>
<option>Science fiction</option><option>History</option><option>Poetry</option></select></label>
<button>Find</button></form>"""
GENRES = {"Science fiction": "sf", "History": "hi", "Poetry": "po"}


def _find(request):
    return list_page(having(genre=GENRES[request.value("g")]))


async def no_worker(number):
    raise AssertionError("nothing is to be performed")


@pytest.fixture
def at_work(tmp_path):
    task = parse_task(f"task: t\nsites: [{URL}]\npoliteness: {{delay_s: 2}}\n")
    site = Site(URL, URL, task.for_site(task.sites[0]))
    with Database(None) as db:
        engine = LocalEngine(no_worker, slots=1)
        yield Crawl(
            task, [site], Stores.of(db), LvsTable(), engine, clock=lambda: 1000.0,
            directory=tmp_path, assist=tmp_path / "assist.yaml",
        )  # fmt: skip


def _lose(crawl: Crawl, now: float) -> int:
    row = crawl.frontier.claim(now)
    assert row is not None
    crawl._dispatch.in_flight[row.id] = row
    crawl._take(Failure(row.id, LOST, "the worker was lost"))
    return row.id


@pytest.mark.parametrize("kind", ["visit", DETAIL, RECHECK, SIGNPOST])
def test_a_lost_action_is_open_again_and_its_host_rests(kind, at_work):
    at_work.frontier.add(NewAction(kind, URL, f"{URL}x", depth=1))
    action = _lose(at_work, 1000.0)
    assert at_work.frontier.get(action).state == "open"
    assert at_work.frontier.get(action).attempts == 0
    assert at_work.frontier.claim(1001.0) is None
    assert Hosts(at_work._stores.db).get("a.org").failure_streak == 0
    assert _lose(at_work, 1003.0) == action


@pytest.mark.parametrize("kind", ["visit", DETAIL, RECHECK, SIGNPOST])
def test_an_action_that_ends_every_worker_is_given_up(kind, at_work):
    at_work.frontier.add(NewAction(kind, URL, f"{URL}x", depth=1))
    actions = {_lose(at_work, 2000.0 + at) for at in range(MAX_CRASHES)}
    assert len(actions) == 1
    assert at_work.frontier.get(actions.pop()).state == "failed"
    assert at_work.frontier.next_due() is None


def test_a_host_that_a_killed_crawl_was_asking_rests_first(at_work):
    at_work.frontier.add(NewAction("visit", URL, f"{URL}x", depth=1))
    assert at_work.frontier.claim(1000.0) is not None
    at_work._begin()
    assert at_work.frontier.claim(1001.0) is None
    assert at_work.frontier.claim(1002.0) is not None


class Ready(LocalEngine):
    """Has observations lying ready."""

    def __init__(self, ready):
        super().__init__(no_worker, slots=1)
        self.ready = ready

    async def observe(self, timeout_s):
        return self.ready.pop(0) if self.ready else None


def test_observations_that_lie_ready_are_taken_together(at_work):
    for number in range(3):
        at_work.frontier.add(NewAction("visit", URL, f"http://{number}.org/", depth=1))
    rows = [at_work.frontier.claim(1000.0) for _ in range(3)]
    at_work._dispatch.in_flight.update({row.id: row for row in rows})
    at_work._engine = Ready([Failure(row.id, "not_html", "no page") for row in rows])
    asyncio.run(at_work._take_next())
    assert {at_work.frontier.get(row.id).state for row in rows} == {"failed"}
    assert not at_work._dispatch.in_flight


def test_no_more_are_taken_together_than_a_killed_process_may_ask_for_again(at_work):
    for number in range(TOGETHER + 2):
        at_work.frontier.add(NewAction("visit", URL, f"http://{number}.org/", depth=1))
    rows = [at_work.frontier.claim(1000.0) for _ in range(TOGETHER + 2)]
    at_work._dispatch.in_flight.update({row.id: row for row in rows})
    at_work._engine = Ready([Failure(row.id, "not_html", "no page") for row in rows])
    asyncio.run(at_work._take_next())
    assert len(at_work._engine.ready) == 2


class Losing(LocalEngine):
    """Loses every third action, and every one of a certain value."""

    fatal = ""
    given = 0

    def perform(self, action):
        self.given += 1
        fatal = isinstance(action, Submit) and self.fatal in str(action)
        if self.given % 3 == 0 or (self.fatal and fatal):
            self._in_flight.begin(_lost(action))
        else:
            super().perform(action)


class Deadly(Losing):
    """Loses every action that sends History, too."""

    fatal = "History"


async def _lost(action):
    return Failure(action.id, LOST, "the worker was lost")


def _crawl_with(make_engine, browsing, out, url):
    task = load_task(write_config(out, (url,)))
    work = run_task(task, out / "run", browser=browsing.browser, make_engine=make_engine)
    return read_back(out / "run", browsing.run(work))


@pytest.mark.browser
def test_a_crawl_that_loses_every_third_action_finds_the_same(browsing, tmp_path):
    (tmp_path / "whole").mkdir()
    with Served({"/": FORM, "/find": _find}) as site:
        whole = crawl(browsing, tmp_path / "whole", site.url)
        found = _crawl_with(Losing, browsing, tmp_path, site.url)
    assert found.status == "finished"
    assert found.values() == whole.values()
    assert [r["fields"] for r in found.records] == [r["fields"] for r in whole.records]


@pytest.mark.browser
def test_an_assignment_that_ends_every_worker_is_left_open_and_the_others_are_sent(
    browsing, tmp_path
):
    with Served({"/": FORM, "/find": _find}) as site:
        found = _crawl_with(Deadly, browsing, tmp_path, site.url)
    assert found.status == "finished"
    assert sorted(found.values()) == [("Poetry",), ("Science fiction",)]
    assert any("the worker was lost" in event for event in found.events)
