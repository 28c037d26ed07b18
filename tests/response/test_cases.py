# ruff: noqa: E501 - HTML and sentences of many languages read better unbroken
"""The answers of the acceptance cases, as small pages."""

from __future__ import annotations

import pytest

from hiwe.page.exchange import Exchange
from tests.response.answers import EMPTY_PAGE, FORM_HTML, SITE, Answer, form, hits, list_page, page

NEWS = (
    "<ul class='news'>"
    + "".join(f'<li><a href="/news/{i}">News item number {i}</a></li>' for i in range(10))
    + "</ul>"
)
LINKS = (
    "<ul>" + "".join(f'<li><a href="/l/{i}">Link number {i}</a></li>' for i in range(8)) + "</ul>"
)
CSV_TYPE = (
    ("content-type", "text/csv; charset=utf-8"),
    ("content-disposition", "attachment; filename=x.csv"),
)


def sent(body, headers=CSV_TYPE, kind="document", url="/find?g=sf", download=False, status=200):
    from datetime import datetime

    return Exchange(
        "GET",
        SITE + url,
        (),
        b"",
        status,
        "OK",
        tuple(headers),
        body,
        datetime(2024, 1, 1),
        0.1,
        kind,
        download,
    )


@pytest.mark.parametrize("ids", [(1, 3, 10, 12), (5, 9), (9,)], ids=["four", "two", "one"])
def test_a_list_page_is_results_with_its_records(ids):
    answer = Answer(list_page(*ids))
    assert answer.verdict == "results"
    assert answer.urls == [f"{SITE}/item/{i}" for i in ids]
    assert answer.count.total == len(ids)


def test_a_record_has_title_and_text():
    answer = Answer(list_page(1, 3))
    assert answer.records[0].fields == (
        ("Title", "The Glass Orchard"),
        ("Text", "Ida Fenwick, 1994"),
    )
    assert answer.records[0].key == SITE + "/item/1"


def test_an_empty_page_is_no_results():
    answer = Answer(EMPTY_PAGE)
    assert (answer.verdict, answer.records) == ("no_results", ())


def test_recommended_items_after_nothing_found_are_no_hits():
    answer = Answer(EMPTY_PAGE + "<h2>You may like</h2>" + hits(2, 3, 5, 6, 8))
    assert (answer.verdict, answer.records) == ("no_results", ())


def test_list_markup_at_status_500_is_an_error():
    answer = Answer(list_page(1, 3, 10), status=500)
    assert (answer.verdict, answer.records) == ("error", ())
    assert any(signal.name == "list_markup" for signal in answer.judgement.evidence)


def test_an_error_text_at_status_200_is_an_error():
    text = "Internal failure: cannot open cursor (code 1403). Please contact the administrator."
    assert Answer(f"<h1>Results</h1><p>{text}</p>").verdict == "error"


def test_the_form_page_unchanged_is_same_page():
    answer = Answer(FORM_HTML)
    assert (answer.verdict, answer.reason) == ("same_page", "form came back")


def test_a_form_page_with_its_list_unchanged_is_same_page():
    html = FORM_HTML + "<h2>New in the catalogue</h2>" + hits(1, 2, 3)
    assert Answer(html, form_html=html).verdict == "same_page"


def test_a_missing_page_at_status_200_is_an_error():
    html = f"<h1>We cannot find this page</h1>{LINKS}"
    answer = Answer(html)
    assert (answer.verdict, answer.reason) == ("error", "missing page")


def test_a_page_like_the_made_up_path_is_an_error_in_any_language():
    html = f"<h1>Zxq wvu tsr</h1>{LINKS}"
    made_up = Answer(html, path="/no-such-path")
    from hiwe.response.verdict import FormKnowledge

    known = FormKnowledge().with_missing(made_up.features)
    answer = Answer(html + "<p>12:31:07</p>", knowledge=known)
    assert (answer.verdict, answer.reason) == ("error", "missing page")
    assert Answer(list_page(1, 3, 10), knowledge=known).verdict == "results"


def test_the_log_in_page_is_blocked_and_its_news_are_no_records():
    html = (
        '<form action="/login" method="post"><label>User <input name="u"></label><label>Password '
        f'<input name="p" type="password"></label><button>Log in</button></form>{NEWS}'
    )
    answer = Answer(html, path="/login?next=/find")
    assert (answer.verdict, answer.reason, answer.records) == ("blocked", "login", ())


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_refusals_are_blocked(status):
    assert Answer("<p>No.</p>", status=status).verdict == "blocked"


