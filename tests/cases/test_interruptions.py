"""Whole crawls of sites that get in the way: dialogs, new tabs, pages that hold, layers."""

from __future__ import annotations

import time

import pytest

from tests.cases.kit import genre_form, ids, of_genre, only_form, queries
from tests.crawling import crawl
from tests.served import Served

pytestmark = pytest.mark.browser

SIX = [1, 3, 5, 9, 10, 12]  # science fiction and poetry


def test_alert_boxes_are_closed_and_do_not_cost_time(browsing, tmp_path):
    page = genre_form(
        "sf", "po", attributes='action="/find" onsubmit="alert(\'Searching the catalogue\')"'
    )

    def find(request):
        return of_genre(request) + "<script>alert('Welcome')</script>"

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX
    log = (result.out / "hiwe.log").read_text(encoding="utf-8")
    assert any("Searching the catalogue" in text for text in [log, *result.events])


def test_an_answer_in_a_new_tab_is_read_there_and_the_tab_closed(browsing, tmp_path):
    page = genre_form("sf", "hi", "co", "po", attributes='action="/find" target="_blank"')
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=co", "g=hi", "g=po", "g=sf"]
    assert [s.landed for s in result.sent] == ["popup"] * 4
    assert result.verdicts == ["results"] * 4
    assert len(ids(result)) == 12


def test_leaving_a_page_that_asks_first_is_accepted(browsing, tmp_path):
    hold = "<script>onbeforeunload = e => { e.preventDefault(); e.returnValue = 'x'; };</script>"

    def find(request):
        return of_genre(request) + hold

    with Served({"/": genre_form("sf", "po") + hold, "/find": find}) as site:
        began = time.monotonic()
        result = crawl(browsing, tmp_path, site.url)
        took_s = time.monotonic() - began
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX
    assert took_s < 60  # 3 s on an idle machine; a dialog left open holds for ever


def test_a_cookie_banner_is_closed_by_its_sparing_button_once(browsing, tmp_path):
    page = (
        '<div id="ov" style="position:fixed;inset:0;background:#fffc;z-index:9">'
        "<p>We use cookies.</p><button onclick=\"ok('all')\">Accept all</button> "
        "<button onclick=\"ok('min')\">Only necessary</button></div>"
        + genre_form("sf", "po")
        + "<script>function ok(v) { document.cookie = 'consent=' + v + ';path=/'; ov.remove(); "
        "fetch('/choice?v=' + v); } if (document.cookie.includes('consent')) ov.remove();</script>"
    )
    with Served({"/": page, "/find": of_genre, "/choice": "noted"}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
        assert [r.query for r in site.to("/choice")] == ["v=min"]
        assert all(r.cookie("consent") == "min" for r in site.to("/find"))
    assert [s.text for s in only_form(result).submitters] == ["Find"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX
