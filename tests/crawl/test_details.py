"""The pages of single records: opened once, within scope, robots.txt and budget, and merged."""

from __future__ import annotations

import pytest

from hiwe.response.detail import completed
from tests.crawling import crawl
from tests.served import Served, by

FORM = """<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction
</option><option value="po">Poetry</option></select></label><button>Find</button></form>"""


def paged(number):
    facts = {"Shelf": f"S{number}", "Pages": 100 + number}
    pairs = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
    return f"<h1>Title {number}</h1><dl>{pairs}</dl>"


@pytest.mark.browser
def test_pages_of_records_complete_them(browsing, tmp_path):
    items = {f"/item/{n}": paged(n) for n in range(1, 13)}
    robots = {"/robots.txt": "User-agent: *\nDisallow: /item/9\n"}
    with Served({"/": FORM, "/find": by("genre", "g"), **items, **robots}) as site:
        result = crawl(
            browsing, tmp_path, site.url,
            records={"details": True, "schema": {"Place": ["Shelf"]}},
            budget={"pages_per_site": 1, "details_per_site": 4},
        )  # fmt: skip
        opened = [r.path for r in site.log if r.path.startswith("/item/")]
    assert len(opened) == len(set(opened)) == 4
    assert "/item/9" not in opened
    by_path = {"/" + r["url"].split("/", 3)[3]: r["fields"] for r in result.records}
    for path in opened:
        number = path.rsplit("/", 1)[1]
        assert by_path[path]["Place"] == f"S{number}"
        assert by_path[path]["Pages"] == str(100 + int(number))
    assert sum("Place" in fields for fields in by_path.values()) == 4
    assert result.status == "finished"


def test_a_page_adds_what_is_not_known_and_repeats_nothing():
    known = (("Title", "Heat"), ("Text", "Michael Mann"), ("Year", "1995"))
    more = (("Title", "Heat"), ("Director", "Michael Mann"), ("year", "1996"), ("Minutes", "170"))
    assert completed(known, more) == (
        ("Title", "Heat"), ("Director", "Michael Mann"), ("Year", "1995"), ("Minutes", "170"),
    )  # fmt: skip


def test_nothing_more_changes_nothing():
    known = (("Title", "Heat"), ("Text", "Michael Mann"))
    assert completed(known, ()) == known
