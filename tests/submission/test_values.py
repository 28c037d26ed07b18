"""Value sets are brought to the form's own options and boxes."""

from __future__ import annotations

from dataclasses import replace

from hiwe.lvs.value import Provenance, WeightedValue
from hiwe.page.page import Option
from hiwe.submission.values import child_values, element_values
from tests.submission.film_library import element, form, select, weighted


def values_of(an_element, value_set=()):
    found = element_values(form(an_element), {0: value_set})
    return found[0] if found else None


def test_options_the_table_knows_come_first_and_keep_their_place():
    found = values_of(
        select("genre", ["Drama", "Poetry", "History"]), weighted(["Poetry"], "Genre")
    )
    assert [(b.value, b.option, b.row) for b in found.values] == [
        ("Poetry", 1, "Genre"),
        ("Drama", 0, ""),
        ("History", 2, ""),
    ]


def test_finite_domain_is_its_own_value_set_without_a_row():
    found = values_of(select("genre", ["Drama", "Poetry"]))
    assert [(b.value, b.weight) for b in found.values] == [("Drama", 1.0), ("Poetry", 1.0)]


def test_option_matches_whatever_order_accents_and_count_its_label_has():
    options = ["Spielberg, Steven (12)", "AGNÈS VARDA", "Ang Lee"]
    wanted = weighted(["Steven Spielberg", "Agnes Varda"], "Director")
    found = values_of(select("director", options), wanted)
    assert [(b.option, b.row_value) for b in found.values[:2]] == [
        (0, "Steven Spielberg"),
        (1, "Agnes Varda"),
    ]


def test_two_options_with_one_label_are_two_values():
    found = values_of(select("town", ["Springfield", "Springfield"]))
    assert [b.option for b in found.values] == [0, 1]


def test_disabled_options_are_no_values():
    options = (Option("a", "A"), Option("b", "B", disabled=True))
    found = values_of(replace(select("x", ["A", "B"]), options=options))
    assert [b.value for b in found.values] == ["A"]


def test_domain_values_of_a_matched_row_are_none_of_the_task():
    wanted = (
        WeightedValue("Poetry", 1.0, "Genre", Provenance.EXPLICIT),
        WeightedValue("Drama", 1.0, "Genre", Provenance.DOMAIN),
    )
    found = values_of(select("genre", ["Drama", "Poetry"]), wanted)
    assert [(b.value, b.row) for b in found.values] == [("Poetry", "Genre"), ("Drama", "")]


def test_suggestions_come_before_values_of_the_table_alone_each_once():
    box = element("genre", suggestions=("History", "Poetry"))
    found = values_of(box, weighted(["Drama", "poetry"], "Genre"))
    assert [b.value for b in found.values] == ["poetry", "History", "Drama"]
    assert found.suggested


def test_text_values_come_heaviest_first_each_once():
    found = values_of(element("t"), weighted({"Salt": 0.7, "Glass": 0.9, "glass": 0.8}, "Title"))
    assert [(b.value, b.weight) for b in found.values] == [("Glass", 0.9), ("Salt", 0.7)]


def test_traps_sorting_and_contact_boxes_get_no_values():
    wanted = weighted(["x"], "Title")
    assert values_of(element("t", fillable=False), wanted) is None
    assert values_of(element("t", role="contact"), wanted) is None
    assert values_of(select("per", ["10", "20"], role="paging")) is None
    assert values_of(element("t", disabled=True), wanted) is None


def test_defaults_that_leave_the_query_open():
    assert values_of(select("g", ["a", "b"])).neutral_default
    assert values_of(element("g", "select", ["a", "b"], multiple=True)).neutral_default
    assert not values_of(select("g", ["a", "b"], open_choice=False)).neutral_default
    open_star = element("g", "select", ["a"], neutral="*", default="*")
    assert values_of(open_star).neutral_default


def test_empty_list_depends_on_the_list_before_it():
    a_form = form(select("genre", ["Drama"]), element("author", "select", disabled=True))
    found = element_values(a_form, {1: weighted(["Ida"], "Author")})
    assert [(v.element, v.parent, len(v.values)) for v in found] == [(0, None, 1), (1, 0, 1)]


def test_list_of_an_open_choice_alone_depends_on_nothing():
    only_all = element("genre", "select", neutral="all", default="all")
    assert element_values(form(only_all), {}) == ()


def test_domain_read_of_a_dependent_list_has_the_row_first_and_no_caption():
    a_form = form(select("genre", ["Drama"]), element("author", "select", disabled=True))
    child = element_values(a_form, {1: weighted(["Ida Fenwick"], "Author")})[1]
    read = (Option("", "-- any author --"), Option("1", "Omar Velt"), Option("2", "Ida Fenwick"))
    found, may_open = child_values(child, read)
    assert [(b.value, b.option) for b in found] == [("Ida Fenwick", None), ("Omar Velt", None)]
    assert may_open


def test_domain_read_without_caption_may_not_stay_open():
    a_form = form(select("genre", ["Drama"]), element("author", "select", disabled=True))
    child = element_values(a_form, {})[1]
    assert child_values(child, (Option("1", "Omar Velt"),))[1] is False
