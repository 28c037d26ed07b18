"""Forms of twenty purposes in twelve languages: what only reads is searched with, nothing else."""

from __future__ import annotations

import pytest

from hiwe.form.find import understand
from tests.form.purposes import OTHERS, SEARCHES, WORDS, purpose_forms

pytestmark = pytest.mark.browser

ONLY_SORTING = ("sorting", "page size")  # they change nothing; there is nothing to fill in either


@pytest.fixture(scope="module")
def read(show):
    """By language, purpose and manner: the form as it was understood."""
    forms = purpose_forms()
    apart = "".join(f"<section style=margin:150px>{html}</section>" for html, _ in forms.values())
    found = {f.dom_form: f for f in understand(show(apart)).forms}
    return {key: found[place] for place, key in enumerate(forms)}


def wrongly(read, purpose, *, searchable):
    return [
        f"{language}, {manner}: {form.score} {form.evidence}"
        for (language, what, manner), form in read.items()
        if what == purpose and form.searchable != searchable
    ]


@pytest.mark.parametrize("purpose", SEARCHES)
def test_what_asks_for_records_is_searched_with_in_each_language(read, purpose):
    assert len(WORDS) == 12
    assert wrongly(read, purpose, searchable=True) == []


@pytest.mark.parametrize("purpose", [p for p in OTHERS if p not in ONLY_SORTING])
def test_what_writes_or_answers_otherwise_is_not_searched_with(read, purpose):
    assert wrongly(read, purpose, searchable=False) == []


@pytest.mark.parametrize("purpose", ONLY_SORTING)
def test_a_form_that_only_sorts_or_pages_has_nothing_to_fill_in(read, purpose):
    told = [e for key, form in read.items() if key[1] == purpose for e in form.elements]
    assert len(told) == 2 * len(WORDS)
    assert [repr(e) for e in told if e.fillable] == []
