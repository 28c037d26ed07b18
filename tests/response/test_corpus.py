# ruff: noqa: E501 - HTML reads better unbroken
"""The analyser meets pages of real sites, and pages that are no pages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.response.answers import Answer, page


@pytest.mark.slow
def test_real_pages_are_analysed_and_equal_to_themselves(shared):
    pages = sorted((shared / "corpus" / "forms" / "pages").glob("*.html"))
    assert pages, f"no pages in {shared}/corpus/forms/pages"
    urls = {}
    for line in (shared / "corpus/forms/form_types.jsonl").read_text(encoding="utf-8").splitlines():
        form = json.loads(line)
        urls[str(form["page"]).removesuffix(".html")] = form["url"]
    wrong = []
    for file in pages:
        html = file.read_bytes().decode("utf-8", "replace")
        one = page(html, urls.get(file.stem, "/"))
        answer = Answer(one, form_html=html, form=None)
        if answer.verdict == "results" or answer.features.significant:
            wrong.append((file.name, answer))
    assert wrong == []


TAGS = ["div", "table", "tr", "td", "th", "ul", "li", "dl", "dt", "dd", "a href='/x?y=1'", "p", "h1", "h3", "form", "input name=q",
        "select", "span", "b", "br", "nav", "script", "iframe", "svg"]  # fmt: skip


@given(
    st.lists(
        st.one_of(
            st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag.split()[0]}>" for tag in TAGS]),
            st.text(max_size=12),
            st.sampled_from(["No results", "1-10 of 20", "Next", "Title:", "Please enter a year", "\x00", "<!--", "&#0;"]),
        ),
        max_size=40,
    ),
    st.sampled_from([200, 404, 500]),
)  # fmt: skip
def test_no_page_breaks_the_analysis(parts, status):
    html = "".join(parts)
    answer = Answer(html, status=status, values=("No", "a"))
    assert 0.0 <= answer.judgement.confidence <= 1.0
    if answer.verdict == "results":
        assert answer.records


@given(
    st.text(max_size=80),
    st.sampled_from(["application/json", "text/csv", "text/xml", "application/rss+xml"]),
)
def test_no_data_break_the_analysis(text, kind):
    Answer(text, content_type=kind)


@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "<!-- -->",
        "<?xml version='1.0' encoding='utf-8'?><html><body>x</body></html>",
        "\x00",
        "<html></html>",
        "x" * 10,
    ],
)
def test_odd_pages_are_read(html):
    Answer(html)


def test_deeply_nested_pages_are_read():
    Answer("<div>" * 3000 + "deep" + "</div>" * 3000)
