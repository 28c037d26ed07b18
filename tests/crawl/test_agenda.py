"""Agenda of a revisit: what answers cost, which ones it asks for within its requests."""

from __future__ import annotations

import pytest

from hiwe.crawl.agenda import Costs
from hiwe.repository.database import Database
from hiwe.repository.pages import Pages, StoredPage
from hiwe.repository.records import Shown
from hiwe.repository.rounds import Rounds
from hiwe.repository.submissions import Submissions


@pytest.fixture
def db():
    with Database(None) as database:
        yield database


def shown(number, *, form=1, transport="http", pages=2, requests=2):
    return Shown(number, form, transport, pages, requests, 1, frozenset())


def test_an_answer_costs_what_its_form_takes_by_plain_http_now():
    answers = [
        shown(1, requests=3),
        shown(2, requests=3),
        shown(3, transport="browser", requests=9, pages=4),
        shown(4, form=2, transport="browser", requests=5),
        shown(5, form=3, transport="http", pages=1, requests=0),
    ]
    costs = Costs(answers, opened=2.5)
    assert [costs.of(answer) for answer in answers] == [3, 3, 5.0, 7.5, 1]


def page(url, at, archived, warc=""):
    return StoredPage(
        site="s", url=url, purpose="visit", status=200, fetched_at=at, archived=archived, warc=warc
    )


def test_requests_are_counted_by_what_the_archive_holds_and_revisits_are_left_out(db):
    pages, rounds, submissions = Pages(db), Rounds(db), Submissions(db)
    pages.add(page("http://h.org/", 10.0, ("a", "b", "c", "page"), "page"))
    pages.add(page("http://h.org/x", 11.0, ("d", "page2"), "page2"))
    assert submissions.requests() == 4
    assert submissions.requests_of_visit() == 2.0
    rounds.begin(20.0)
    pages.add(page("http://h.org/", 21.0, ("e",), "page"))  # came plainly: the page is the old one
    pages.add(page("http://h.org/new", 22.0, ("f", "g", "page3"), "page3"))
    assert submissions.requests() == 4
    assert submissions.exchanges(since=20.0) == 3
