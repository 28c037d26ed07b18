"""Values that a person pinned are tried first, those banned never, whatever the plan makes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.page.page import Option
from hiwe.submission.plan import Plan
from hiwe.submission.values import child_values, element_values
from hiwe.submission.wishes import Wish, bars, unmet_wishes, wished
from tests.submission.film_library import TABLE, Library, element, form, run, select, weighted

GENRES = ["Science fiction", "History", "Cookery", "Poetry"]


def planned(a_form, wishes, table=None, **more):
    """The values of every submission of a form in order, and what the plan was made with."""
    table = {} if table is None else table
    sets = {
        at: weighted(table[e.name], e.label)
        for at, e in enumerate(a_form.elements)
        if e.name in table
    }
    values = wished(a_form, element_values(a_form, sets), wishes)
    plan = Plan(a_form, values, **more)
    given = [a for a in run(plan, Library(a_form)) if not a.discover]
    return [[b.value for b in a.bindings] for a in given], given, values


@pytest.mark.parametrize("order", ["paper", "harvest"])
@pytest.mark.parametrize("function", ["min", "average", "probabilistic"])
def test_pinned_values_come_first_and_rank_best(order, function):
    a_form = form(element("author"))
    wishes = {0: Wish(pin=("Lena Storm", "Nobody Known"))}
    sent, given, _ = planned(
        a_form, wishes, {"author": TABLE["author"]}, order=order, function=function
    )
    assert sent == [["Lena Storm"], ["Nobody Known"], *([a] for a in TABLE["author"][:3])]
    assert [a.rank for a in given[:2]] == [1.0, 1.0]
    assert [a.bindings[0].row for a in given[:2]] == ["Author", ""]


def test_an_element_without_a_row_takes_the_pinned_value_alone():
    sent, _, _ = planned(form(element("author")), {0: Wish(pin=("Kai Morrow",))})
    assert sent == [["Kai Morrow"]]


def test_a_pinned_choice_is_one_that_the_list_has():
    a_form = form(select("genre", GENRES))
    wishes = {0: Wish(pin=("poetry", "Opera"))}
    sent, _, values = planned(a_form, wishes)
    assert sent[0] == ["Poetry"]
    assert sorted(s[0] for s in sent) == sorted(GENRES)
    assert list(unmet_wishes(a_form, values, wishes)) == ["genre: Opera cannot be chosen there"]


def test_pinned_values_go_with_what_has_to_be_bound():
    a_form = form(element("author"), select("genre", GENRES, required=True))
    sent, _, _ = planned(a_form, {0: Wish(pin=("Ida Fenwick",))})
    assert sent[0] == ["Ida Fenwick", "Science fiction"]


@pytest.mark.parametrize("order", ["paper", "harvest"])
def test_banned_values_are_never_sent(order):
    a_form = form(select("genre", GENRES), element("author"))
    wishes = {0: Wish(ban=("HISTORY",)), 1: Wish(pin=("Omar Velt",), ban=("Omar Velt",))}
    sent, _, _ = planned(a_form, wishes, {"author": TABLE["author"]}, order=order)
    assert sent
    assert not {value for values in sent for value in values} & {"History", "Omar Velt"}


def test_a_plan_with_earlier_answers_does_not_combine_what_was_banned_since():
    a_form = form(select("genre", GENRES), element("author"))
    sets = {1: weighted(TABLE["author"], "Author")}
    earlier = Plan(a_form, element_values(a_form, sets))
    library = Library(a_form, cap=2)
    outcomes = [library.answer(assignment) for assignment in earlier.next(12)]
    assert any("History" in [b.value for b in o.bindings] and o.is_part for o in outcomes)
    barred = wished(a_form, element_values(a_form, sets), {0: Wish(ban=("History",))})
    plan = Plan(a_form, barred)
    for outcome in outcomes:
        plan.record(outcome)
    assert all("History" not in [b.value for b in a.bindings] for a in run(plan, library))


def test_halves_of_a_range_keep_off_what_is_banned():
    a_form = form(
        element("y1", range_role="from", range_with=1), element("y2", range_role="to", range_with=0)
    )
    years = {"y1": TABLE["year"], "y2": TABLE["year"]}
    sent, _, _ = planned(a_form, {0: Wish(ban=("2005",))}, years)
    assert sent
    assert not [s for s in sent if s[0] == "2005" and len(s) == 2]


def test_banned_options_of_a_dependent_list_are_left_out_when_they_are_read():
    a_form = form(
        select("genre", GENRES),
        element("author", "select", disabled=True, neutral=None, depends_on=0),
    )
    values = wished(a_form, element_values(a_form, {}), {1: Wish(pin=("Zoe",), ban=("Omar Velt",))})
    options = tuple(Option(name, name) for name in ("Ann", "Omar Velt", "Zoe"))
    found, _ = child_values(values[1], options)
    assert [b.value for b in found] == ["Zoe", "Ann"]


def test_values_that_a_plan_did_not_make_are_barred_too():
    a_form = form(replace(select("genre", ["Drama"]), options=(Option("d1", "Drama"),)))
    binding = element_values(a_form, {})[0].values[0]
    assert bars(a_form, {0: Wish(ban=("d1",))}, (binding,))
    assert not bars(a_form, {0: Wish(ban=("d2",))}, (binding,))


def test_pinned_and_banned_values_come_back_from_the_database():
    from hiwe.crawl.replay import values_from
    from hiwe.repository.codec import to_plain

    a_form = form(select("genre", GENRES), element("author"))
    wishes = {0: Wish(ban=("History",)), 1: Wish(pin=("Kai Morrow",))}
    values = wished(a_form, element_values(a_form, {}), wishes)
    assert values_from(to_plain(values)) == values
