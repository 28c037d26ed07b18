"""Captions of lists: choices that are no values."""

from __future__ import annotations

import pytest

from hiwe.form.caption import split_choices
from hiwe.page.page import Option


def choices(*pairs, **marks):
    """Options from (value, label) pairs; marks: position -> disabled."""
    return [
        Option(v, label, disabled=i in marks.get("disabled", ()))
        for i, (v, label) in enumerate(pairs)
    ]


CAPTIONS = {
    "any": ([("", "-- any genre --"), ("d", "Drama")], "", "genre"),
    "choose": ([("", "Choose a shelf"), ("d", "Drama")], "", "shelf"),
    "all with a value": ([("all", "All"), ("d", "Drama")], "all", ""),
    "Italian": ([("0", "Tutti i generi"), ("d", "Giallo")], "0", "generi"),
    "German": ([("", "Bitte Genre wählen"), ("d", "Krimi")], "", "Genre"),
    "Russian": ([("-1", "Любой жанр"), ("d", "Драма")], "-1", "жанр"),
    "Japanese": ([("", "指定なし"), ("d", "小説")], "", ""),
    "column": ([("", "- column -"), ("t", "title"), ("d", "director")], "", "column"),
    "do not care": (
        [("", "don't care"), ("-1", "not selected"), ("", "------------"), ("1", "high")],
        "",
        "",
    ),
}


@pytest.mark.parametrize(("pairs", "neutral", "title"), CAPTIONS.values(), ids=CAPTIONS.keys())
def test_captions_are_taken_out(pairs, neutral, title):
    found = split_choices(choices(*pairs))
    assert [o.value for o in found.values] == [
        v
        for v, label in pairs
        if label in ("Drama", "Giallo", "Krimi", "Драма", "小説", "title", "director", "high")
    ]
    assert (found.neutral, found.title) == (neutral, title)


VALUES = {
    "no caption": [("sf", "Science fiction"), ("hi", "History")],
    "a title that begins with All": [("1", "Amadeus"), ("2", "All About Eve"), ("3", "Annie Hall")],
    "numbers": [("0", "0"), ("1", "1"), ("2", "2")],
    "signs": [("exact", "="), ("not", "!="), ("gt", ">"), ("like", "like")],
    "select as a word": [("1", "Drama"), ("2", "Selected works")],
}


@pytest.mark.parametrize("pairs", VALUES.values(), ids=VALUES.keys())
def test_values_stay(pairs):
    found = split_choices(choices(*pairs))
    assert [o.value for o in found.values] == [v for v, _ in pairs]
    assert found.neutral is None


def test_a_disabled_first_choice_is_a_caption():
    found = split_choices(choices(("x", "Genre"), ("d", "Drama"), disabled=(0,)))
    assert [o.label for o in found.values] == ["Drama"]
    assert found.title == "Genre"


def test_a_list_of_several_choices_is_left_open_by_choosing_none():
    assert split_choices(choices(("a", "A"), ("b", "B")), multiple=True).neutral == ""
