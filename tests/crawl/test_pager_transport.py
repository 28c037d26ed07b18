"""Pager links by plain HTTP: after one check, paced, permitted and archived like all else."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from hiwe.crawl.reanalyse import reanalyse
from hiwe.crawl.stores import Stores
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.warc_reader import read_pages
from tests.crawling import crawl
from tests.served import Reply, Request, Served

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browsing import Browsing
    from tests.served import Answer

pytestmark = pytest.mark.browser

PAGES = 4
FORM = """<title>Shelf</title><h1>Search our shelf</h1><form action=/find>
<label>Genre <select name=g><option value=''>any<option>History<option>Poetry</select></label>
<button>Search</button></form>"""
TABLE = {"Genre": ["History", "Poetry"]}


def books(request: Request, *, script: bool = False) -> str:
    """A page of five books of one genre, with a link to the next; `script` writes the list."""
    genre, number = request.value("g"), int(request.value("p") or 1)
    items = "".join(
        f"<li><a href='/book/{genre}/{number}-{i}'>{genre} volume {number}-{i}</a>"
        f"<p>By author {i}, printed in {1900 + i}</p></li>"
        for i in range(5)
    )
    further = f"<a href='/find?g={genre}&p={number + 1}'>Next</a>" if number < PAGES else ""
    hits = f"<ol class=results>{items}</ol>"
    if script:
        hits = f"<div id=hits></div><script>hits.innerHTML = {json.dumps(hits)}</script>"
    return f"<title>Books</title><h1>Books found</h1>{hits}<nav class=pager>{further}</nav>"


def is_plain(request: Request) -> bool:
    """Whether a request came by plain HTTP: a browser offers more codings than we unpack."""
    return request.header("accept-encoding") == "gzip, deflate"


def test_after_one_check_the_pages_come_by_plain_http(browsing: Browsing, tmp_path: Path) -> None:
    with Served({"/": FORM, "/find": books, "/robots.txt": Reply("", 404)}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
        asked = [(r.value("g"), r.value("p"), is_plain(r)) for r in site.to("/find")]
    history = [one[1:] for one in asked if one[0] == "History"]
    poetry = [one[1:] for one in asked if one[0] == "Poetry"]
    seen, again = ("", False), ("", True)
    followed = [("2", True), ("3", True), ("4", True), again]  # the form itself is checked, too
    assert sorted([history, poetry]) == sorted([[seen, again, *followed], [seen, *followed]])
    assert len(result.records) == 2 * 5 * PAGES
    assert [s.result_pages for s in result.sent] == [PAGES, PAGES]
    checks = [event for event in result.events if event.startswith("check: ")]
    assert sum(": links: " in event for event in checks) == 1


def test_plain_requests_look_like_the_browsers(browsing: Browsing, tmp_path: Path) -> None:
    with Served({"/": FORM, "/find": books}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
        shown = next(r for r in site.to("/find") if not is_plain(r))
        plain = [r for r in site.to("/find") if is_plain(r) and r.value("p") == "3"]
        second = site.at(f"/find?g={plain[0].value('g')}&p=2")
    for name in ("user-agent", "accept", "accept-language", "upgrade-insecure-requests"):
        assert {r.header(name) for r in plain} == {shown.header(name)}, name
    assert plain[0].header("referer") == second


def test_records_that_need_a_script_stay_in_the_browser(browsing: Browsing, tmp_path: Path) -> None:
    with Served({"/": FORM, "/find": lambda r: books(r, script=True)}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
        plain = [r.target for r in site.to("/find") if is_plain(r)]
    assert len(plain) == 2  # once for the links, once for the form
    assert len(result.records) == 2 * 5 * PAGES
    assert any("links back in the browser" in event for event in result.events)


def test_pages_that_plain_http_does_not_get_are_read_in_the_browser(
    browsing: Browsing, tmp_path: Path
) -> None:
    def guarded(request: Request) -> Answer:
        late = request.value("p") in ("3", "4")
        return Reply("no robots", 403) if late and is_plain(request) else books(request)

    with Served({"/": FORM, "/find": guarded}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
        refused = [r for r in site.to("/find") if is_plain(r) and r.value("p") in ("3", "4")]
    assert len(result.records) == 2 * 5 * PAGES
    assert len(refused) == 1  # turned back for good
    assert any("status 403, nothing new by plain HTTP" in event for event in result.events)


def test_pages_without_records_by_plain_http_are_looked_at_again(
    browsing: Browsing, tmp_path: Path
) -> None:
    def hollow(request: Request) -> Answer:
        empty = "<title>Books</title><p>Please wait a moment.</p>"
        return empty if request.value("p") == "3" and is_plain(request) else books(request)

    with Served({"/": FORM, "/find": hollow}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
    assert len(result.records) == 2 * 5 * PAGES
    assert any("nothing new by plain HTTP" in event for event in result.events)


def test_the_browser_and_plain_http_are_one_visitor(browsing: Browsing, tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    def counting(request: Request) -> Answer:
        count = int(request.cookie("n") or 0)
        seen.append((request.value("p"), request.cookie("n")))
        return Reply(books(request), headers=(("Set-Cookie", f"n={count + 1}; Path=/"),))

    with Served({"/": FORM, "/find": counting}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
    assert [count for _, count in seen] == ["", *map(str, range(1, len(seen)))]


def test_robots_hold_for_plain_http_too(browsing: Browsing, tmp_path: Path) -> None:
    rules = Reply("User-agent: *\nDisallow: /*p=3\n", 200, "text/plain")
    with Served({"/": FORM, "/find": books, "/robots.txt": rules}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
        assert {r.value("p") for r in site.to("/find")} == {"", "2"}
    assert len(result.records) == 2 * 5 * 2


def test_plain_requests_keep_pace(browsing: Browsing, tmp_path: Path) -> None:
    pace = {"delay_s": 0.3}
    with Served({"/": FORM, "/find": books}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive", politeness=pace)
        at = [r.at for r in site.to("/find")]
    assert min(b - a for a, b in pairwise(at)) >= 0.29


def test_the_archive_tells_the_same_and_holds_the_checks(
    browsing: Browsing, tmp_path: Path
) -> None:
    with Served({"/": FORM, "/find": books}) as site:
        result = crawl(browsing, tmp_path, site.url, table=TABLE, transport="adaptive")
    again = {one.key: one for one in reanalyse(result.out / "warc")}
    for sent in result.sent:
        assert sent.judgement is not None
        assert again[sent.key].judgement.verdict is sent.judgement.verdict
        assert len(again[sent.key].records) == sent.records == 5 * PAGES
    purposes = [page.note.get("purpose") for page in read_pages(result.out / "warc")]
    assert purposes.count("check") == 3  # the links once, the form with each of two assignments
    with Database(result.out / FILE_NAME, read_only=True) as db:
        assert Stores.of(db).pages.count(site.url, "check") == 3


def test_transport_browser_asks_nothing_by_plain_http(browsing: Browsing, tmp_path: Path) -> None:
    with Served({"/": FORM, "/find": books}) as site:
        crawl(browsing, tmp_path, site.url, table=TABLE, transport="browser")
        assert not [r for r in site.log if is_plain(r) and r.path != "/robots.txt"]
