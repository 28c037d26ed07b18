"""Two forms of a site over the same records: what the one did not have the other is asked last."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.catalogue import having, list_page
from tests.crawling import crawl
from tests.served import Served

pytestmark = pytest.mark.browser

FIRST = """<a href="/a">The house</a><form action="/find"><label>Author <input name="a">
</label><button>Find</button></form>"""
SECOND = """<form action="/seek"><label>Author <input name="writer"></label>
<label>Year <input name="y"></label><button>Search</button></form>"""
KNOWN = ["Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm", "Kai Morrow"]


def test_a_value_that_the_first_form_lacks_is_asked_of_the_second_last(browsing, tmp_path):
    # The way to the second form is long: the first one has begun when it is met.
    steps = ["/a", "/b", "/c", "/d", "/e", "/more"]
    routes = {
        "/": FIRST,
        **{
            step: f'<h1>Room {step}</h1><p>{step * 9}</p><a href="{further}">on {further}</a>'
            for step, further in pairwise(steps)
        },
        "/more": SECOND,
        "/find": lambda request: list_page(having(author=request.value("a") or "?")),
        "/seek": lambda request: list_page(having(author=request.value("writer") or "?")),
    }
    table = {"Author": ["Nobody Known", *KNOWN]}
    with Served(routes) as site:
        crawl(browsing, tmp_path, site.url, table=table, scope={"depth": 9})
        first = [request.value("a") for request in site.to("/find")]
        second = [request.value("writer") for request in site.to("/seek")]
    assert first[0] == "Nobody Known"
    assert set(first) == {"Nobody Known", *KNOWN}
    assert len(second) >= 3
    assert "Nobody Known" not in second[:-1]
