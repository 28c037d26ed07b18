"""What an element is for, whatever it is called."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

FORM = """<form action="/find"><p>Title <input name=t></p>
<p>Direction <select name=dir2>{options}</select></p><button>Search</button></form>"""


def role(show, *choices):
    options = "".join(f"<option>{choice}</option>" for choice in choices)
    form = find_forms(show(FORM.format(options=options)))[0]
    return next(e.role for e in form.elements if e.name == "dir2")


@pytest.mark.browser
@pytest.mark.parametrize(
    "choices",
    [
        ("Ascending", "Descending"),
        ("", "asc", "desc"),
        ("Newest first", "Oldest first", "Relevance"),
        ("Aufsteigend", "Absteigend"),
        ("Ordre croissant", "Ordre décroissant"),
        ("по возрастанию", "по убыванию"),
        ("Rosnąco", "Malejąco"),
    ],
)
def test_a_list_of_ways_to_sort_is_left_alone(show, choices):
    assert role(show, *choices) == "paging"


@pytest.mark.browser
@pytest.mark.parametrize(
    "choices",
    [("North", "South"), ("Ascending", "Bridge", "Cave"), ("Ascending",), ("Any", "Newest")],
)
def test_a_list_that_holds_anything_else_is_not(show, choices):
    assert role(show, *choices) == "value"
