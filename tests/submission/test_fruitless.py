"""Values that a site's other forms do not have are tried last."""

from __future__ import annotations

from hiwe.submission.fruitless import fruitless_last
from hiwe.submission.values import element_values
from tests.submission.film_library import element, form, select, weighted


def values_of(an_element, values, fruitless):
    found = element_values(form(an_element), {0: weighted(values, "Title")})
    return [b.value for b in fruitless_last(found, fruitless)[0].values]


def test_fruitless_values_come_last():
    found = values_of(element("title"), ["Glass", "Salt", "Moons"], {("Title", "Glass")})
    assert found == ["Salt", "Moons", "Glass"]


def test_the_weight_counts_first():
    found = values_of(element("title"), {"Glass": 1.0, "Salt": 0.7}, {("Title", "Glass")})
    assert found == ["Glass", "Salt"]


def test_a_value_of_another_row_is_another_value():
    found = values_of(element("title"), ["Glass", "Salt"], {("Author", "Glass")})
    assert found == ["Glass", "Salt"]


def test_the_order_of_a_list_stays():
    found = values_of(select("title", ["Glass", "Salt"]), ["Glass"], {("Title", "Glass")})
    assert found == ["Glass", "Salt"]
