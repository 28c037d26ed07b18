"""Forms of many kinds, ages and languages: each in a frame of its own, all in one page."""

from __future__ import annotations

from html import escape

import pytest

from hiwe.form.find import find_forms, understand
from tests.form.odd_forms import ODD_FORMS

pytestmark = pytest.mark.browser


def framed(documents):
    """One page with a frame for each document."""
    return "".join(
        f'<iframe width=1000 height=420 srcdoc="{escape("<!doctype html>" + d)}"></iframe>'
        for d in documents
    )


def told(page):
    """By frame: what each field and each box ('name=value') is called."""
    found = {}
    elements = [e for form in understand(page).forms for e in form.elements]
    for element in elements:
        names = found.setdefault(page.controls[element.controls[0]].frame, {})
        names[element.name] = element.label
        if element.kind in ("radio", "checkbox"):
            boxes = (*element.options, *element.captions)
            names.update({f"{element.name}={o.value}": o.label for o in boxes})
        if element.kind in ("radio", "checkbox") and len(element.options) == 1:
            names[element.name] = element.options[0].label
    return found


@pytest.fixture(scope="module")
def calls(show):
    page = show(framed(html for html, _ in ODD_FORMS.values()))
    assert len(find_forms(page)) > 0
    found = told(page)
    return {name: found.get(i, {}) for i, name in enumerate(ODD_FORMS, 1)}


@pytest.mark.parametrize("name", ODD_FORMS)
def test_an_odd_form_is_read_as_a_person_reads_it(calls, name):
    _, expected = ODD_FORMS[name]
    given = {key: calls[name].get(key, "") for key in expected}
    assert given == expected
