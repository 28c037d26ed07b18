"""The picture of a form: from its page's snapshot, from its own boxes where that does not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.form.form import Submitter
from hiwe.page.page import Box, Page, TextRun
from hiwe.review.answers import page_text
from hiwe.review.sketch import MOST_HIGH_PX, sketch_form
from tests.report.a_run import ACTION, element, form
from tests.review.a_reviewed_run import PLAIN, control, elements, snapshot


@pytest.fixture
def seen():
    return replace(
        form("f", elements()), submitters=(Submitter(3, "submit", "Go", "", "", ACTION, "GET"),)
    )


def text(words, box, **more):
    return TextRun(words, Box(*box), order=9, **{**PLAIN, **more})


def test_marks_join_each_element_to_its_own_label(seen):
    sketch = sketch_form(seen, snapshot())
    assert sketch.whole
    assert [(m.position, m.source, m.label and m.label.x) for m in sketch.marks] == [
        (0, "layout", 20), (1, "for", 20), (2, "none", None),
    ]  # fmt: skip
    assert [m.line for m in sketch.marks] == [(100, 32.0, 120, 32.0), (70, 72.0, 120, 72.0), None]
    assert sketch.sends == Box(120, 140, 60, 24)


def test_a_snapshot_of_other_controls_is_left_aside(seen):
    other = replace(snapshot(), controls=tuple(control(i, "text", "x", (0, 0, 9, 9))
                                               for i in range(4)))  # fmt: skip
    for page in (None, other, replace(snapshot(), controls=()), Page(url="u", status=200, html="")):
        sketch = sketch_form(seen, page)
        assert (sketch.whole, sketch.words, sketch.drawn, sketch.sends) == (False, (), (), None)
        assert [m.box for m in sketch.marks] == [e.box for e in seen.elements]


def test_what_is_not_seen_is_not_drawn():
    hidden = replace(elements()[0], visible=False)
    assert sketch_form(form("f", [hidden, element("q", "no box")]), snapshot()) is None
    assert sketch_form(form("f", []), snapshot()) is None


def test_a_long_text_stands_in_as_many_lines_as_it_had(seen):
    long = text("one two three four five six", (130, 24, 60, 60))
    words = sketch_form(seen, replace(snapshot(), texts=(long,))).words
    assert [w.text for w in words] == ["one two", "three four", "five six"]
    assert all(w.width is None for w in words)
    assert [w.y for w in words] == sorted(w.y for w in words)


@pytest.mark.parametrize("box", [(20, 400, 50, 20), (-500, 20, 50, 20), (20, -12, 50, 20)])
def test_a_text_outside_or_cut_by_the_edge_is_not_drawn(seen, box):
    page = replace(snapshot(), texts=(*snapshot().texts, text("stray", box)))
    assert "stray" not in [w.text for w in sketch_form(seen, page).words]


def test_a_form_without_end_is_cut(seen):
    far = replace(seen.elements[2], box=Box(120, 90_000, 200, 24))
    sketch = sketch_form(replace(seen, elements=(*seen.elements[:2], far)), None)
    assert sketch.view.h == MOST_HIGH_PX


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>one<p>two <b>bold</b> tail", "one\ntwo bold tail"),
        ("<script>no</script>yes<style>no</style><noscript>no</noscript>", "yes"),
        ("<div hiwe-hidden>no <p>no</div>seen<div>too</div>", "seen\ntoo"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a | b |\nc |"),
        ("a<!-- no -->b<br>c", "ab\nc"),
        ("<select><option>no</select>x", "x"),
        ("<div>" * 200 + "deep", "deep"),
        ("", ""),
    ],
)
def test_the_text_of_a_page_is_what_is_seen_a_block_a_line(html, said):
    assert page_text(Page(url="u", status=200, html=html)) == said
