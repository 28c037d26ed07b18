"""A finished run that is started again: what changed is found with few requests."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from html import escape

import pytest

from hiwe.crawl.cover import Answer, cover
from hiwe.report.feed import write_feed
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.rounds import Rounds
from tests.crawling import crawl
from tests.served import Reply, Served

GENRES = ("History", "Poetry", "Travel", "Cookery", "Science")
AUTHORS = tuple(f"{first} {last}" for first in ("Ada", "Ben") for last in ("Ash", "Oak", "Elm"))
PAGE_SIZE = 15
TABLE = {
    "Genre": list(GENRES),
    "Author": list(AUTHORS),
    "Year": [str(y) for y in range(1990, 2010)],
}


@dataclass(frozen=True)
class Book:
    number: int
    title: str
    genre: str
    author: str
    year: int
    price: str


def books(count=150):
    return {
        n: Book(
            n, f"Volume {n} of the shelf", GENRES[n % 5], AUTHORS[n * 7 % 6], 1990 + n * 3 % 20,
            f"{n % 17}.50",
        )
        for n in range(count)
    }  # fmt: skip


def choices(name, label, values):
    options = "".join(f"<option>{escape(str(value))}</option>" for value in values)
    return f'<label>{label} <select name="{name}"><option value="">Any</option>{options}</select>'


FORM = (
    '<form action="/find">'
    + choices("genre", "Genre", GENRES) + choices("author", "Author", AUTHORS)
    + choices("year", "Year", range(1990, 2010))
    + '<button>Search</button></form><a href="/about">About us</a>'
)  # fmt: skip


class Library:
    """A site whose books may change between two runs."""

    def __init__(self):
        self.books = books()
        self.about = "A library of volumes."

    def find(self, request):
        hits = [
            book for book in self.books.values()
            if all(
                not request.value(name) or request.value(name) == str(getattr(book, name))
                for name in ("genre", "author", "year")
            )
        ]  # fmt: skip
        page = int(request.value("page") or 0)
        rows = "".join(
            f'<tr><td><a href="/book/{b.number}">{b.title}</a></td><td>{b.author}</td>'
            f"<td>{b.year}</td><td>{b.price}</td></tr>"
            for b in hits[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
        )
        if not rows:
            return "<h1>Results</h1><p>No books were found.</p>"
        query = "&".join(f"{n}={request.value(n)}" for n in ("genre", "author", "year"))
        more = (page + 1) * PAGE_SIZE < len(hits)
        next_link = f'<a rel="next" href="/find?{query}&page={page + 1}">Next</a>' if more else ""
        head = "<tr><th>Title</th><th>Author</th><th>Year</th><th>Price</th></tr>"
        return f"<h1>Results</h1><p>{len(hits)} books</p><table>{head}{rows}</table>{next_link}"

    def about_page(self, request):
        tag = f'"{len(self.about)}"'
        if request.header("if-none-match") == tag:
            return Reply("", 304, headers=(("ETag", tag),))
        return Reply(f"<p>{self.about}</p>", headers=(("ETag", tag),))

    def change(self):
        """Eight changes: five prices, two books gone, one new."""
        for n in (3, 31, 64, 97, 140):
            self.books[n] = replace(self.books[n], price="99.00")
        del self.books[50], self.books[77]
        self.books[500] = Book(500, "A new volume", GENRES[0], AUTHORS[0], 1999, "1.00")


def changes(out):
    with Database(out / FILE_NAME, read_only=True) as db:
        return {
            (change.kind, int(change.ref.rsplit("/", 1)[1])): change
            for change in Rounds(db).changes()
            if change.what == "record"
        }


@pytest.mark.browser
def test_a_finished_run_is_revisited_with_few_requests(browsing, tmp_path):
    library = Library()
    with Served({"/": FORM, "/find": library.find, "/about": library.about_page}) as site:

        def run():
            return crawl(
                browsing, tmp_path, site.url, table=TABLE, transport="adaptive",
                budget={"submissions_per_form": 60},
            )  # fmt: skip

        first = run()
        cost = len(site.log)
        assert len(first.records) == 150
        library.change()
        second = run()
        asked = site.log[cost:]
        third = run()
    found = changes(first.out)
    for n in (3, 31, 64, 97, 140):
        assert found["changed", n].after == {"Price": "99.00"}
    assert {key for key in found if key[0] != "changed"} == {
        ("gone", 50), ("gone", 77), ("new", 500),
    }  # fmt: skip
    assert len(found) == 8
    assert len(asked) <= 0.3 * cost
    assert {r.header("if-none-match") for r in asked if r.path == "/about"} == {'"21"'}
    assert len(second.submissions) == len(first.submissions)  # an answer seen again is none
    assert second.status == third.status == "finished"
    assert len(third.records) == 151
    feed = json.loads(write_feed(first.out).read_text(encoding="utf-8"))
    assert len(feed["items"]) == len({item["id"] for item in feed["items"]}) == 8
    prices = next(i for i in feed["items"] if i["url"].endswith("/book/64"))
    assert prices["content_text"].endswith("-> 99.00")


def test_a_cover_prefers_many_records_for_few_requests():
    answers = [
        Answer(1, frozenset(range(10)), 2),
        Answer(2, frozenset(range(8, 14)), 1),
        Answer(3, frozenset(range(14)), 9),
        Answer(4, frozenset({99}), 1),
        Answer(5, frozenset(range(8)), 1),
    ]
    assert [answer.submission for answer in cover(answers, requests=100)] == [5, 2, 4]
    assert [answer.submission for answer in cover(answers, requests=1)] == [5]


def test_a_form_that_changed_before_comes_first():
    calm = Answer(1, frozenset(range(10)), 1, change_rate=0.01)
    restless = Answer(2, frozenset(range(10, 15)), 1, change_rate=0.5)
    assert [answer.submission for answer in cover([calm, restless], requests=9)] == [2, 1]
