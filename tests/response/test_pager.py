# ruff: noqa: E501 - HTML reads better unbroken
"""Pagers of all kinds, and links that are none."""

from __future__ import annotations

import pytest

from hiwe.response.pager import step_after
from tests.response.answers import Answer, hits

HITS = hits(1, 2, 3, 5)


def numbers(*pages, current=None, template='<a href="/find?g=sf&amp;page={n}">{n}</a>'):
    return " ".join(f"<b>{n}</b>" if n == current else template.format(n=n) for n in pages)


@pytest.mark.parametrize(("current", "following"), [(1, 2), (2, 3), (3, 4), (4, None)])
def test_numbered_links_lead_to_the_page_after_the_current(current, following):
    answer = Answer(
        HITS + f'<div class="pagination">{numbers(1, 2, 3, 4, current=current)}</div>',
        path=f"/find?g=sf&page={current}",
    )
    assert (answer.pager and answer.pager.page_number) == following


def test_a_current_page_that_is_a_link_too_is_known_by_its_mark_or_address():
    links = "".join(
        f'<li class="{"active" if n == 2 else ""}"><a href="/find?g=sf&amp;page={n}">{n}</a></li>'
        for n in (1, 2, 3)
    )
    answer = Answer(HITS + f'<ul class="pager">{links}</ul>', path="/find?g=sf&page=2")
    assert answer.pager.page_number == 3


def test_the_turner_of_pages_says_where_he_is():
    forms = "".join(
        f'<form action="/page" method="post"><input type="hidden" name="p" value="{n}"><button hiwe-click="{n}">{n}</button></form>'
        for n in (1, 2, 3)
    )
    features = Answer(HITS + forms).features
    assert [step_after(features, n).page_number for n in (1, 2)] == [2, 3]
    assert step_after(features, 3) is None


def test_a_next_link_serves_on_every_page():
    features = Answer(HITS + '<a href="/find?g=sf&amp;start=20">Next</a>').features
    assert step_after(features, 1).url.endswith("start=20")
    assert step_after(features, 7).url.endswith("start=20")


@pytest.mark.parametrize(
    ("own", "turned", "leads"), [("", 1, 1), ("&page=1", 2, 2), ("&page=7", 8, 8)]
)
def test_a_next_link_may_count_pages_from_nought(own, turned, leads):
    link = f'<ul class="pager"><li><a rel="next" href="?g=sf&amp;page={leads}">Next page ››</a></li></ul>'
    features = Answer(HITS + link, path="/find?g=sf" + own).features
    assert step_after(features, turned).url.endswith(f"page={leads}")


def test_a_next_link_that_leads_back_is_no_step():
    features = Answer(
        HITS + '<a href="?g=sf&amp;page=1">Next</a>', path="/find?g=sf&page=3"
    ).features
    assert step_after(features, 3) is None


@pytest.mark.parametrize(
    "link",
    ['<a href="/find?g=sf&amp;page=2" rel="next">mehr davon</a>', '<a href="/find?g=sf&amp;page=2"><img src="r.gif" alt="Next page"></a>',
     '<a href="/find?g=sf&amp;page=2" aria-label="Next">⇢</a>', '<li class="next"><a href="/find?g=sf&amp;page=2">›</a></li>',
     '<a class="next" href="/find?g=sf&amp;page=2">20 hits on</a>', '<a href="/find/page/2?g=sf">Next</a>', '<a title="Next page" href="/find?g=sf&amp;page=2"></a>'],
)  # fmt: skip
def test_next_links_are_known_by_rel_image_aria_class_and_title(link):
    answer = Answer(HITS + link)
    assert answer.pager.how == "link"
    assert "page" in answer.pager.url


@pytest.mark.parametrize(
    "html",
    ['<a href="http://elsewhere.test/find?page=2">Next</a>', '<span class="disabled"><a href="#">Next</a></span>', '<li class="disabled"><a href="/find?g=sf&amp;page=2">Next</a></li>',
     '<a href="/find?g=sf&amp;sort=year">Year</a>', '<a href="/item/7">2</a><a href="/item/9">14</a>', '<button disabled>Next</button>',
     '<a href="/find?g=sf">Next</a>', '<nav><a href="/1994">1994</a> <a href="/1995">1995</a></nav>', '<a href="/news/2">Read more</a>'],
    ids=["another host", "off", "off by class", "sorting", "not from one", "disabled", "this page", "years", "read more"],
)  # fmt: skip
def test_other_links_are_no_pager(html):
    assert Answer(HITS + html).pager is None


def test_links_inside_hits_are_no_pager():
    items = "".join(
        f'<li class="hit"><a href="/item/{i}">Title {i}</a> <a href="/item/{i}/next">Next</a> <a href="/item/{i}?p=2">2</a></li>'
        for i in (1, 2, 3)
    )
    assert Answer(f"<ol>{items}</ol>").pager is None


def test_a_submit_button_in_the_big_form_is_clicked():
    form = f'<form action="/find" method="post"><input name="g">{HITS}<input type="submit" name="next" value="Next 10" hiwe-click="12"></form>'
    answer = Answer(form)
    assert (answer.pager.how, answer.pager.index) == ("click", 12)


def test_scrolling_needs_hits_to_be_missing():
    script = "<script>window.addEventListener('scroll', more)</script>"
    assert Answer("<p>4 records found</p>" + HITS + script).pager is None
    assert Answer("<p>1-4 of 12</p>" + HITS + script).pager.how == "scroll"


def test_a_search_button_is_no_pager():
    assert (
        Answer('<form action="/find"><input name="g"><button>Find</button></form>' + HITS).pager
        is None
    )


def test_the_documents_head_may_name_the_next_page():
    answer = Answer(
        '<html><head><link rel="next" href="/find?g=sf&amp;page=2"></head><body>' + HITS
    )
    assert (answer.pager.how, answer.pager.page_number) == ("link", 2)
    home = Answer('<html><head><link rel="next" href="http://elsewhere.test/"></head><body>' + HITS)
    assert home.pager is None


def test_an_empty_basket_in_the_margin_is_no_empty_answer():
    answer = Answer('<div class="sidebar"><h4>Panier</h4><p>Aucun produit</p></div>' + HITS)
    assert answer.verdict == "results"
