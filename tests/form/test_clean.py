"""Labels made clean."""

from __future__ import annotations

import pytest

from hiwe.form.clean import clean_label, shown_label, split_range_word

CLEAN = [
    ("* TITLE\xa0:", "TITLE"),
    ("Author (optional)", "Author"),
    ("  Year\n :", "Year"),
    ("Autor (Pflichtfeld)*", "Autor"),
    ("Titolo [obbligatorio]", "Titolo"),
    ("著者（任意）：", "著者"),
    ("Password (again)", "Password (again)"),
    ("| Log me on |", "Log me on"),
    ("• Country:", "Country"),
    ("***", ""),
]


@pytest.mark.parametrize(("text", "label"), CLEAN)
def test_clean_label(text, label):
    assert clean_label(text) == label


def test_the_shown_label_keeps_what_stands_before_and_in_brackets():
    assert shown_label("* Author (optional):") == "* Author (optional)"


RANGES = [
    ("Year from", ("Year", "from")),
    ("Jahr von", ("Jahr", "from")),
    ("to", ("", "to")),
    ("bis", ("", "to")),
    ("Min price", ("price", "from")),
    ("Цена до", ("Цена", "to")),
    ("Title", ("Title", "")),
]


@pytest.mark.parametrize(("text", "parts"), RANGES)
def test_split_range_word(text, parts):
    assert split_range_word(text) == parts
