"""Find the forms of a page and understand them: elements, labels, submitters, decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.build import Members, build_elements, build_form
from hiwe.form.formless import formless_groups
from hiwe.form.merge import merge_copies
from hiwe.form.sight import Sight

if TYPE_CHECKING:
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
    owned: dict[int, list[Control]] = {form.index: [] for form in page.forms}
    for control in page.controls:
        if control.form is not None:
            owned[control.form].append(control)
    members = [Members(tuple(owned[form.index]), form) for form in page.forms]
    groups, loose = formless_groups(sight)
    members += [Members(group, None) for group in groups]
    forms = tuple(build_form(i, m, sight) for i, m in enumerate(members))
    return Understanding(forms, build_elements(loose, sight))


