"""Manners over HTTP: what is not asked for, and how long after the last answer the next is."""

from __future__ import annotations

from email.utils import formatdate
from itertools import pairwise
from time import time

import pytest

from hiwe.crawl.dispatch import Dispatch
from hiwe.crawl.frontier import Frontier, NewAction
from hiwe.crawl.politeness import MAX_STREAK, Outcome
from hiwe.crawl.site import Site
from hiwe.crawl.stores import Stores
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts
from hiwe.task import parse_task
from hiwe_fixtures.garden import prose
from tests.plainly import crawl_plainly
from tests.served import Reply, Served


def page(seed, *links, head=""):
    anchors = "".join(link if "<" in link else f'<a href="{link}">{link}</a> ' for link in links)
    return f"<title>{seed}</title>{head}<p>{prose(seed)}</p>{anchors}"


NOFOLLOW = '<meta name="robots" content="nofollow">'
TAG = (("X-Robots-Tag", "otherbot: noindex, hiwe: nofollow"),)
UNFOLLOWED = {
    "/": page("start", "/meta", "/header", '<a rel="ugc nofollow" href="/link">L</a>'),
    "/meta": page("meta", "/below-meta", head=NOFOLLOW),
    "/header": Reply(page("header", "/below-header"), headers=TAG),
    **{path: page(path) for path in ("/link", "/below-meta", "/below-header")},
}


@pytest.mark.parametrize(
    ("politeness", "asked"),
    [
        ({}, {"/", "/meta", "/header"}),
        ({"robots_meta": False}, set(UNFOLLOWED)),
        ({"robots": False}, set(UNFOLLOWED)),
    ],
)
def test_links_that_are_not_to_be_followed_are_not(tmp_path, politeness, asked):
    with Served(UNFOLLOWED) as site:
        crawl_plainly(tmp_path, site.url, politeness={"delay_s": 0.0} | politeness)
        assert {request.path for request in site.log} - {"/robots.txt"} == asked


def test_robots_txt_is_asked_for_an_address_with_its_query(tmp_path):
    rules = Reply(
        "User-agent: *\nDisallow: /find?q=\nDisallow: /*&all=1", content_type="text/plain"
    )
    links = ("/find?q=x", "/find?g=x", "/find?g=y&all=1", "/find")
    with Served({"/robots.txt": rules, "/": page("start", *links), "/find": "<p>x</p>"}) as site:
        crawl_plainly(tmp_path, site.url)
        asked = {request.target for request in site.log}
    assert asked == {"/robots.txt", "/", "/find?g=x", "/find"}


@pytest.mark.parametrize(
    ("field", "least_s"),
    [
        (lambda: (("Retry-After", "1"),), 1.0),
        (lambda: (("Retry-After", formatdate(time() + 2.0, usegmt=True)),), 1.0),
    ],
    ids=["seconds", "date"],
)
def test_a_page_is_asked_for_again_when_its_host_says(tmp_path, field, least_s):
    busy = []

    def answer(request):
        busy.append(request.at)
        return Reply("", 503, headers=field()) if len(busy) == 1 else page("at last")

    with Served({"/": page("start", "/busy"), "/busy": answer}) as site:
        assert crawl_plainly(tmp_path, site.url).status == "finished"
    assert len(busy) == 2
    assert least_s <= busy[1] - busy[0] <= least_s + 3.0


def test_the_pace_is_that_of_a_slow_host_and_at_least_what_it_asks_for(tmp_path):
    rules = Reply("User-agent: *\nCrawl-delay: 0.3", content_type="text/plain")
    routes = {"/robots.txt": rules, "/": page("start", "/a", "/b")}
    routes |= {path: Reply(page(path), delay_s=0.5) for path in ("/a", "/b")}
    with Served(routes) as site:
        crawl_plainly(tmp_path, site.url, politeness={"delay_s": 0.01}, workers=4)
        at = [request.at for request in site.log]
    assert len(at) == 4
    assert all(later - sooner >= 0.29 for sooner, later in pairwise(at))
    assert at[3] - at[2] >= 0.5 + 0.3  # answered, then rested


def test_a_streak_of_refusals_stops_a_site_and_leaves_its_work_for_the_next_run():
    task = parse_task("task: t\nsites: [http://h.org/]\n")
    site = Site("http://h.org/", "http://h.org/", task.for_site(task.sites[0]))
    with Database(None) as db:
        now = [0.0]
        stores, frontier = Stores.of(db), Frontier(db, clock=lambda: now[0])
        stores.run.set_sites([site.key])
        dispatch = Dispatch({site.key: site}, stores, frontier, lambda: now[0])
        frontier.add_all(NewAction("visit", site.key, f"http://h.org/{n}") for n in range(9))
        waits = []
        for _ in range(MAX_STREAK):
            row = frontier.claim(now[0])
            assert row is not None
            stopped = dispatch.asked(row, Outcome.REFUSED, 0.1)
            frontier.done(row.id)
            due = Hosts(db).get("h.org").next_allowed_at
            waits.append(due - now[0])
            now[0] = due
        assert stopped
        assert stores.run.site_states() == {site.key: "blocked"}
        assert all(1.2 <= b / a <= 2.7 for a, b in pairwise(waits))  # doubled, with jitter
        assert frontier.claim(now[0] + 1e6) is None
        assert frontier.count("open") == 9 - MAX_STREAK
        dispatch.reopen_stopped()
        assert frontier.claim(now[0] + 1e6) is not None