def test_retry_after_is_read():
    answer = Answer("<p>Slow down</p>", status=429, headers=(("Retry-After", "4"),))
    assert answer.features.retry_after_s == 4.0


def test_an_expired_token_is_an_error_to_retry():
    answer = Answer("<p>Page expired</p>", status=419)
    assert (answer.verdict, answer.reason) == ("error", "expired")


@pytest.mark.parametrize("status", [400, 404, 405, 410])
def test_other_refused_requests_are_errors(status):
    assert Answer("<p>That did not work.</p>", status=status).verdict == "error"


def test_a_capped_list_is_results_and_truncated():
    html = f'<h1>Results</h1><p class="count">Showing 5 of 12, please narrow your search</p>{hits(1, 2, 3, 5, 6)}'
    answer = Answer(html)
    assert (answer.verdict, answer.judgement.truncated) == ("results", True)
    assert (answer.count.shown, answer.count.total) == (5, 12)
    assert len(answer.records) == 5


def test_a_complete_list_is_not_truncated():
    assert not Answer(list_page(1, 2, 3)).judgement.truncated


def test_session_ids_are_no_part_of_a_record():
    html = (
        '<h1>Results</h1><p>2 records found</p><ol class="hits">'
        + "".join(
            f'<li class="hit"><a href="/item/{i}?sid=8f3c21aa90">Title {i}</a> <span>A, 1999</span></li>'
            for i in (1, 2)
        )
        + "</ol>"
    )
    answer = Answer(html)
    assert answer.urls == [SITE + "/item/1", SITE + "/item/2"]


ITEM = (
    "<h1>Тихий берег</h1><dl><dt>Author</dt><dd>Вера Лунина</dd><dt>Genre</dt><dd>Poetry</dd><dt>Language</dt>"
    "<dd>Russian</dd><dt>Year</dt><dd>2014</dd><dt>Format</dt><dd>Paper</dd><dt>Price</dt><dd>10.00</dd></dl>"
)


def test_a_single_hit_sent_to_its_item_is_results():
    answer = Answer(ITEM, path="/item/9", values=("Russian",))
    assert answer.verdict == "results"
    assert answer.records[0].key == SITE + "/item/9"
    assert dict(answer.records[0].fields)["Author"] == "Вера Лунина"
    assert dict(answer.records[0].fields)["Title"] == "Тихий берег"


def test_a_download_gives_its_rows():
    body = b"id,title,author,year\r\n1,The Glass Orchard,Ida Fenwick,1994\r\n3,Nine Small Moons,Ida Fenwick,2011\r\n"
    saved = page(FORM_HTML, "/", exchanges=(sent(body, download=True),))
    answer = Answer(saved, landed="download")
    assert answer.verdict == "results"
    assert answer.records[1].fields == (
        ("Id", "3"),
        ("Title", "Nine Small Moons"),
        ("Author", "Ida Fenwick"),
        ("Year", "2011"),
    )


def test_a_download_with_a_head_only_is_no_results():
    saved = page(FORM_HTML, "/", exchanges=(sent(b"id,title,author,year\r\n", download=True),))
    assert Answer(saved, landed="download").verdict == "no_results"


def test_a_text_csv_answer_over_http_gives_its_rows():
    answer = Answer("id;title\n1;Salt Roads\n2;Moons\n", content_type="text/csv; charset=utf-8")
    assert [dict(r.fields)["Title"] for r in answer.records] == ["Salt Roads", "Moons"]


def test_a_fragment_written_into_the_form_page_is_results():
    answer = Answer(
        FORM_HTML + f'<div id="out">{list_page(1, 3, 10)}</div>', path="/", landed="same_page"
    )
    assert (answer.verdict, len(answer.records)) == ("results", 3)


def test_a_fragment_that_says_nothing_found_is_no_results():
    answer = Answer(
        FORM_HTML + "<div id='out'>No records matched your search.</div>",
        path="/",
        landed="same_page",
    )
    assert answer.verdict == "no_results"


def test_a_wait_page_is_an_error_to_come_back_to():
    html = '<meta http-equiv="refresh" content="3;url=/res?k=a1"><p>Searching, please wait …</p>'
    answer = Answer(html)
    assert (answer.verdict, answer.reason) == ("error", "wait")


