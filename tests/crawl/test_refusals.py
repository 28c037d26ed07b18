"""Refusals, silence and forms that are gone: what the loop does about them."""

from __future__ import annotations

from itertools import count

import pytest

from tests.catalogue import RECORDS, having, list_page
from tests.crawling import BACKOFF_BASE_S, crawl
from tests.served import Reply, Served, by, refused

pytestmark = pytest.mark.browser

AUTHORS = ["Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm"]
FORM = '<form action="/find"><label>Author <input name="a"></label><button>Find</button></form>'


def by_author(request):
    return list_page(having(author=request.value("a")) if request.value("a") else [])


def test_a_value_that_a_firewall_refuses_does_not_stop_the_form(browsing, tmp_path):
    def find(request):
        return refused(403) if request.value("a") == "Omar Velt" else by_author(request)

    with Served({"/": FORM, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Author": AUTHORS})
        tries = [r.value("a") for r in site.to("/find")].count("Omar Velt")
    assert 1 <= tries <= 4
    assert result.verdicts == ["results"] * 3
    assert result.sites[site.url] == ""
    open_ones = [s for s in result.submissions if s.judgement is None]
    assert [s.assignment.bindings[0].value for s in open_ones] == ["Omar Velt"]
    assert [f.stopped for f in result.forms] == ["blocked"]


def test_a_form_that_is_refused_does_not_stop_the_other_one(browsing, tmp_path):
    second = FORM.replace("/find", "/seek").replace('"a"', '"b"').replace("Author", "Writer")

    def seek(request):
        return list_page(having(author=request.value("b")))

    routes = {"/": FORM + second, "/find": refused(403), "/seek": seek}
    with Served(routes) as site:
        table = {"Author": AUTHORS[:2], "Writer": AUTHORS}
        result = crawl(browsing, tmp_path, site.url, table=table)
        assert len(site.to("/find")) <= 8
        assert len(site.to("/seek")) == 4
    assert result.verdicts.count("results") == 4


def test_a_captcha_in_place_of_the_form_is_a_refusal(browsing, tmp_path):
    pages = count()
    captcha = (
        '<form><div class="g-recaptcha"></div><p>Please show that you are no robot.</p></form>'
    )

    def page(request):
        return FORM if next(pages) < 3 else captcha

    with Served({"/": page, "/find": by_author}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Author": AUTHORS})
        assert len(site.to("/")) <= 3 + 5
    assert result.status == "failed"
    assert result.sites[site.url] == "blocked"
    assert result.verdicts == ["results"] * 2


def test_a_form_that_is_gone_for_a_moment_is_looked_for_again(browsing, tmp_path):
    pages = count()

    def page(request):
        return "<p>One moment.</p>" if next(pages) == 2 else FORM

    with Served({"/": page, "/find": by_author}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Author": AUTHORS})
    assert result.verdicts == ["results"] * 4


def test_a_page_that_says_too_many_requests_is_waited_for(browsing, tmp_path):
    asked = count()

    def find(request):
        if next(asked) == 1:
            return "<h1>Slow down</h1><p>Too many requests. Please try again later.</p>"
        return by_author(request)

    with Served({"/": FORM, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Author": AUTHORS})
        sent = [r.value("a") for r in site.to("/find")]
        at = [r.at for r in site.to("/find")]
    assert sent[1] == sent[2]
    assert at[2] - at[1] >= BACKOFF_BASE_S / 2  # the jitter takes half at most
    assert result.verdicts == ["results"] * 4


def test_further_pages_that_fail_do_not_cost_the_first(browsing, tmp_path):
    def find(request):
        if request.value("p"):
            return Reply("", delay_s=20)
        rows = "".join(
            f'<li class="hit"><a href="/item/{r.id}">{r.title}</a></li>' for r in RECORDS
        )
        return f'<h1>12 of 24 records</h1><ol>{rows}</ol><a href="/find?a=x&p=2">Next page</a>'

    with Served({"/": FORM, "/find": find}) as site:
        result = crawl(
            browsing, tmp_path, site.url, table={"Author": ["Ida Fenwick"]},
            browser={"timeout_s": 8},
        )  # fmt: skip
    assert result.verdicts == ["results"]
    assert len(result.records) == 12
    assert result.sent[0].judgement.truncated


def test_a_made_up_path_is_asked_for_at_most_twice(browsing, tmp_path):
    options = "".join(f'<option value="{g}">{g}</option>' for g in ("sf", "hi", "co", "po"))
    page = f'<form action="/find"><select name="g">{options}</select><button>Find</button></form>'
    odd = "<h1>Xyzzy</h1><p>plugh plover</p><ul><li>one two three</li><li>four five six</li></ul>"

    def find(request):
        return odd if request.value("g") != "sf" else by("genre", "g")(request)

    with Served({"/": page, "/find": find, "/robots.txt": refused(404)}) as site:
        result = crawl(browsing, tmp_path, site.url)
        others = [r.path for r in site.log if r.path not in ("/", "/find", "/robots.txt")]
    assert len([path for path in others if path != "/favicon.ico"]) <= 2
    assert result.verdicts.count("results") == 1
