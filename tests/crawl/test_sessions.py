"""Session ids found by evidence."""

from __future__ import annotations

import pytest

from hiwe.crawl.frontier import Frontier, NewAction
from hiwe.crawl.sessions import Sessions, carried_parameters, unstable_parameters
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts

H = "http://h.org"
PLACES = ("/about", "/find?g=sf", "/find?g=po", "/help")


def links(name, value, places=PLACES):
    return [f"{H}{place}{'&' if '?' in place else '?'}{name}={value}" for place in places]


def test_two_visits_to_one_page_give_a_session_away_whatever_it_looks_like():
    first = [*links("k", "77"), f"{H}/list?page=2&k=77"]
    second = [*links("k", "78"), f"{H}/other?k=78"]
    assert unstable_parameters(first, second) == {"k"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([f"{H}/item?id={n}" for n in (1, 2, 3)], [f"{H}/item?id={n}" for n in (4, 5, 6)]),
        ([f"{H}/film?id=4"], [f"{H}/film?id=7"]),  # a film of the day
        (links("k", "77"), links("k", "77")),
        (links("k", "77"), []),
    ],
)
def test_parameters_that_tell_items_apart_are_no_session(first, second):
    assert unstable_parameters(first, second) == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (links("zz", "8f3c21aa"), links("zz", "77ab0c1d", ("/x", "/y?a=1")), {"zz"}),
        (links("cat", "5"), links("cat", "6"), set()),
        (links("cat", "poetry"), links("cat", "history"), set()),
        (links("zz", "8f3c21aa"), links("zz", "8f3c21aa"), set()),
        ([*links("zz", "8f3c21aa", ("/x", "/y")), *links("a", "1")],
         links("zz", "77ab0c1d", ("/x", "/y")), set()),
        (links("zz", "8f3c21aa", ("/x",)), links("zz", "77ab0c1d", ("/x",)), set()),
    ],
)  # fmt: skip
def test_what_all_links_of_a_page_carry_is_a_session_if_it_looks_like_one(first, second, found):
    assert carried_parameters(first, second) == found


@pytest.fixture
def db():
    with Database(None) as database:
        yield database


def test_the_frontier_compares_anew_what_it_holds(db):
    frontier, hosts = Frontier(db), Hosts(db)
    sessions = Sessions(hosts, frontier)

    def visit(value):
        """Return the new parameters and how many links were new to the frontier."""
        found = sessions.observe(f"{H}/", links("zz", value))
        added = [NewAction("visit", H, url) for url in links("zz", value)]
        return found, frontier.add_all(added)

    assert visit("8f3c21aa") == (frozenset(), 4)
    assert visit("77ab0c1d") == ({"zz"}, 0)
    assert visit("12345678") == (frozenset(), 0)
    claimed = frontier.claim()
    assert claimed is not None
    assert claimed.url == f"{H}/about?zz=8f3c21aa"  # fetched as the page gave it
    again = Frontier(db)
    assert not again.add(NewAction("visit", H, f"{H}/help?zz=99999999"))
    assert hosts.session_names("h.org") == {"zz"}


def test_visits_that_fall_together_are_made_once(db):
    frontier = Frontier(db)
    frontier.add_all([NewAction("visit", H, f"{H}/a?k={n}") for n in range(3)])
    assert frontier.leave_out("h.org", frozenset({"k"})) == 2
    assert (frontier.count("open"), frontier.count("skipped")) == (1, 2)
    first = frontier.claim()
    assert first is not None
    frontier.done(first.id)
    assert frontier.claim() is None
