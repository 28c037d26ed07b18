"""When a template is left, and that each short list is tried."""

from __future__ import annotations

import pytest

from hiwe.response.response import Verdict
from hiwe.submission.bandit import NOTHING_NEW, PATIENCE_UNSENT, Arm
from hiwe.submission.outcome import Outcome
from tests.submission.film_library import element, form, plan_for, select


def answered(arm, number, *, new):
    for at in range(number):
        keys = frozenset({f"{at}-{new}"})
        arm.add(Outcome((), (), Verdict.RESULTS, records=keys, new_records=new))
    return arm


def test_what_never_brings_anything_new_is_left_soon():
    assert answered(Arm(), 7, new=0).verdict(listed=False) == ""
    assert answered(Arm(), 8, new=0).verdict(listed=False) == NOTHING_NEW


def test_what_once_brought_something_new_has_more_patience():
    arm = answered(answered(Arm(), 3, new=2), 19, new=0)
    assert arm.verdict(listed=False) == ""
    assert answered(arm, 1, new=0).verdict(listed=False) == NOTHING_NEW


@pytest.mark.parametrize(("size", "tried"), [(5, True), (400, False)])
def test_a_short_list_is_tried_while_the_task_s_own_values_last(size, tried):
    a_form = form(element("title"), select("state", [f"state {n}" for n in range(size)]))
    plan = plan_for(a_form, {"title": [f"word {n}" for n in range(40)]})
    given = []
    for _ in range(8):
        (assignment,) = plan.next(1)
        given.append(assignment.template)
        records = frozenset({f"{len(given)}-{n}" for n in range(9)})
        plan.record(
            Outcome(
                assignment.template,
                assignment.bindings,
                Verdict.RESULTS,
                records=records,
                new_records=9,
            )
        )
    assert ((1,) in given) is tried


def test_an_element_that_cannot_be_filled_is_left_for_the_others():
    a_form = form(element("title"), element("author"))
    plan = plan_for(a_form, {"title": [f"t{n}" for n in range(40)], "author": ["a", "b"]})
    given = []
    while following := plan.next(1):
        template, bindings = following[0].template, following[0].bindings
        given.append(template)
        sent = template != (0,)
        found = frozenset({str(len(given))}) if sent else frozenset()
        verdict = Verdict.RESULTS if sent else Verdict.ERROR
        plan.record(Outcome(template, bindings, verdict, found, len(found), sent=sent))
    assert given.count((0,)) == PATIENCE_UNSENT
    assert given.count((1,)) == 2
