"""Which lists wait for another one's choice."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

pytestmark = pytest.mark.browser

MAKER = "<p>Maker <select name=maker><option value=''>any<option>Fiat<option>Seat</select>"
BUTTON = "<button>Search</button>"


def parents(page):
    (form,) = find_forms(page)
    return {e.name: e.depends_on for e in form.elements}


@pytest.mark.parametrize(
    "child",
    [
        "<select name=model></select>",
        "<select name=model><option value=''>choose a maker first</select>",
        "<select name=model disabled><option value=all>All</select>",
    ],
    ids=["empty", "caption", "disabled"],
)
def test_list_without_values_waits_for_the_list_before_it(show, child):
    page = show(f"<form>{MAKER}<p>Title <input name=title><p>Model {child}{BUTTON}</form>")
    assert parents(page) == {"maker": None, "title": None, "model": 0}


def test_lists_in_a_row_wait_one_for_the_other(show):
    empty = "<p>{0} <select name={0} disabled><option value=''>-</select>"
    page = show(f"<form>{MAKER}{empty.format('model')}{empty.format('engine')}{BUTTON}</form>")
    assert parents(page) == {"maker": None, "model": 0, "engine": 1}


def test_list_with_values_or_without_a_list_before_it_waits_for_nothing(show):
    full = "<p>Model <select name=model><option>Panda<option>Ibiza</select>"
    page = show(f"<form><p>City <select name=city></select>{MAKER}{full}{BUTTON}</form>")
    assert parents(page) == {"city": None, "maker": None, "model": None}
