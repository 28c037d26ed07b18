"""Labels made clean."""

from __future__ import annotations

import pytest

from hiwe.form.clean import clean_label, is_unit, shown_label, split_range_word

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
    ("Station * ?", "Station"),
    ("Name ⓘ", "Name"),
    ("Où ?", "Où ?"),
    ("Price $", "Price"),
    ("Цена, ₽", "Цена"),
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
    ("to $", ("", "to")),
    ("s/d", ("", "to")),
    ("开始日期", ("日期", "from")),
    ("下限なし", ("なし", "from")),
    ("自行车", ("自行车", "")),
]


@pytest.mark.parametrize(("text", "parts"), RANGES)
def test_split_range_word(text, parts):
    assert split_range_word(text) == parts


@pytest.mark.parametrize("text", ["km", "m²", " € ", "(°C)", "万元", "km/h"])
def test_a_unit_is_told(text):
    assert is_unit(text)


@pytest.mark.parametrize("text", ["Kilometer", "Price €", "Title", ""])
def test_a_label_is_no_unit(text):
    assert not is_unit(text)
