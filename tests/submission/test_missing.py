"""What a site's message asks for, told from its words and marks."""

from __future__ import annotations

import pytest

from hiwe.response.response import Signal, Verdict
from hiwe.submission.missing import missing_elements
from tests.submission import film_library as library

FORM = library.form(
    library.element("t", label="Title"),
    library.element("a", label="Author"),
    library.element("y1", label="Year of publication"),
    library.element("trap", label="Author name", fillable=False),
)


def missing(*signals, bound=(0,), verdict=Verdict.INVALID, form=FORM):
    return missing_elements(form, verdict, [Signal(n, text, 0.7) for n, text in signals], bound)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please enter an author.", (1,)),
        ("Author: this field is required", (1,)),
        ("YEAR OF PUBLICATION may not be empty", (2,)),
        ("Please give author and year of publication", (1, 2)),
        ("Please fill in all fields", ()),
        ("The authority is missing", ()),
        ("Title must have three letters", ()),  # it was bound: its value is at fault
    ],
)
def test_elements_named_by_the_message_are_missing(text, found):
    assert missing(("invalid", text)) == found


def test_elements_marked_invalid_are_missing():
    assert missing(("field_invalid", "a")) == (1,)


def test_other_texts_name_nothing():
    assert missing(("count", "12 records by Author")) == ()


def test_only_a_rejected_assignment_lacks_something():
    assert missing(("invalid", "Please enter an author"), verdict=Verdict.NO_RESULTS) == ()


def test_a_text_that_names_the_whole_form_names_nothing():
    names = ["North", "South", "East", "West", "Centre"]
    form = library.form(*(library.element(name.lower(), label=name) for name in names))
    assert missing(("invalid", "Give north, south, east or west"), bound=(4,), form=form) == ()


STARRED = library.form(
    library.element("t", label="Title"),
    library.element("a", label="Author", starred=True),
    library.element("y", label="Year"),
)


@pytest.mark.parametrize(
    ("text", "bound", "found"),
    [
        ("Please fill in the required field.", (0,), (1,)),
        ("The year must have four digits", (0,), (2,)),  # what the message names goes before
        ("Invalid value", (0, 1), ()),  # it was bound: nothing is missing
    ],
)
def test_a_message_that_names_nothing_means_the_starred_elements(text, bound, found):
    assert missing(("invalid", text), bound=bound, form=STARRED) == found


def test_stars_on_every_element_tell_nothing():
    form = library.form(
        *(library.element(name, label=name, starred=True) for name in ("one", "two"))
    )
    assert missing(("invalid", "Please fill in the form"), bound=(0,), form=form) == ()
