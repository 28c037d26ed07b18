"""The frontier: Mercator's invariants, claims, retries, resuming."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from hiwe.bench.frontier import simulate
from hiwe.crawl.frontier import MAX_ATTEMPTS, MAX_CRASHES, Frontier, NewAction, Priority
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts, HostState

SITE = "http://a.org/"


@pytest.fixture
def db():
    with Database(None) as database:
        yield database


@pytest.fixture
def frontier(db):
    return Frontier(db, clock=lambda: 0.0)


def visit(path="/", host="a.org", **changes):
    return NewAction("visit", SITE, f"http://{host}{path}", **changes)


def claimed_urls(frontier, number, now=0.0):
    """Claim and finish `number` actions; return their addresses."""
    urls = []
    for _ in range(number):
        action = frontier.claim(now)
        assert action is not None
        urls.append(action.url)
        frontier.done(action.id)
    return urls


def test_adding_twice_is_one_action_with_two_in_links(frontier):
    assert frontier.add(visit("/find?b=2&a=1#top"))
    assert not frontier.add(visit("/find?a=1&b=2&sid=8f3c21aa"))
    action = frontier.claim()
    assert action is not None
    assert (action.in_links, action.url) == (2, "http://a.org/find?b=2&a=1")
    frontier.done(action.id)
    assert not frontier.add(visit("/find?b=2&a=1"))
    assert frontier.claim() is None


def test_method_fields_and_kind_tell_actions_apart(frontier):
    assert frontier.add(visit("/find"))
    assert frontier.add(visit("/find", method="POST", fields=(("g", "sf"),)))
    assert frontier.add(visit("/find", method="POST", fields=(("g", "po"),)))
    assert frontier.add(NewAction("robots", SITE, "http://a.org/find"))
    assert frontier.add(NewAction("submit", SITE, "http://a.org/find", identity="key1"))
    assert not frontier.add(NewAction("submit", SITE, "http://a.org/else", identity="key1"))


def test_one_request_at_a_time_to_a_host(frontier):
    frontier.add_all([visit("/1"), visit("/2"), visit("/1", host="b.org")])
    first, second = frontier.claim(), frontier.claim()
    assert {first.host, second.host} == {"a.org", "b.org"}
    assert frontier.claim() is None
    assert frontier.next_due() is None
    frontier.done(first.id)
    assert frontier.claim().host == "a.org"


def test_no_host_is_asked_before_its_time(db, frontier):
    frontier.add(visit())
    Hosts(db).save(HostState("a.org", next_allowed_at=10.0))
    assert frontier.claim(9.9) is None
    assert frontier.next_due() == 10.0
    assert frontier.claim(10.0) is not None


def test_the_host_that_waited_longest_comes_first(db, frontier):
    frontier.add_all([visit(host="a.org"), visit(host="b.org"), visit(host="c.org")])
    for host, when in (("a.org", 3.0), ("b.org", 1.0), ("c.org", 2.0)):
        Hosts(db).save(HostState(host, next_allowed_at=when))
    assert [frontier.claim(5.0).host for _ in range(3)] == ["b.org", "c.org", "a.org"]


def test_robots_come_before_everything_else(frontier):
    frontier.add_all([visit(f"/{n}", priority=Priority.PROBE) for n in range(50)])
    frontier.add(NewAction("robots", SITE, "http://a.org/robots.txt", priority=Priority.ROBOTS))
    assert claimed_urls(frontier, 1) == ["http://a.org/robots.txt"]


def test_the_first_front_queue_is_favoured_and_no_other_starves(frontier):
    urgent, late = Priority.SUBMIT, Priority.UNLIKELY
    frontier.add_all([visit(f"/u{n}", priority=urgent) for n in range(200)])
    frontier.add_all([visit(f"/l{n}", priority=late) for n in range(200)])
    urls = claimed_urls(frontier, 100)
    favoured = sum("/u" in url for url in urls)
    assert 75 <= favoured < 100


def order_of(seed, *, deaths=()):
    """Return the order in which 40 actions are done; processes die after so many."""
    deaths = set(deaths)
    urls: list[str] = []
    with Database(None) as db:
        Frontier(db).add_all([visit(f"/{n}", priority=n % 4 + 1) for n in range(40)])
        frontier = Frontier(db, seed=seed)
        while (action := frontier.claim()) is not None:
            if len(urls) in deaths:
                deaths.remove(len(urls))
                frontier = Frontier(db, seed=seed)
                frontier.release_claims()
                continue
            urls.append(action.url)
            frontier.done(action.id)
    return urls


def test_the_same_seed_gives_the_same_order_in_killed_runs_too():
    assert len(order_of(7)) == 40
    assert order_of(7) == order_of(7, deaths=(0, 3, 4, 20, 39))
    assert order_of(7) != order_of(8)


def test_a_front_queue_is_served_by_score_then_first_come(frontier):
    frontier.add_all([visit("/deep", score=2), visit("/b", score=1), visit("/c", score=1)])
    assert claimed_urls(frontier, 3) == [f"http://a.org/{p}" for p in ("b", "c", "deep")]


def test_an_open_action_moves_forward_when_a_better_link_is_found(frontier):
    frontier.add_all([visit("/1", score=1), visit("/2", score=2, depth=3)])
    frontier.add(visit("/2", score=0, depth=1))
    action = frontier.claim()
    assert (action.url, action.depth) == ("http://a.org/2", 1)


def test_a_retry_waits_and_the_last_one_fails(frontier):
    frontier.add(visit())
    for attempt in range(1, MAX_ATTEMPTS + 1):
        action = frontier.claim(attempt * 10.0)
        assert action.attempts == attempt
        again = frontier.retry_at(action.id, attempt * 10.0 + 5, "timeout")
        assert again == (attempt < MAX_ATTEMPTS)
        assert frontier.claim(attempt * 10.0 + 4) is None
        assert frontier.next_due() == (attempt * 10.0 + 5 if again else None)
    assert (frontier.count("failed"), frontier.get(action.id).reason) == (1, "timeout")


def test_what_was_refused_is_given_back_untried(frontier):
    frontier.add(visit())
    for _ in range(MAX_ATTEMPTS + 2):
        frontier.give_back(frontier.claim().id, "throttled")
    assert frontier.claim().attempts == 1


def test_a_waiting_action_does_not_hold_up_its_host(frontier):
    frontier.add_all([visit("/slow"), visit("/fast")])
    frontier.retry_at(frontier.claim(0.0).id, 100.0, "timeout")
    assert frontier.claim(1.0).url == "http://a.org/fast"


def test_a_stopped_host_keeps_its_work_open(db, frontier):
    frontier.add_all([visit("/1"), visit("/2")])
    frontier.done(frontier.claim().id)
    Hosts(db).save(HostState("a.org", stopped="blocked"))
    assert frontier.claim(1e9) is None
    assert frontier.next_due() is None
    assert frontier.count("open") == 1
    Hosts(db).resume()
    assert frontier.claim().url == "http://a.org/2"


def test_claims_expire_and_those_of_a_killed_process_are_released(frontier):
    frontier.add(visit())
    frontier.claim(0.0, lease_s=60)
    assert frontier.reopen_expired(59.0) == 0
    assert frontier.reopen_expired(61.0) == 1
    frontier.claim(61.0)
    assert frontier.release_claims() == 1
    assert frontier.claim(62.0) is not None


def test_an_action_that_takes_every_process_with_it_fails_at_last(frontier):
    frontier.add(visit())
    for _ in range(MAX_CRASHES):
        assert frontier.claim() is not None
        frontier.release_claims()
    assert frontier.claim() is None
    assert frontier.count("failed") == 1


def test_an_ended_action_can_be_opened_again(frontier):
    frontier.add(visit())
    action = frontier.claim()
    frontier.skip(action.id, "trap")
    assert frontier.get(action.id).reason == "trap"
    frontier.reopen(action.id)
    assert frontier.claim().id == action.id


def test_the_database_finds_ready_hosts_and_actions_by_index(db):
    def plan(sql):
        return " ".join(row["detail"] for row in db.rows(f"EXPLAIN QUERY PLAN {sql}"))

    assert "hosts_by_time" in plan(
        "SELECT id FROM hosts WHERE ready > 0 AND claimed = 0 AND stopped = ''"
        " AND next_allowed_at <= 1 ORDER BY next_allowed_at LIMIT 1"
    )
    assert "actions_ready" in plan(
        "SELECT id, priority FROM actions WHERE host = 1 AND state = 'open' AND not_before = 0"
        " AND priority > 0 ORDER BY priority, score, id LIMIT 1"
    )


def test_every_host_is_kept_busy_and_none_is_asked_too_early():
    pace = simulate(hosts=60, rounds=4)
    assert (pace.too_early, pace.together) == (0, 0)
    assert pace.utilisation >= 0.95


def test_anchor_texts_are_gathered(frontier):
    for text in ("Advanced search", "", "Advanced search", "Suche"):
        frontier.add(visit("/find", anchor=text))
    assert frontier.claim().anchor == "Advanced search | Suche"


class FrontierModel(RuleBasedStateMachine):
    """Any order of calls keeps the invariants of the back queues and of the heap."""

    def __init__(self):
        super().__init__()
        self.now = 0.0
        self.claims = {}

    @initialize()
    def open(self):
        self.db = Database(None)
        self.frontier = Frontier(self.db, clock=lambda: self.now)
        self.hosts = Hosts(self.db)

    def teardown(self):
        self.db.close()

    @rule(host=st.sampled_from("abc"), path=st.integers(0, 9), priority=st.integers(0, 5))
    def add(self, host, path, priority):
        self.frontier.add(visit(f"/{path}", host=f"{host}.org", priority=priority))

    @rule(seconds=st.sampled_from([0.0, 1.0, 5.0]))
    def wait(self, seconds):
        self.now += seconds

    @rule()
    def claim(self):
        action = self.frontier.claim(self.now)
        if action is not None:
            assert action.host not in self.claims
            assert self.hosts.get(action.host).next_allowed_at <= self.now
            assert action.state == "claimed"
            self.claims[action.host] = action.id

    @precondition(lambda self: self.claims)
    @rule(how=st.sampled_from(["done", "failed", "retry", "back", "skip"]), data=st.data())
    def end(self, how, data):
        host = data.draw(st.sampled_from(sorted(self.claims)))
        action = self.claims.pop(host)
        {
            "done": lambda: self.frontier.done(action),
            "failed": lambda: self.frontier.failed(action, "x"),
            "retry": lambda: self.frontier.retry_at(action, self.now + 3, "x"),
            "back": lambda: self.frontier.give_back(action, "x"),
            "skip": lambda: self.frontier.skip(action, "x"),
        }[how]()
        self.hosts.save(HostState(host, next_allowed_at=self.now + 2))

    @rule()
    def die(self):
        self.frontier.release_claims()
        self.claims.clear()

    @invariant()
    def counts_agree_with_the_rows(self):
        rows = self.db.rows(
            "SELECT h.key, h.ready, h.claimed,"
            " coalesce(sum(a.state = 'open' AND a.not_before = 0), 0) AS really_ready,"
            " coalesce(sum(a.state = 'claimed'), 0) AS really_claimed"
            " FROM hosts h LEFT JOIN actions a ON a.host = h.id GROUP BY h.id"
        )
        for row in rows:
            assert (row["ready"], row["claimed"]) == (row["really_ready"], row["really_claimed"])
            assert row["claimed"] <= 1

    @invariant()
    def no_work_is_forgotten(self):
        open_ = self.frontier.count("open")
        unclaimed = self.db.value(
            "SELECT count(*) FROM actions a JOIN hosts h ON h.id = a.host"
            " WHERE a.state = 'open' AND h.claimed = 0"
        )
        assert open_ >= unclaimed
        assert (self.frontier.next_due() is None) == (unclaimed == 0)


FrontierModel.TestCase.settings = settings(max_examples=20, stateful_step_count=40, deadline=None)
TestFrontierModel = FrontierModel.TestCase


def test_each_further_link_moves_a_page_forward_and_is_kept_with_its_words(db):
    frontier = Frontier(db)
    often = NewAction("visit", "s", "http://h.org/often", score=1.0, anchor="All films", gain=0.2)
    frontier.add(often)
    frontier.add(NewAction("visit", "s", "http://h.org/once", score=0.9, gain=0.2))
    for anchor in ("Films", "Our films", "Films"):
        frontier.add(replace(often, anchor=anchor))
    first = frontier.claim(0.0)
    assert first is not None
    assert (first.url, first.in_links) == ("http://h.org/often", 4)
    assert first.anchor == "All films | Films | Our films"
    assert first.score == pytest.approx(1.0 - 0.2 * (1 / 2 + 1 / 3 + 1 / 4))
