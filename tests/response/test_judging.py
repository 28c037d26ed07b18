# ruff: noqa: E501 - HTML and sentences of many languages read better unbroken
"""The verdict's rules: what outweighs what, and what the crawl's knowledge adds."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from hiwe.response.plain import (
    features_from_plain,
    features_to_plain,
    judgement_from_plain,
    judgement_to_plain,
)
from hiwe.response.verdict import FormKnowledge
from tests.response.answers import BOOKS, EMPTY_PAGE, FORM_HTML, SITE, Answer, form, hits, list_page

MENU = '<nav><ul><li><a href="/">Home</a></li><li><a href="/a">About the archive</a></li><li><a href="/c">Contact us</a></li></ul></nav>'
POPULAR = f"<h2>Zuletzt im Kino</h2>{hits(2, 3, 5)}"
PROBE = ("zqxvkj",)


def probed(html, **kwargs):
    return FormKnowledge().probed(Answer(html, values=PROBE, **kwargs).features)


def test_an_answer_equal_to_the_probes_is_no_results_in_any_language():
    page = "<h1>Qwx yz</h1><p>Xy wv ut: {}.</p>" + MENU
    known = probed(page.format("zqxvkj"))
    answer = Answer(page.format("Paris"), values=("Paris",), knowledge=known)
    assert answer.verdict == "no_results"
    assert answer.judgement.confidence >= 0.8


def test_items_shown_to_the_probe_too_are_no_hits():
    page = "<h1>Qwx yz</h1><p>Xy wv ut: {}.</p>" + POPULAR
    answer = Answer(
        page.format("Paris"), values=("Paris",), knowledge=probed(page.format("zqxvkj"))
    )
    assert (answer.verdict, answer.records) == ("no_results", ())


LONE = {
    "a list of one": "<ol><li><b>Salt Roads</b> <span>Omar Velt, 2003</span></li></ol>",
    "a card": '<div class="card"><h3>Salt Roads</h3><div>Author: Omar Velt</div></div>',
}


@pytest.mark.parametrize("item", LONE.values(), ids=LONE.keys())
def test_one_item_is_a_hit_where_the_form_says_when_there_is_none(item):
    answer = f'<h1>Results</h1>{item}<p><a href="/">New search</a></p>'
    silent = Answer(answer, knowledge=probed("<h1>Results</h1><p>Xy wv ut.</p>"))
    assert silent.verdict == Answer(answer).verdict == "no_results"
    told = Answer(answer, knowledge=probed(EMPTY_PAGE))
    assert (told.verdict, len(told.records)) == ("results", 1)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("No records matched your search.", "no_results"),
        ("Please enter a valid year.", "invalid"),
        ("Internal error", "error"),
    ],
)
def test_one_item_beside_another_word_is_no_hit(text, verdict):
    answer = Answer(f"<p>{text}</p><ul><li>Try this: help</li></ul>", knowledge=probed(EMPTY_PAGE))
    assert (answer.verdict, answer.records) == (verdict, ())


def test_a_line_of_text_is_no_hit_even_where_the_form_says_when_there_is_none():
    answer = Answer("<h1>Results</h1><div class=box><p>Xy wv ut.</p></div>",
                    knowledge=probed(EMPTY_PAGE))  # fmt: skip
    assert answer.verdict == "no_results"


def test_hits_unlike_the_probes_answer_are_results():
    known = probed("<h1>Results</h1><p>Xy wv ut.</p>" + POPULAR)
    assert Answer(list_page(1, 3, 10), knowledge=known).verdict == "results"


def test_a_clock_does_not_tell_two_answers_apart():
    page = "<h1>Qwx</h1><p>Xy wv ut.</p><p>{}</p><p>Abc ({} seconds)</p>"
    known = probed(page.format("12:31:07", "0.034"))
    assert (
        Answer(page.format("12:32:59", "0.121"), knowledge=known).judgement.reason
        == "equals the probe's answer"
    )


def test_a_positive_count_outweighs_a_phrase():
    html = "<p>No results in Books. Results 1-3 of 3 in Films.</p>" + hits(1, 2, 3)
    assert Answer(html).verdict == "results"


def test_a_phrase_inside_a_hit_is_no_evidence():
    html = list_page(1, 2, 3).replace("Salt Roads", "No results found")
    assert Answer(html).verdict == "results"


def test_hidden_texts_and_items_are_not_read():
    html = f'<p hiwe-hidden="">No records matched your search.</p>{list_page(1, 3, 10)}'
    assert Answer(html).verdict == "results"
    hidden = f'<div style="display:none">{hits(1, 2, 3)}</div>{EMPTY_PAGE}'
    assert (Answer(hidden).verdict, Answer(hidden).features.records) == ("no_results", ())


def test_a_text_of_the_form_page_is_no_evidence():
    hint = "<p>If no results are found, try fewer keywords. Please enter at least 3 characters.</p>"
    answer = Answer(FORM_HTML + hint + list_page(1, 2), form_html=FORM_HTML + hint)
    assert answer.verdict == "results"


def test_a_single_hit_of_a_known_structure_is_found():
    first = Answer(hits(1, 3, 10))
    known = FormKnowledge().learned(first.features, first.judgement, "a")
    answer = Answer(hits(9), knowledge=known)
    assert (answer.verdict, answer.urls) == ("results", [SITE + "/item/9"])


def test_the_parts_of_a_single_hit_of_a_known_structure_are_no_hits():
    row = '<div class="row"><div class="f title"><a href="/item/{n}">{t}</a></div><div class="f"><b>Author:</b> <i>{a}</i></div></div>'

    def rows(*ids):
        return f"<div>{''.join(row.format(n=n, t=BOOKS[n][0], a=BOOKS[n][1]) for n in ids)}</div>"

    first = Answer("<p>3 results</p>" + rows(1, 3, 10))
    known = FormKnowledge().learned(first.features, first.judgement, "a")
    answer = Answer(rows(9), knowledge=known)
    assert (answer.verdict, answer.urls) == ("results", [SITE + "/item/9"])


def test_a_detail_page_with_a_list_of_others_is_one_record():
    html = (
        "<h1>Salt Roads</h1><dl><dt>Author</dt><dd>Omar Velt</dd><dt>Year</dt><dd>2003</dd><dt>Format</dt><dd>Paper</dd></dl>"
        f"<h2>More of this author</h2>{hits(6, 8, 9)}"
    )
    answer = Answer(html, path="/item/2")
    assert answer.verdict == "results"
    assert answer.urls == [SITE + "/item/2"]


def test_an_article_named_like_the_value_is_one_record():
    html = (
        "<h1>The Shining</h1><div><p>The Shining is a 1980 feature film directed by Stanley Kubrick.</p></div>"
        '<div class="catlinks"><ul><li><a href="/c/1">Feature films</a></li><li><a href="/c/2">Films of 1980</a></li></ul></div>'
    )
    answer = Answer(html, path="/wiki/The_Shining", values=("The Shining",))
    assert (answer.verdict, answer.urls) == ("results", [SITE + "/wiki/The_Shining"])


def test_an_empty_table_under_a_head_is_no_results():
    table = (
        "<table class='list'><tr><th>Title</th><th>Year</th></tr>{}</table><p>Download as CSV</p>"
    )
    assert Answer("<h1>List of issues</h1>" + table.format("")).verdict == "no_results"
    one = Answer(
        "<h1>List of issues</h1>"
        + table.format("<tr><td><a href='/i/1'>A</a></td><td>1999</td></tr>")
    )
    assert (one.verdict, len(one.records)) == ("results", 1)


def test_rows_that_head_a_group_are_no_records():
    rows = "".join(
        f'<tr><th colspan="3">{group}</th></tr>'
        + "".join(
            f'<tr><td><a href="/i/{group}{i}">{i}</a></td><td>Title {i}</td><td>open</td></tr>'
            for i in range(3)
        )
        for group in ("critical", "normal")
    )
    answer = Answer(f"<table><tr><th>ID</th><th>Title</th><th>Status</th></tr>{rows}</table>")
    assert len(answer.records) == 6
    assert answer.records[0].fields == (("ID", "0"), ("Title", "Title 0"), ("Status", "open"))


def test_the_same_answer_to_unlike_questions_is_no_answer():
    known = FormKnowledge()
    for key in ("a", "b", "c"):
        answer = Answer(f"<h1>Welcome</h1>{hits(2, 3, 5)}", path="/", knowledge=known)
        known = known.learned(answer.features, replace(answer.judgement, confidence=0.5), key)
    answer = Answer(f"<h1>Welcome</h1>{hits(2, 3, 5)}", path="/", knowledge=known)
    assert answer.verdict == "error"


def test_a_known_empty_answer_is_no_results():
    page = "<h1>Qwx</h1><p>Xy wv ut.</p>"
    answer = Answer(page)
    known = FormKnowledge().learned(answer.features, replace(answer.judgement, confidence=0.9), "a")
    assert Answer(page, knowledge=known).judgement.reason == "known empty answer"


@pytest.mark.parametrize(
    "text",
    ["Too many requests, slow down.", "Unusual traffic from your network", "Zu viele Anfragen"],
)
def test_throttling_at_status_200_is_blocked(text):
    assert Answer(f"<h1>Sorry</h1><p>{text}</p>").verdict == "blocked"


def test_a_captcha_is_blocked():
    html = '<h1>One more step</h1><p>Please verify that you are human.</p><div class="g-recaptcha" data-sitekey="x"></div>'
    assert (Answer(html).verdict, Answer(html).reason) == ("blocked", "captcha")


def test_a_log_in_box_on_every_page_is_no_wall():
    box = '<form action="/login"><input name="user"><input name="pw" type="password"><button>Log in</button></form>'
    assert Answer(box + list_page(1, 2, 3), form_html=box + FORM_HTML).verdict == "results"
    assert Answer(box + list_page(1, 2, 3), form_html=None, form=None).verdict == "results"


def test_an_alert_box_that_says_nothing_found_is_no_results():
    from tests.response.answers import page

    assert (
        Answer(page(FORM_HTML, "/", dialogs=("No records found",)), landed="same_page").verdict
        == "no_results"
    )
    assert (
        Answer(
            page(FORM_HTML, "/", dialogs=("Please enter a valid year",)), landed="same_page"
        ).verdict
        == "invalid"
    )


def test_a_404_that_says_nothing_found_is_no_results():
    assert (
        Answer("<h1>Search</h1><p>No results for your query.</p>", status=404).verdict
        == "no_results"
    )
    assert Answer("<h1>Page not found</h1>", status=404).verdict == "error"


def test_features_judgement_and_knowledge_survive_storage():
    answer = Answer(list_page(1, 3, 10, extra='<a href="/find?g=sf&page=2" rel="next">2</a>'))
    features = answer.features
    assert pickle.loads(pickle.dumps(features)) == features
    assert features_from_plain(json.loads(json.dumps(features_to_plain(features)))) == features
    plain = json.loads(json.dumps(judgement_to_plain(answer.judgement)))
    assert judgement_from_plain(plain) == answer.judgement
    known = probed(EMPTY_PAGE).learned(features, answer.judgement, "a").with_missing(features)
    assert FormKnowledge.from_json(json.loads(json.dumps(known.to_json()))) == known
    assert FormKnowledge.from_json(None) == FormKnowledge()


HOME = (
    MENU
    + "<h1>Welcome</h1><p>Read our latest news here, or search the archive with the form above.</p>"
)
ARTICLE = (
    "<h1>History of the archive</h1>" + "".join(f"<p>{'The archive was founded long ago and it keeps films. ' * 8}</p>" for _ in range(5))
    + "<ul><li>first</li><li>second</li><li>third</li></ul>"
)  # fmt: skip


@pytest.mark.parametrize("html", [HOME, ARTICLE, MENU], ids=["home", "article", "menu"])
def test_pages_without_hits_are_never_results(html):
    assert Answer(html).verdict != "results"


def test_an_empty_body_is_an_error():
    assert Answer("").verdict == "error"


def test_a_moved_form_with_other_fields_is_a_further_form():
    answer = Answer(
        '<form action="/x"><label>Day <input name="day"></label></form>', form=form(("month",))
    )
    assert answer.reason == "further form"


@pytest.mark.parametrize(
    "href",
    [
        "/item/{}?q=Paris",
        "/item/{}?back=%2Ffind%3Fq%3DParis%26page_size%3D20",
        "/item/{}?filters=q%3DParis",
        "/item/{}?pos={}&sid=8f3c21aa90bb",
    ],
)
def test_what_an_address_says_of_the_query_is_no_part_of_the_key(href):
    items = "".join(
        f'<li class="hit"><a href="{href.format(i, i)}">Title {i}</a> by A</li>' for i in (1, 2, 3)
    )
    answer = Answer(f"<ol>{items}</ol>", values=("Paris",))
    assert [record.key for record in answer.records] == [f"{SITE}/item/{i}" for i in (1, 2, 3)]


def test_an_address_that_only_a_query_like_parameter_tells_apart_stays_whole():
    items = "".join(
        f'<li class="hit"><a href="/show?pos={i}">Title {i}</a> by A</li>' for i in (1, 2, 3)
    )
    answer = Answer(f"<ol>{items}</ol>")
    assert len({record.key for record in answer.records}) == 3


def test_the_form_pages_own_list_with_little_changed_is_no_answer():
    table = "<table><tr><th>ID</th><th>Title</th></tr>{}</table>".format(
        "".join(
            f'<tr><td><a href="/i/{n}">{n}</a></td><td>Title of number {n}</td></tr>'
            for n in range(9)
        )
    )
    answer = Answer(FORM_HTML + "<p>Sorted by title</p>" + table, form_html=FORM_HTML + table)
    assert (answer.verdict, answer.reason) == ("same_page", "the form page's list came back")
