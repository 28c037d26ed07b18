"""What the texts of fields mean: numbers, dates, money, addresses, pictures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.response.typed import Typed, column_kind, typed


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("1979", "integer", 1979, ""),
        ("-5", "integer", -5, ""),
        ("0", "integer", 0, ""),
        ("7.0", "number", 7.0, ""),
        ("5,8", "number", 5.8, ""),
        ("1,204", "integer", 1204, ""),
        ("1.204", "number", 1.204, ""),
        ("1.204.000", "integer", 1204000, ""),
        ("1,204,000.5", "number", 1204000.5, ""),
        ("1.204,50", "number", 1204.5, ""),
        ("146\u202f083", "integer", 146083, ""),
        ("$ 12.50", "money", 12.5, "USD"),
        ("€1.204,50", "money", 1204.5, "EUR"),
        ("12,50 €", "money", 12.5, "EUR"),
        ("CHF 30", "money", 30, "CHF"),
        ("146,083 USD", "money", 146083, "USD"),
        ("1998-06-12", "date", "1998-06-12", ""),
        ("12 June 1998", "date", "1998-06-12", ""),
        ("Jun 12, 1998", "date", "1998-06-12", ""),
        ("12.06.1998", "date", "1998-06-12", ""),
        ("3. März 2001", "date", "2001-03-03", ""),
        ("http://h.org/film/3", "url", "http://h.org/film/3", ""),
        ("https://h.org/p.JPG?w=2", "image", "https://h.org/p.JPG?w=2", ""),
    ],
)
def test_a_text_is_what_it_means(text, kind, value, unit):
    assert typed(text) == Typed(kind, value, unit)


@pytest.mark.parametrize(
    "text",
    ["", "Alien", "007", "12 min", "PG-13", "2001: A Space Odyssey", "B-737", "1998-06", "R2 D2",
     "3-7", "http://h.org/a b", "555-0142", "MIG 29", "4 ABC", "9/11"],
)  # fmt: skip
def test_other_texts_are_only_text(text):
    assert typed(text).kind == "text"


@given(st.text(max_size=30))
def test_any_text_has_a_kind(text):
    assert typed(text).kind in {"integer", "number", "date", "money", "url", "image", "text"}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1979", "", "1993"], "integer"),
        (["7", "7.5"], "number"),
        (["1998-06-12", "3 May 2001"], "date"),
        (["1979", "unknown"], "text"),
        ([], "text"),
    ],
)
def test_a_column_has_the_kind_that_all_its_values_have(values, kind):
    assert column_kind(values) == kind
