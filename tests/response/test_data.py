# ruff: noqa: E501 - data as they come read better unbroken
"""Answers that are data: JSON, tables of text, feeds, and JSON that a page fetched and shows."""

from __future__ import annotations

import json
from datetime import datetime
from html import escape

import pytest

from hiwe.page.exchange import Exchange
from tests.response.answers import BOOKS, FORM_HTML, SITE, Answer, hits, page

ITEMS = [
    {"id": i, "title": t, "author": a, "year": y, "link": f"/item/{i}"}
    for i, (t, a, y) in list(BOOKS.items())[:3]
]


def fetched(data, url="/api/search?q=x", kind="fetch", status=200):
    body = json.dumps(data).encode()
    headers = (("Content-Type", "application/json"),)
    return Exchange(
        "GET", SITE + url, (), b"", status, "OK", headers, body, datetime(2024, 1, 1), 0.1, kind
    )


@pytest.mark.parametrize(
    "data",
    [
        ITEMS,
        {"total": 3, "results": ITEMS},
        {"response": {"numFound": 3, "docs": ITEMS}},
        {"data": {"items": ITEMS, "facets": [{"name": "a"}]}},
    ],
    ids=["bare list", "results", "solr", "nested"],
)
def test_a_json_answer_gives_its_items(data):
    answer = Answer(json.dumps(data), content_type="application/json; charset=utf-8")
    assert (answer.verdict, len(answer.records)) == ("results", 3)
    assert dict(answer.records[0].fields)["Title"] == "The Glass Orchard"
    assert answer.urls[0] == SITE + "/item/1"


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"results": []},
        {"total": 0, "results": []},
        {"hits": {"total": {"value": 0}, "hits": []}},
    ],
)
def test_an_empty_json_answer_is_no_results(data):
    assert Answer(json.dumps(data), content_type="application/json").verdict == "no_results"


def test_a_json_error_is_an_error():
    assert (
        Answer('{"error": "index is closed"}', content_type="application/json").verdict == "error"
    )


def test_a_total_and_a_next_address_in_json_are_read():
    data = {"count": 12, "next": "/api?offset=3", "results": ITEMS}
    answer = Answer(json.dumps(data), content_type="application/json")
    assert answer.count.total == 12
    assert (answer.pager.how, answer.pager.url) == ("json", SITE + "/api?offset=3")


def test_json_that_the_page_fetched_names_the_fields():
    html = (
        FORM_HTML
        + '<div id="out">'
        + "".join(
            f"<div class='x'><b>{one['title']}</b><i>{one['author']}</i></div>" for one in ITEMS
        )
        + "</div>"
    )
    answer = Answer(
        page(html, "/", exchanges=(fetched({"results": ITEMS, "total": 3}),)), landed="same_page"
    )
    assert answer.verdict == "results"
    assert dict(answer.records[1].fields) == {
        "Id": "2",
        "Title": "Salt Roads",
        "Author": "Omar Velt",
        "Year": "2003",
        "Link": "/item/2",
    }
    assert answer.urls == [f"{SITE}/item/{i}" for i in (1, 2, 3)]
    assert answer.features.region.origin == "json"


def test_json_items_without_an_address_have_that_of_the_shown_item():
    data = [{"name": one["title"], "by": one["author"]} for one in ITEMS]
    answer = Answer(
        page(FORM_HTML + hits(1, 2, 3), "/", exchanges=(fetched(data),)), landed="same_page"
    )
    assert answer.urls == [f"{SITE}/item/{i}" for i in (1, 2, 3)]
    assert dict(answer.records[0].fields) == {"Name": "The Glass Orchard", "By": "Ida Fenwick"}


def test_json_that_the_page_does_not_show_is_not_its_hits():
    menu = [
        {"label": "Home", "href": "/"},
        {"label": "News", "href": "/news"},
        {"label": "Shop", "href": "/shop"},
    ]
    answer = Answer(page(hits(1, 2, 3), exchanges=(fetched(menu, "/api/menu"),)))
    assert len(answer.records) == 3
    assert answer.features.region.origin == "list"


def test_an_empty_fetched_list_and_nothing_shown_is_no_results():
    answer = Answer(page(FORM_HTML, "/", exchanges=(fetched({"results": []}),)), landed="same_page")
    assert answer.verdict == "no_results"


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>Search</title><item><title>Salt Roads</title>
<link>http://books.test/item/2</link><pubDate>x</pubDate></item><item><title>Moons</title><link>http://books.test/item/3</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>12</o:totalResults>
<entry><title>Salt Roads</title><link href="http://books.test/item/2"/></entry></feed>"""


def test_xml_as_a_browser_hands_it_over_gives_its_items():
    xml = "<results><record><title>Salt Roads</title></record><record><title>Brass</title></record></results>"
    framed = f"<html><body><pre>{escape(xml)}</pre></body></html>"
    answer = Answer(framed, content_type="application/xml")
    assert [dict(r.fields) for r in answer.records] == [{"Title": "Salt Roads"}, {"Title": "Brass"}]


def test_json_by_lines_gives_an_item_a_line():
    lines = "".join(json.dumps(item) + "\n" for item in ITEMS)
    for kind in ("application/x-ndjson", "application/jsonl"):
        answer = Answer(lines, content_type=kind)
        assert answer.urls == [SITE + f"/item/{n}" for n in (1, 2, 3)]


def test_feeds_give_their_items():
    rss = Answer(RSS, content_type="application/rss+xml")
    assert rss.urls == [SITE + "/item/2", SITE + "/item/3"]
    atom = Answer(ATOM, content_type="application/atom+xml")
    assert (atom.verdict, atom.urls, atom.count.total) == ("results", [SITE + "/item/2"], 12)
    empty = Answer("<rss><channel><title>Search</title></channel></rss>", content_type="text/xml")
    assert empty.verdict == "no_results"


@pytest.mark.parametrize(
    "text",
    [
        "id\ttitle\n1\tSalt Roads\n",
        "id;title\n1;Salt Roads\n",
        'id,title\n1,"Salt Roads"\n',
        "\ufeffid,title\r\n1,Salt Roads\r\n",
    ],
)
def test_tables_of_text_are_read_whatever_their_delimiter(text):
    kind = "text/tab-separated-values" if "\t" in text else "text/csv"
    answer = Answer(text, content_type=kind)
    assert [r.fields for r in answer.records] == [(("Id", "1"), ("Title", "Salt Roads"))]


def test_a_broken_json_answer_is_no_success():
    assert Answer("{not json", content_type="application/json").verdict != "results"
