"""A list of fields beside a box: a row's values go in with the option that names the row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.crawl.form_work import match_elements, values_of, view
from hiwe.lvs.table import LvsTable
from hiwe.page.page import Box
from hiwe.submission.plan import Plan
from hiwe.submission.wishes import Wish, wished
from tests.submission.film_library import element, form, select

COMPARISONS = ["is exactly", "contains", "starts with"]


@pytest.fixture(scope="module")
def lvs(tmp_path_factory):
    path = tmp_path_factory.mktemp("lvs") / "table.yaml"
    path.write_text(
        "- {label: Title, values: [Salt Roads, Brass Engines]}\n"
        "- {label: Author, values: {Ida Fenwick: 1.0, Omar Velt: 0.7}}\n"
        "- {label: Publisher, values: [Lighthouse]}\n"
    )
    return LvsTable.load([path])


def fields(*options, label="Search in", at=(0, 0), kind="select"):
    made = select("idx", options, label=label, open_choice=False)
    return replace(made, kind=kind, box=Box(at[0], at[1], 90, 20))


def box(label="", name="term", at=(100, 0)):
    made = element(name, label=label)
    return replace(made, label_source="for" if label else "none", box=Box(at[0], at[1], 90, 20))


def operators(*options):
    return element("op", "select", options, label="", neutral=None, default=options[0],
                   role="operator")  # fmt: skip


def values(lvs, *elements):
    a_form = form(*elements)
    return a_form, values_of(a_form, match_elements(a_form, lvs, sigma=0.75, generic=True), lvs)


def asked(lvs, *elements, order="harvest", budget=40):
    """All assignments of a form, as {name: value}, none of them answered."""
    a_form, found = values(lvs, *elements)
    plan = Plan(a_form, found, order=order, budget=budget)
    return [
        {a_form.elements[b.element].name: b.value for b in assignment.bindings}
        for assignment in plan.next(budget)
    ]


def test_each_rows_values_go_with_the_option_that_names_it(lvs):
    found = asked(lvs, fields("Title", "Author", "ISBN"), box())
    assert {tuple(sorted(a.items())) for a in found} == {
        (("idx", "Title"), ("term", "Salt Roads")),
        (("idx", "Title"), ("term", "Brass Engines")),
        (("idx", "Author"), ("term", "Ida Fenwick")),
        (("idx", "Author"), ("term", "Omar Velt")),
    }


def test_a_box_before_its_list_is_spoken_for_too(lvs):
    found = asked(lvs, box("Search for"), fields("Author", "Title"))
    assert {"idx": "Author", "term": "Ida Fenwick"} in found


def test_radio_buttons_may_name_the_fields(lvs):
    below = fields("Author", "Title", at=(0, 40), kind="radio")
    assert {"idx": "Title", "term": "Salt Roads"} in asked(lvs, box("Find"), below)


def test_the_papers_order_binds_the_list_with_the_value(lvs):
    found = asked(lvs, fields("Title", "Author"), box(), order="paper")
    assert len(found) == 4
    assert {"idx": "Author", "term": "Omar Velt"} in found


def test_rows_that_no_option_names_go_with_the_option_for_anything(lvs):
    found = asked(lvs, fields("Keyword", "Title", "Author"), box())
    assert {"idx": "Keyword", "term": "Lighthouse"} in found
    assert {"idx": "Keyword", "term": "Salt Roads"} not in found


def test_a_wider_operator_is_chosen_where_the_preset_asks_for_the_exact_value(lvs):
    found = asked(lvs, fields("Title", "Author"), operators(*COMPARISONS), box())
    assert {"idx": "Title", "op": "contains", "term": "Salt Roads"} in found
    assert all(a["op"] == "contains" for a in found)


def test_an_operator_that_is_wide_already_stays(lvs):
    found = asked(lvs, fields("Title", "Author"), operators("contains", "is exactly"), box())
    assert found
    assert not any("op" in a for a in found)


def test_a_list_of_values_beside_a_box_for_anything_is_no_list_of_fields(lvs):
    found = asked(lvs, fields("Poetry", "History", label="Genre"), box("Keywords"))
    assert {"idx": "Poetry"} in found
    assert {"term": "Salt Roads"} in found


def test_a_box_with_a_label_of_its_own_keeps_it(lvs):
    found = asked(lvs, fields("Title", "Author", label="Sorted for"), box("Author", "author"))
    assert {"author": "Ida Fenwick"} in found


def test_further_rows_of_criteria_ask_nothing_again(lvs):
    second = [
        replace(fields("Title", "Author", at=(0, 40)), name="idx2"),
        box(name="term2", at=(100, 40)),
    ]
    found = asked(lvs, fields("Title", "Author"), box(), *second)
    assert len(found) == 4
    assert all(set(a) == {"idx", "term"} for a in found)


def test_a_list_that_an_operator_follows_is_never_a_value(lvs):
    _, found = values(lvs, fields("col_a", "col_b"), operators(*COMPARISONS), box("Value"))
    assert all(v.element == 2 for v in found)


def test_names_of_columns_are_not_learned_as_values(lvs):
    a_form = form(fields("Title", "Author", label="Column"), box())
    matches = match_elements(a_form, lvs, sigma=0.75, generic=True)
    assert matches[0].rule == matches[1].rule == "fields"
    assert [one.match.row.label for one in matches[1].fields] == ["Title", "Author"]
    column = view(a_form.elements[0], a_form)
    assert lvs.learn(column, matches[0]) == ()
    assert lvs.row("Column") is None


def test_a_pinned_value_keeps_the_option_that_names_its_row(lvs):
    a_form, found = values(lvs, fields("Title", "Author"), box())
    pinned = wished(a_form, found, {1: Wish(pin=("Omar Velt",))})
    best, *_ = Plan(a_form, pinned, budget=40).next(1)
    assert {b.value for b in best.bindings} == {"Author", "Omar Velt"}
