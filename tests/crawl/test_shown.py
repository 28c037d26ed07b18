"""What a site's records show is asked for first, in a run and in one that goes on with it."""

from __future__ import annotations

import pytest

from tests.catalogue import having, list_page, titled
from tests.crawling import crawl
from tests.served import Served

pytestmark = pytest.mark.browser

HOME = """<form action="/find"><label>Title <input name="t"></label>
<label>Author <input name="a"></label><button>Find</button></form>"""
KNOWN = ["Ida Fenwick", "Omar Velt", "Claire Aubry"]  # of the books that the titles find
STRANGERS = [f"Stranger {letter}" for letter in "ABCDEFGHIJ"]
TABLE = {"Title": ["Glass", "Salt", "Pain"], "Author": [*STRANGERS, *KNOWN]}


def find(request):
    word, author = request.value("t"), request.value("a")
    if not word and not author:
        return list_page([])
    return list_page(r for r in titled(word or "") if r in having(author=author or ""))


def authors(site):
    return [request.value("a") for request in site.to("/find") if request.value("a")]


def test_authors_that_records_have_shown_are_asked_for_before_others(browsing, tmp_path):
    with Served({"/": HOME, "/find": find}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE)
        asked = authors(site)
    assert set(asked) >= set(KNOWN)
    assert max(asked.index(name) for name in KNOWN) < 6


def test_a_run_that_goes_on_knows_what_the_records_have_shown(browsing, tmp_path):
    with Served({"/": HOME, "/find": find}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE, budget={"submissions_per_form": 3})
        before = authors(site)
        crawl(browsing, tmp_path, site.url, table=TABLE, budget={"submissions_per_form": 60})
        after = authors(site)[len(before) :]
    shown = [name for name in KNOWN[:2] if name not in before]
    assert shown
    assert set(after[: len(shown)]) <= set(KNOWN)
