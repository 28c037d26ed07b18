"""What a plan asks a form for, and in which order; the site is a library in memory."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiwe.response.response import Verdict
from hiwe.submission.plan import Outcome, Plan, element_values
from hiwe.submission.vain import Vain
from tests.submission.film_library import (
    RECORDS,
    TABLE,
    Library,
    element,
    form,
    plan_for,
    run,
    select,
    weighted,
)

GENRES = ["Science fiction", "History", "Cookery", "Poetry"]
YEARS = {"y1": TABLE["year"], "y2": TABLE["year"]}


def year_range():
    return form(
        element("y1", range_role="from", range_with=1), element("y2", range_role="to", range_with=0)
    )


def dependent():
    return form(
        select("genre", GENRES),
        element("author", "select", disabled=True, neutral=None, depends_on=0),
    )


def bound(assignment):
    return [b.value for b in assignment.bindings]


def asked(a_form, table=None, library=None, **more):
    """The values of every submission, in order, and the library that answered."""
    library = library or Library(a_form)
    plan = plan_for(a_form, table, **more)
    given = [a for a in run(plan, library) if not a.discover]
    assert plan.exhausted
    return [bound(a) for a in given], library


def test_single_list_is_tried_value_by_value():
    sent, library = asked(form(select("genre", GENRES)))
    assert sent == [[g] for g in GENRES]
    assert len(library.seen) == 12


def test_options_the_table_knows_are_tried_first():
    sent, _ = asked(form(select("genre", GENRES)), {"genre": ["Poetry"]})
    assert [s[0] for s in sent] == ["Poetry", "Science fiction", "History", "Cookery"]


def test_several_lists_are_tried_one_at_a_time_as_nothing_is_cut_off():
    a_form = form(select("genre", GENRES), select("language", ["English", "French", "German"]))
    sent, library = asked(a_form)
    singles = [s for s in sent if len(s) == 1]
    assert sorted(singles) == sorted([g] for g in [*GENRES, "English", "French", "German"])
    assert sent[len(singles) :] == [["Science fiction", "English"]]  # the conjunction test
    assert len(library.seen) == 12


def test_conjunction_test_binds_two_elements_that_share_a_record():
    a_form = form(element("title"), select("year", ["1994", "2003", "2011"]))
    sent, _ = asked(a_form)
    assert sent[-1] == ["Glass", "1994"]
    assert sum(len(s) == 2 for s in sent) == 1


def test_preset_without_open_choice_is_varied_not_multiplied():
    radio = element("format", "radio", ["Paper", "E-book", "Audio"], default="Paper", neutral=None)
    sent, library = asked(form(radio))
    assert sent == [["Paper"], ["E-book"], ["Audio"]]
    assert len(library.seen) == 12


def test_nothing_stays_hidden_behind_a_preset_when_the_text_is_needed():
    radio = element("format", "radio", ["Paper", "E-book", "Audio"], default="Paper", neutral=None)
    a_form = form(element("title"), radio)
    _, library = asked(a_form, None, Library(a_form, needs=("title",)))
    assert library.seen == {"1", "2", "3", "6"}


def test_text_is_not_asked_for_again_when_the_preset_element_told_all():
    radio = element("format", "radio", ["Paper", "E-book", "Audio"], default="Paper", neutral=None)
    sent, library = asked(form(element("title"), radio))
    assert len(library.seen) == 12
    assert len(sent) == 4


def test_required_element_is_always_bound():
    a_form = form(element("title", required=True), select("genre", GENRES))
    sent, _ = asked(a_form)
    assert sent == [["Glass"], ["Salt"], ["Moons"], ["Brass"]]


def test_two_required_elements_are_bound_together():
    a_form = form(element("title", required=True), select("language", ["English"], required=True))
    sent, _ = asked(a_form)
    assert sorted(sent) == sorted([t, "English"] for t in TABLE["title"])


def test_required_element_without_value_ends_the_plan_with_its_label():
    plan = plan_for(form(element("code", required=True), select("genre", GENRES)))
    assert plan.next() == ()
    assert plan.stop_reason == "no value for a required element: Code"


def test_element_the_site_asks_for_is_bound_from_then_on():
    a_form = form(select("genre", GENRES), element("title"))
    plan = plan_for(a_form)
    first = plan.next()[0]
    assert first.template == (0,)
    plan.record(Outcome(first.template, first.bindings, Verdict.INVALID, missing=(1,)))
    given = run(plan, Library(a_form, needs=("title",)))
    assert given
    assert all(1 in a.template for a in given)


def test_larger_templates_are_tried_when_no_element_is_accepted_alone():
    a_form = form(element("title"), element("author"))
    sent, library = asked(a_form, None, Library(a_form, needs=("title", "author")))
    pairs = [s for s in sent if len(s) == 2]
    assert len(sent) - len(pairs) == 6  # three refusals each
    assert pairs
    assert library.seen


def test_range_is_asked_for_as_a_whole_and_beyond_its_ends():
    sent, library = asked(year_range(), YEARS)
    assert sent == [["1987", "2021"], ["2021"], ["1987"]]
    assert len(library.seen) == 12


def test_range_that_is_cut_off_is_halved_until_each_part_is_whole():
    a_form = year_range()
    library = Library(a_form, cap=3)
    _, library = asked(a_form, YEARS, library)
    assert len(library.seen) == 12
    for names in library.sent:
        if "y1" in names and "y2" in names:
            assert int(names["y1"][0]) <= int(names["y2"][0])


def test_range_is_followed_beyond_the_table():
    a_form = year_range()
    table = {"y1": ["2000", "2010"], "y2": ["2000", "2010"]}
    _, library = asked(a_form, table, Library(a_form, cap=2))
    assert len(library.seen) == 12


def test_cut_off_answers_are_narrowed_only_by_values_cut_off_themselves():
    a_form = form(select("genre", GENRES), select("language", ["English", "French"]))
    sent, library = asked(a_form, None, Library(a_form, cap=5))
    assert len(library.seen) == 12
    assert sum(len(s) == 2 for s in sent) == 1  # English is cut off, but every genre is whole


def big_library():
    """3,000 records; 12 genres, 5 formats and 30 years, all independent."""
    return [
        {
            "id": str(i),
            "title": f"Book {i}",
            "genre": f"Genre {i % 12}",
            "format": f"Format {i * 7 // 12 % 5}",
            "year": 1980 + (i * 31) % 30,
        }
        for i in range(3000)
    ]


@pytest.mark.parametrize("tells_total", [True, False])
def test_capped_site_is_harvested_by_narrowing(tells_total):
    a_form = form(
        select("genre", [f"Genre {i}" for i in range(12)]),
        select("format", [f"Format {i}" for i in range(5)]),
        select("year", [str(y) for y in range(1980, 2010)]),
    )
    library = Library(a_form, big_library(), cap=50, tells_total=tells_total)
    sent, library = asked(a_form, {}, library, budget=1000)
    assert len(library.seen) >= 0.95 * 3000
    assert len(sent) < 500


def test_partial_filling_brings_more_records_than_full_filling():
    a_form = form(element("title"), select("genre", GENRES), select("language", ["English"]))
    _, harvest = asked(a_form, budget=8)
    _, paper = asked(a_form, budget=8, order="paper")
    assert len(harvest.seen) >= 1.5 * len(paper.seen)


def test_pairs_of_dependent_lists_are_asked_for_once_their_domain_is_read():
    a_form = dependent()
    library = Library(a_form, children={"author": "genre"})
    plan = plan_for(a_form)
    given = run(plan, library)
    submissions = [a for a in given if not a.discover]
    assert len(submissions) == 7
    assert [bound(a) for a in given if a.discover] == [[g] for g in GENRES]
    assert len(library.seen) == 12
    valid = {(r["genre"], r["author"]) for r in RECORDS}
    assert {tuple(bound(a)) for a in submissions} <= valid


def test_parent_alone_is_asked_for_when_the_child_may_stay_open():
    child = element("author", "select", disabled=True, neutral="", depends_on=0)
    a_form = form(select("genre", GENRES), child)
    sent, _ = asked(a_form, None, Library(a_form, children={"author": "genre"}))
    assert sent == [[g] for g in GENRES]


def test_a_child_that_the_site_asks_for_is_bound_though_it_may_stay_open():
    child = element("author", "select", disabled=True, neutral="", depends_on=0)
    a_form = form(select("genre", GENRES), child)
    library = Library(a_form, children={"author": "genre"}, needs=("genre", "author"))
    sent, _ = asked(a_form, None, library)
    assert len([values for values in sent if len(values) == 1]) == 1
    assert len(library.seen) == 12
    assert {tuple(pair) for pair in sent[1:]} <= {(r["genre"], r["author"]) for r in RECORDS}


def test_child_that_cannot_be_read_is_left_alone():
    plan = plan_for(dependent())
    first = plan.next()[0]
    assert first.discover
    plan.record(Outcome(first.template, first.bindings, Verdict.ERROR, sent=False, discover=True))
    assert bound(plan.next()[0]) == ["Science fiction"]
    assert plan.submitted == 1


def three_levels():
    """Child before parent on the page, and a grandchild."""
    return form(
        element("author", "select", disabled=True, neutral=None, depends_on=1),
        select("genre", GENRES),
        element("title", "select", disabled=True, neutral=None, depends_on=0),
    )


def test_chain_of_three_lists_is_set_parent_first():
    a_form = three_levels()
    library = Library(a_form, children={"author": "genre", "title": "author"})
    given = run(plan_for(a_form, {}), library)
    submissions = [a for a in given if not a.discover]
    assert all([b.element for b in a.bindings] == [1, 0, 2] for a in submissions)
    assert len(submissions) == 12
    assert len(library.seen) == 12


def test_domain_that_was_not_read_with_the_others_is_not_asked_for_again():
    a_form = three_levels()
    library = Library(a_form, children={"author": "genre"})
    given = run(plan_for(a_form, {}), library, most=100)
    assert len([a for a in given if a.discover]) < 20
    assert all(len(a.bindings) == 2 for a in given if not a.discover)


def test_discovering_costs_no_budget():
    a_form = dependent()
    library = Library(a_form, children={"author": "genre"})
    run(plan_for(a_form, budget=3), library)
    assert len(library.sent) == 3


def test_several_choices_are_tried_singly_then_two_at_once_as_a_test():
    a_form = form(element("genre", "select", GENRES, multiple=True))
    sent, library = asked(a_form)
    assert sent == [*([g] for g in GENRES), ["Science fiction", "Poetry"]]
    assert len(library.seen) == 12


def test_suggestions_are_tried_before_values_of_the_table_alone():
    a_form = form(element("genre", suggestions=tuple(GENRES)))
    sent, _ = asked(a_form, {"genre": ["Drama", "Poetry"]})
    assert sorted(s[0] for s in sent[:4]) == sorted(GENRES)
    assert sent[4:] == [["Drama"]]


def test_choice_that_says_all_is_submitted_once_at_the_end():
    all_or_one = element("genre", "select", ["Science fiction"], neutral="*", default="*")
    sent, _ = asked(form(all_or_one))
    assert sent == [["Science fiction"], []]
    only_all = element("genre", "select", neutral="all", default="all")
    assert asked(form(only_all))[0] == [[]]


def test_open_query_is_not_sent_past_a_required_element():
    all_or_one = element("genre", "select", ["Science fiction"], neutral="*", default="*")
    sent, _ = asked(form(element("title", required=True), all_or_one))
    assert [] not in sent


def test_empty_open_choice_is_not_submitted():
    assert [] not in asked(form(select("genre", GENRES)))[0]


def test_values_below_the_least_rank_are_not_sent():
    plan = plan_for(form(element("title")), {"title": {"Glass": 0.9, "Salt": 0.5}}, rho_min=0.6)
    assert [bound(a) for a in plan.next(5)] == [["Glass"]]


def test_element_whose_answers_do_not_differ_is_dropped():
    a_form = form(select("order", [f"by {i}" for i in range(30)]), element("title"))
    sent, _ = asked(a_form)
    assert sum(s[0].startswith("by ") for s in sent if len(s) == 1) <= 4


def test_row_that_finds_nothing_is_left():
    a_form = form(element("title"), element("author"))
    table = {"title": [f"no such {i}" for i in range(60)], "author": TABLE["author"]}
    plan = plan_for(a_form, table)
    given = run(plan, Library(a_form))
    assert sum(b.startswith("no such") for a in given for b in bound(a)) == 8
    assert plan.stop_reason == "gain below threshold"


def test_huge_list_tries_what_the_table_knows_first_and_is_left_when_the_rest_finds_nothing():
    towns = [f"Town {i}" for i in range(20_000)]
    known = towns[17::1700][:12]
    a_form = form(select("town", towns, open_choice=False))
    library = Library(a_form, [{"id": town, "town": town} for town in known])
    plan = plan_for(a_form, {"town": known}, budget=50)
    given = run(plan, library)
    assert {bound(a)[0] for a in given[:12]} == set(known)
    assert (len(given), plan.stop_reason) == (12 + 15, "gain below threshold")


def test_task_values_take_turns_with_one_another():
    a_form = form(element("title"), element("author"))
    plan = plan_for(a_form)
    assert {a.template for a in plan.next(2)} == {(0,), (1,)}


def test_paper_order_binds_every_element_strictly_by_rank():
    table = {"title": {"Glass": 1.0, "Salt": 0.7}, "author": {"Ida": 0.9, "Omar": 0.6}}
    plan = plan_for(form(element("title"), element("author"), element("x")), table, order="paper")
    given = plan.next(10)
    assert [a.rank for a in given] == [0.9, 0.7, 0.6, 0.6]
    assert all(a.template == (0, 1) for a in given)


def test_paper_order_sends_no_crossed_range_and_no_crossed_pair():
    sent, _ = asked(year_range(), YEARS, order="paper")
    assert len(sent) == 12 * 13 // 2
    assert all(low <= high for low, high in sent)
    a_form = dependent()
    sent, library = asked(
        a_form, None, Library(a_form, children={"author": "genre"}), order="paper"
    )
    assert len(sent) == 7
    assert len(library.seen) == 12


def test_budget_counts_what_is_under_way():
    plan = plan_for(form(select("genre", GENRES)), budget=3)
    assert len(plan.next(10)) == 3
    assert plan.stop_reason == ""
    assert not plan.exhausted


def test_assignment_that_was_not_sent_costs_nothing_and_does_not_come_again():
    plan = plan_for(form(select("genre", GENRES)), budget=3)
    first = plan.next()[0]
    plan.record(Outcome(first.template, first.bindings, Verdict.INVALID, sent=False))
    following = plan.next(10)
    assert len(following) == 3
    assert first not in following


def test_blocked_assignment_is_offered_again_after_the_others():
    plan = plan_for(form(select("genre", GENRES)))
    first = plan.next()[0]
    plan.record(Outcome(first.template, first.bindings, Verdict.BLOCKED))
    given = run(plan, Library(form(select("genre", GENRES))))
    assert [bound(a) for a in given][-1] == bound(first)
    assert len(given) == 4


FORMS = {
    "three levels": (three_levels, {}),
    "lists": (
        lambda: form(select("genre", GENRES), select("language", ["English", "French"])),
        None,
    ),
    "range": (year_range, YEARS),
    "dependent": (dependent, None),
    "preset": (
        lambda: form(element("title"), select("format", ["Paper", "Audio"], open_choice=False)),
        None,
    ),
}


@pytest.mark.parametrize("order", ["harvest", "paper"])
@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=20)
@given(cap=st.sampled_from([2, 5, 100]), cut=st.integers(0, 20))
def test_plan_fed_with_the_outcomes_goes_on_as_the_unbroken_one(order, name, cap, cut):
    make, table = FORMS[name]
    a_form = make()
    library = Library(a_form, cap=cap, children={"author": "genre", "title": "author"})
    plan, outcomes, given = plan_for(a_form, table, order=order), [], []
    while following := plan.next():
        given.append(following[0])
        outcomes.append(library.answer(following[0]))
        plan.record(outcomes[-1])
    resumed = plan_for(a_form, table, order=order)
    for outcome in outcomes[:cut]:
        resumed.record(outcome)
    for place, outcome in enumerate(outcomes[cut:], cut):
        assert resumed.next() == (given[place],)
        resumed.record(outcome)
    assert resumed.next() == ()
    assert resumed.stop_reason == plan.stop_reason


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_no_assignment_comes_twice_whatever_order_answers_arrive_in(name, seed):
    make, table = FORMS[name]
    a_form = make()
    draw = Random(seed)
    children = {"author": "genre", "title": "author"}
    library = Library(a_form, cap=draw.choice([2, 100]), children=children)
    plan, under_way, given = plan_for(a_form, table), [], []
    while True:
        following = plan.next(draw.randint(1, 4))
        given += following
        under_way += following
        if not under_way:
            break
        answered = under_way.pop(draw.randrange(len(under_way)))
        plan.record(library.answer(answered))
    keys = [a.key("f") for a in given]
    assert len(keys) == len(set(keys))
    assert plan.exhausted


def test_new_keys_tell_a_discovery_from_a_submission():
    plan = plan_for(dependent())
    found = plan.next()[0]
    assert found.key("f") != replace(found, discover=False).key("f")


WORDS = [
    "Glass",
    "Salt",
    "Moons",
    "Pain",
    "Atlas",
    "Brass",
    "Winter",
    "Debt",
    "Red",
    "Ponts",
    "Suns",
]


def two_boxes(first, second, words=WORDS):
    a_form = form(element(first), element(second))
    plan = Plan(a_form, element_values(a_form, dict.fromkeys((0, 1), weighted(words, "Title"))))
    return [
        (a_form.elements[a.bindings[0].element].name, bound(a)[0])
        for a in run(plan, Library(a_form))
        if len(a.bindings) == 1
    ]


def test_box_whose_answers_another_box_gives_as_well_is_left():
    words = ["Paper", *WORDS]  # a word of a title, and a format
    sent = two_boxes("title", "q", words)
    assert {value for name, value in sent if name == "q"} == set(words)
    assert sum(name == "title" for name, _ in sent) <= 4


def test_of_two_boxes_that_answer_alike_the_first_is_kept():
    sent = two_boxes("q", "title")
    assert {value for name, value in sent if name == "q"} == set(WORDS)
    assert sum(name == "title" for name, _ in sent) <= 7


def test_box_that_finds_what_the_other_does_not_is_kept():
    sent = two_boxes("title", "q", [*WORDS[:2], *TABLE["author"], *WORDS[2:]])
    assert {value for name, value in sent if name == "q"} >= set(TABLE["author"])


def fruitless_run(fruitless, seen=()):
    """Values in the order asked, when the site's other forms had none of `fruitless`."""
    a_form = form(element("title"))
    plan = plan_for(a_form, {"title": ["Travel", *WORDS, "Cooking"]})
    plan.put_off(Vain([("Title", value, False) for value in fruitless]))
    library = Library(a_form)
    library.seen |= set(seen)
    return [bound(a)[0] for a in run(plan, library)]


