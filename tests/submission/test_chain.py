"""Identity of forms that show only after others."""

from __future__ import annotations

from dataclasses import replace

from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.chain import Step, chain_fingerprint, may_go_on
from tests.submission import film_library as library

FIRST = library.form(library.select("g", ["Poetry", "History"]))
SECOND = library.form(library.element("a"))


def step(value):
    return Step(FIRST, ValueAssignment((Binding(0, value, 1.0),), 1.0))


def test_a_form_without_steps_keeps_its_fingerprint():
    assert chain_fingerprint(SECOND, ()) == SECOND.fingerprint


def test_another_way_to_a_form_makes_another_form():
    ways = [(), (step("Poetry"),), (step("History"),), (step("Poetry"), step("Poetry"))]
    assert len({chain_fingerprint(SECOND, way) for way in ways}) == len(ways)


def test_the_same_way_leads_to_the_same_form():
    one, other = (chain_fingerprint(SECOND, (step("Poetry"),)) for _ in range(2))
    assert one == other


def test_a_step_needs_less_evidence_but_no_form_that_writes_is_one():
    undecided = replace(FIRST, searchable=False, reason="not_search", score=0.35)
    assert may_go_on(FIRST)
    assert may_go_on(undecided)
    assert not may_go_on(replace(undecided, score=0.2))
    for reason in ("login", "contact", "order", "cart", "register"):
        assert not may_go_on(replace(undecided, reason=reason, score=0.49))
