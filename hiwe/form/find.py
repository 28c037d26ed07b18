"""Find the forms of a page and understand them: elements, labels, submitters, decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.build import Members, build_elements, build_form, sketch_form
from hiwe.form.feature import features
from hiwe.form.formless import formless_groups
from hiwe.form.merge import merge_copies
from hiwe.form.sight import Sight

if TYPE_CHECKING:
    from hiwe.form.feature import Sketch
    from hiwe.form.form import Element, Form
    from hiwe.page.page import Control, Page


@dataclass(frozen=True, slots=True)
class Understanding:
    """All that a page's controls are taken for: every copy of a form, and what is in no form."""

    forms: tuple[Form, ...]
    outside: tuple[Element, ...]


def find_forms(page: Page) -> tuple[Form, ...]:
    """All forms of a page, copies merged, searchable or not, in the order of the page."""
    return merge_copies(understand(page).forms)


def understand(page: Page) -> Understanding:
    """Every form of a page with its copies, and the elements that belong to no form."""
    sight = Sight.of(page)
    members, loose = _members(sight)
    forms = tuple(build_form(i, m, sight) for i, m in enumerate(members))
    return Understanding(forms, build_elements(loose, sight))


def understand_sketches(page: Page) -> dict[int, tuple[Sketch, frozenset[str]]]:
    """By place in `document.forms` what the decision looks at, and the features it finds there."""
    sight = Sight.of(page)
    found: dict[int, tuple[Sketch, frozenset[str]]] = {}
    for members in _members(sight)[0]:
        if members.dom is not None and members.dom.dom_index is not None:
            sketch = sketch_form(members, sight)
            found[members.dom.dom_index] = (sketch, features(sketch))
    return found


def _members(sight: Sight) -> tuple[list[Members], tuple[Control, ...]]:
    """The controls of each form and of each formless group; the fields that are in none."""
    owned: dict[int, list[Control]] = {form.index: [] for form in sight.page.forms}
    for control in sight.page.controls:
        if control.form is not None:
            owned[control.form].append(control)
    members = [Members(tuple(owned[form.index]), form) for form in sight.page.forms]
    groups, loose = formless_groups(sight)
    return members + [Members(group, None) for group in groups], loose
