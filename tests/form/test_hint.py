"""The format of a date, as a page shows it near the box."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

pytestmark = pytest.mark.browser

PAGE = """<form action=/find>
  <p><label>From <input name=beside></label> <small>Format: DD.MM.YYYY</small></p>
  <p><label>Until <input name=below aria-describedby=h></label><br><i id=h>use MM/DD/YYYY</i></p>
  <p><label>Issued <input name=title title="tt-mm-jjjj"></label></p>
  <p><label>Printed <input name=preset value="31/12/1980"></label></p>
  <p><label>Bound <input name=own placeholder="yyyy-mm-dd"></label></p>
  <p style="margin-top:90px"><label>Words <input name=none></label> <small>a, b or c</small></p>
  <button>Search</button></form>"""


def test_a_format_near_a_text_box_is_its_hint(show):
    (form,) = find_forms(show(PAGE))
    assert {e.name: e.hint for e in form.elements} == {
        "beside": "dd.mm.yyyy",
        "below": "mm/dd/yyyy",
        "title": "tt-mm-jjjj",
        "preset": "31/12/1980",
        "own": "",
        "none": "",
    }
