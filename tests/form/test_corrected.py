"""A form with a person's corrections laid over it: places and fingerprint stay as found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.form.corrected import SAID_SO, corrected, element_key, hints_at, pressed_again, unmet
from hiwe.form.form import Submitter
from hiwe.submission.again import find_again
from hiwe.submission.chain import sent_identity
from hiwe.task.hints import ElementHints, FormHints
from tests.submission.film_library import element, form, select

FIND = Submitter(1, "submit", "Find films", "go", "1", "/find", "GET", "f")
LIKE = Submitter(2, "submit", "Any film", "any", "1", "/any", "GET", "")


def said(**more):
    return FormHints(form="f", **more)


def test_nothing_said_changes_nothing():
    a_form = form(element("q"))
    assert corrected(a_form, said()) is a_form


def test_a_label_is_replaced_and_the_one_found_is_kept_as_runner_up():
    a_form = form(element("d", label="Name"), element("t"))
    changed = corrected(a_form, said(elements={"d": ElementHints(label="Director")}))
    assert [(e.label, e.label_source, e.runner_up) for e in changed.elements] == [
        ("Director", "person", "Name"),
        ("T", "for", ""),
    ]
    assert changed.fingerprint == a_form.fingerprint


def test_a_decision_is_a_persons():
    a_form = form(element("q"))
    assert a_form.searchable
    changed = corrected(a_form, said(search=False))
    assert (changed.searchable, changed.reason) == (False, SAID_SO)


@pytest.mark.parametrize("called", ["any film", "any"])
def test_the_chosen_button_comes_first_here_and_where_the_form_is_met_again(called):
    a_form = replace(form(element("q")), submitters=(FIND, LIKE))
    changed = corrected(a_form, said(submitter=called))
    assert [s.text for s in changed.submitters] == ["Any film", "Find films"]
    there = replace(a_form, submitters=(FIND, replace(LIKE, control=7)))
    assert find_again(changed, (there,)).submitters[0] == replace(LIKE, control=7, chosen=True)
    assert find_again(a_form, (there,)).submitters[0] == FIND
    assert pressed_again(changed, replace(there, submitters=(FIND,))).submitters == (FIND,)


def test_what_another_button_sends_is_another_submission():
    a_form = replace(form(element("q")), submitters=(FIND, LIKE))
    chosen = corrected(a_form, said(submitter="f"))
    other = corrected(a_form, said(submitter="any"))
    assert sent_identity(a_form, ()) == a_form.fingerprint
    assert len({sent_identity(one, ()) for one in (a_form, chosen, other)}) == 3


def test_elements_are_called_by_name_id_or_place():
    a_form = form(element("q"), replace(element("x"), name=""), element("q"))
    assert [element_key(a_form, at) for at in range(3)] == ["#0", "x", "#2"]
    hints = {key: ElementHints(label=key) for key in ("q", "x", "#2")}
    found = hints_at(a_form, said(elements=hints))
    assert [found[at].label for at in range(3)] == ["q", "x", "#2"]


@pytest.mark.parametrize(
    ("found", "ban", "default"),
    [
        (select("f", ["Paper", "Audio"], open_choice=False), ["paper"], "Audio"),
        (replace(select("f", ["Paper", "Audio"]), default="Paper"), ["Paper"], ""),
        (element("t", default="Unknown"), ["unknown"], ""),
        (element("b", "checkbox", ["x", "y"], multiple=True, default="x\ny"), ["x"], "y"),
    ],
)
def test_a_banned_default_is_set_to_something_else(found, ban, default):
    changed = corrected(form(found), said(elements={found.name: ElementHints(ban=tuple(ban))}))
    assert (changed.elements[0].default, changed.elements[0].is_reset) == (default, True)


def test_a_default_that_is_not_banned_stays():
    found = select("f", ["Paper", "Audio"], open_choice=False)
    changed = corrected(form(found), said(elements={"f": ElementHints(ban=("Audio",))}))
    assert changed.elements[0] == found
    alone = select("f", ["Paper"], open_choice=False)
    changed = corrected(form(alone), said(elements={"f": ElementHints(ban=("Paper",))}))
    assert changed.elements[0] == alone, "there is nothing else to send"


def test_what_is_not_there_is_told():
    a_form = replace(form(element("q")), submitters=(FIND,))
    hints = said(submitter="Seek", elements={"z": ElementHints(label="Z"), "q": ElementHints()})
    assert list(unmet(a_form, hints)) == [
        "there is no element z",
        "no button is called Seek",
    ]
