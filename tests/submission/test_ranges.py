"""Ranges: points on a scale, halves that cover, no interval that crosses."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.submission.assignment import Binding
from hiwe.submission.ranges import Point, find_range, point_of
from tests.submission.film_library import element, form, select


def boxes():
    return form(
        element("y1", range_role="from", range_with=1),
        element("y2", range_role="to", range_with=0),
    )


def a_range(*texts):
    starts = [Binding(0, text, 1.0) for text in texts]
    ends = [Binding(1, text, 1.0) for text in texts]
    return find_range(boxes(), 0, starts, ends)


@pytest.mark.parametrize(
    ("text", "kind", "at"),
    [
        ("1994", "whole", 1994),
        ("$12.50", "decimal", 12.5),
        ("1,200", "whole", 1200),
        ("12,50 €", "decimal", 12.5),
    ],
)
def test_numbers_are_points(text, kind, at):
    assert point_of(text) == Point(kind, at)


def test_dates_are_points_whatever_their_format():
    points = [point_of(text) for text in ("2010-12-31", "31/12/2010", "31 December 2010")]
    assert points == [Point("date", date(2010, 12, 31).toordinal())] * 3


def test_words_are_no_points():
    assert point_of("Drama") is None


def test_values_are_sorted_along_the_scale():
    low, high = a_range("2003", "987", "1994").whole()
    assert (low.value, high.value) == ("987", "2003")


def test_years_are_halved_without_overlap():
    years = a_range("1987", "2021")
    first, second = years.halves(*years.whole())
    assert [b.value for b in first] == ["1987", "2004"]
    assert [b.value for b in second] == ["2005", "2021"]


def test_dates_are_halved_in_the_format_of_the_values():
    days = a_range("01/01/2010", "31/12/2010")
    first, second = days.halves(*days.whole())
    assert first[1].value == "02/07/2010"
    assert second[0].value == "03/07/2010"


def test_prices_share_the_middle_as_none_lies_between():
    prices = a_range("1.00", "2.50")
    first, second = prices.halves(*prices.whole())
    assert first[1].value == second[0].value == "1.75"


def test_point_is_not_halved():
    year = a_range("1994")
    assert year.halves(*year.whole()) == ()


@given(st.lists(st.integers(1, 300), min_size=2, max_size=6, unique=True))
def test_halving_again_and_again_covers_every_year_once(years):
    scale = a_range(*map(str, years))
    open_parts, points = [scale.whole()], []
    while open_parts:
        low, high = open_parts.pop()
        halves = scale.halves(low, high)
        open_parts += halves
        if not halves:
            points.append((low.value, high.value))
    wanted = {(str(y), str(y)) for y in range(min(years), max(years) + 1)}
    assert sorted(points) == sorted(wanted)


def test_open_side_is_split_further_out_each_time():
    years = a_range("1980", "2010")
    near, rest = years.beyond(Binding(1, "1980", 1.0))
    assert [b.value for b in near] == ["1973", "1980"]
    assert [(b.element, b.value) for b in rest] == [(1, "1972")]
    near, rest = years.beyond(rest[0])
    assert [b.value for b in near] == ["1956", "1972"]


def test_lists_of_words_count_their_choices():
    months = ["Jan", "Feb", "Mar", "Apr"]
    a_form = form(
        select("m1", months, range_role="from", range_with=1),
        select("m2", months, range_role="to", range_with=0),
    )
    starts = [Binding(0, m, 1.0, "", i) for i, m in enumerate(months)]
    ends = [Binding(1, m, 1.0, "", i) for i, m in enumerate(months)]
    found = find_range(a_form, 0, starts, ends)
    assert found is not None
    assert found.kind == "place"
    whole = found.whole()
    assert whole is not None
    first, second = found.halves(*whole)
    assert [[b.value for b in half] for half in (first, second)] == [["Jan", "Feb"], ["Mar", "Apr"]]


def test_presets_are_bounds():
    a_form = form(
        select("y1", ["1990", "2000"], open_choice=False, range_role="from", range_with=1),
        select("y2", ["1990", "2000"], open_choice=False, range_role="to", range_with=0),
    )
    bindings = [[Binding(e, y, 1.0, "", i) for i, y in enumerate(["1990", "2000"])] for e in (0, 1)]
    found = find_range(a_form, 0, *bindings)
    assert found is not None
    assert found.span(()) == (1990, 1990)
    assert found.span((bindings[1][1],)) == (1990, 2000)


def test_values_without_a_scale_make_no_range():
    assert a_range("Drama", "Poetry") is None


def test_dates_are_read_and_halved_in_the_format_that_the_page_shows():
    hint = {"placeholder": "mm/dd/yyyy"}
    a_form = form(
        element("a", range_role="from", range_with=1, **hint),
        element("b", range_role="to", range_with=0, **hint),
    )
    texts = ("03/04/2010", "06/12/2010")
    bindings = [[Binding(place, text, 1.0) for text in texts] for place in (0, 1)]
    found = find_range(a_form, 0, *bindings)
    whole = found.whole()
    assert whole is not None
    (low, middle), (after, high) = found.halves(*whole)
    assert (low.value, high.value) == texts
    assert (middle.value, after.value) == ("04/23/2010", "04/24/2010")