def test_a_second_form_and_no_records_is_a_further_form():
    html = (
        '<form action="/find" method="post"><input type="hidden" name="ticket" value="one-time"><label>Author '
        '<select name="a"><option>Ida Fenwick</option><option>Kai Morrow</option></select></label><button>Find</button></form>'
    )
    answer = Answer(html, path="/step2", form=form(action="/step2", method="POST"))
    assert (answer.verdict, answer.reason) == ("same_page", "further form")
    assert answer.features.signal("further_form")


@pytest.mark.parametrize(
    "text",
    [
        "Not a valid date",
        "Please pick an author from the list.",
        "An author must be picked from the list.",
    ],
)
def test_rejected_input_is_invalid(text):
    assert Answer(f"<p>{text}</p>").verdict == "invalid"
    assert Answer(f"<p class='error'>{text}</p>" + FORM_HTML).verdict == "invalid"


def test_a_lost_state_is_an_error():
    assert Answer("<p>The state is not valid</p>").verdict == "error"


def test_old_hits_and_new_ones_in_one_page_are_told_by_what_is_shown():
    before = FORM_HTML + f'<div id="out">{list_page(1, 3, 10)}</div>'
    after = FORM_HTML + f'<div id="out">{list_page(3, 5)}</div>'
    answer = Answer(after, form_html=before, path="/", landed="same_page")
    assert answer.urls == [SITE + "/item/3", SITE + "/item/5"]


def test_filter_links_are_neither_records_nor_pager():
    links = " ".join(f'<a href="/find?g=sf&amp;f[]=t{i}">tag {i}</a>' for i in range(1, 21))
    answer = Answer(list_page(1, 3, 10, 12, extra=links))
    assert (len(answer.records), answer.pager, answer.features.pages) == (4, None, ())


def test_a_list_of_filter_links_is_no_list_of_hits():
    links = "".join(
        f'<li><a href="/find?g=sf&amp;f[]=t{i}">tag {i} (3)</a></li>' for i in range(1, 21)
    )
    answer = Answer(list_page(1, 3, extra=f"<ul class=tags>{links}</ul>"))
    assert answer.urls == [SITE + "/item/1", SITE + "/item/3"]


def test_a_load_more_button_is_the_pager():
    more = '<button id="more" type="button" hiwe-click="7">Show more</button>'
    answer = Answer(f"<h1>Results</h1>{hits(1, 2, 3, 5, 6)}{more}")
    assert (answer.pager.how, answer.pager.index) == ("more", 7)
    assert answer.verdict == "results"


def test_small_post_forms_are_the_pager():
    forms = "".join(
        f'<form action="/page" method="post"><input type="hidden" name="ticket" value="t1"><input type="hidden" '
        f'name="p" value="{n}"><button hiwe-click="{n}">{n}</button></form>'
        for n in (2, 3)
    )
    answer = Answer(hits(1, 2, 3, 5, 6) + forms, form=form(method="POST"))
    assert (answer.pager.how, answer.pager.page_number, answer.pager.index) == ("form", 2, 2)
    assert [step.page_number for step in answer.features.pages] == [2, 3]


def test_a_script_pager_is_clicked():
    html = (
        '<form id="f" action="/list.aspx" method="post"><input type="hidden" name="__VIEWSTATE" value="s1">'
        '<label>Genre <select name="g"><option value="*">All genres</option></select></label>'
        f'<input type="submit" name="btn" value="Search">{hits(1, 2, 3, 5, 6)}<span>1</span>'
        """<a hiwe-click="9" href="javascript:__doPostBack('grid','Page$2')">2</a>"""
        """<a hiwe-click="10" href="javascript:__doPostBack('grid','Page$3')">3</a></form>"""
    )
    answer = Answer(html, form=form(action="/list.aspx", method="POST"), path="/list.aspx")
    assert (answer.pager.how, answer.pager.index, answer.pager.page_number) == ("click", 9, 2)
    assert (answer.verdict, len(answer.records)) == ("results", 5)


def test_a_script_that_listens_for_scrolling_is_the_pager():
    script = "<script>let n = 4, busy; onscroll = async () => { fetch('/more?g=all&from=' + n) };</script>"
    answer = Answer(hits(1, 2, 3, 5) + script)
    assert (answer.verdict, answer.pager.how) == ("results", "scroll")