def test_values_that_other_forms_do_not_have_come_last():
    sent = fruitless_run(["Travel", "Cooking"])
    assert sent == [*WORDS, "Travel", "Cooking"]


def test_values_that_other_forms_do_not_have_are_left_where_nothing_new_shows():
    sent = fruitless_run(["Travel", "Cooking"], seen=[record["id"] for record in RECORDS])
    assert not {"Travel", "Cooking"} & set(sent)
    assert len(sent) >= 3


def shown_run(a_form, table, records, shown, **more):
    """Values in the order asked, when records of the site have shown `shown` beforehand."""
    plan = plan_for(a_form, table, **more)
    plan.show([{"text": text} for text in shown])
    library = Library(a_form, records)
    return [bound(a)[0] for a in run(plan, library)]


def named(names):
    return [{"id": str(at), "author": name} for at, name in enumerate(names)]


NAMES = [f"Author {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def test_values_that_records_of_the_site_show_are_asked_for_first():
    a_form = form(element("author"))
    sent = shown_run(a_form, {"author": NAMES}, named(NAMES), ["Author M", "by author c; 1990"])
    assert sent[:2] == ["Author C", "Author M"]
    assert sorted(sent) == NAMES


def test_values_that_no_record_shows_are_left_after_some_found_nothing():
    there = NAMES[::5]
    sent = shown_run(form(element("author")), {"author": NAMES}, named(there), there)
    assert sent[: len(there)] == there
    assert len(sent) == len(there) + 8


def test_without_records_that_show_values_the_plan_is_more_patient():
    sent = shown_run(form(element("author")), {"author": NAMES}, named(NAMES[::5]), ())
    assert sent == NAMES


def test_shown_values_are_tried_where_others_found_nothing():
    a_form = form(element("author"))
    plan = plan_for(a_form, {"author": NAMES})
    library = Library(a_form, named(["Author Z"]))
    for _ in range(8):
        plan.record(library.answer(plan.next()[0]))
    assert plan.stop_reason
    plan.show([{"text": "Author Z"}])
    assert bound(plan.next()[0]) == ["Author Z"]


def test_the_order_of_the_paper_minds_ranks_alone():
    sent = shown_run(form(element("author")), {"author": NAMES[:3]}, named(NAMES), ["Author C"],
                     order="paper")  # fmt: skip
    assert sent == NAMES[:3]


def test_value_that_another_element_was_asked_for_in_vain_comes_last():
    sent = two_boxes("title", "q", ["Nothing", *WORDS])
    assert ("title", "Nothing") in sent[:2]
    assert next(value for name, value in sent if name == "q") != "Nothing"


def test_values_that_find_but_the_records_that_showed_them_come_last():
    """Each year has one book: those of the books that are known bring nothing."""
    a_form = form(element("author"), element("year"))
    years = [str(year) for year in range(1990, 2014)]
    records = [
        {"id": str(at), "author": NAMES[at % 4], "year": int(year)} for at, year in enumerate(years)
    ]
    plan = plan_for(a_form, {"author": NAMES[:2], "year": years})
    library = Library(a_form, records)
    while assignments := plan.next():
        outcome = library.answer(assignments[0])
        plan.record(outcome)
        plan.show([{"year": str(r["year"])} for r in records if r["id"] in outcome.records])
    assert len(library.seen) == len(records)


def test_shown_values_come_first_when_the_site_asks_for_their_element():
    plan = plan_for(form(select("genre", GENRES), element("author")), {"author": NAMES})
    first = plan.next()[0]
    plan.show([{"text": "Author M"}])
    plan.record(Outcome(first.template, first.bindings, Verdict.INVALID, missing=(1,)))
    assert "Author M" in bound(plan.next()[0])


def test_a_box_that_finds_nothing_of_several_rows_is_left_sooner():
    a_form = form(element("q"))
    rows = ("Title", "Author", "Series")
    values = [v for row in rows for v in weighted([f"{row} {name}" for name in NAMES], row)]
    plan = Plan(a_form, element_values(a_form, {0: values}))
    sent = list(run(plan, Library(a_form, named(["Somebody"]))))
    assert 8 <= len(sent) <= 11


def test_a_template_whose_answers_are_in_vain_gets_fewer_turns_and_lets_others_in():
    a_form = form(element("title"), element("author"), select("genre", GENRES))
    table = {"title": [f"Nothing {letter}" for letter in NAMES], "author": NAMES, "genre": []}
    records = [{"id": str(at), "author": name, "title": "-"} for at, name in enumerate(NAMES)]
    sent = [a.template for a in run(plan_for(a_form, table), Library(a_form, records))][:12]
    assert sent.count((0,)) <= 3
    assert (2,) in sent[:6]
