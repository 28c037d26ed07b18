"""Find a form again: pages are opened anew for each assignment, elements keep their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.corrected import pressed_again

if TYPE_CHECKING:
    from hiwe.form.form import Element, Form

LEAST_LIKENESS = 0.5  # share of elements in common, to take one form for another


def find_again(form: Form, forms: tuple[Form, ...]) -> Form | None:
    """The form of a fresh page that is `form`: same fingerprint, else same target and names.

    The button that a person chose comes first, as in `form`.
    """
    found = _same(form, forms) or _likeliest(form, forms)
    return None if found is None else pressed_again(form, found)


def _same(form: Form, forms: tuple[Form, ...]) -> Form | None:
    same = [other for other in forms if other.fingerprint == form.fingerprint]
    in_place = (other for other in same if other.index == form.index)
    return next(in_place, None) or next(iter(same), None)


def _likeliest(form: Form, forms: tuple[Form, ...]) -> Form | None:
    likeliest = max(forms, key=lambda other: _likeness(form, other), default=None)
    found = likeliest is not None and _likeness(form, likeliest) >= LEAST_LIKENESS
    return likeliest if found else None


def _likeness(one: Form, other: Form) -> float:
    """Share of elements in common, 0 for another method or target."""
    if one.method != other.method or one.action.split("?")[0] != other.action.split("?")[0]:
        return 0.0
    ours = {(e.name, e.id) for e in one.elements}
    theirs = {(e.name, e.id) for e in other.elements}
    return len(ours & theirs) / max(1, len(ours | theirs))


def match_elements(form: Form, found: Form) -> dict[int, Element]:
    """For each element of `form` its like in `found`, the same form met again."""
    same = form.fingerprint == found.fingerprint and len(form.elements) == len(found.elements)
    if same:
        return dict(enumerate(found.elements))
    left = list(found.elements)
    matched: dict[int, Element] = {}
    for place, element in enumerate(form.elements):
        like = max(left, key=lambda other: _sameness(element, other), default=None)
        if like is not None and _sameness(element, like) > 0:
            matched[place] = like
            left.remove(like)
    return matched


def _sameness(one: Element, other: Element) -> int:
    """How surely two elements are the same: by name, id and label; 0 for another name."""
    if one.name and one.name != other.name:
        return 0
    same_id = one.id != "" and one.id == other.id
    same_name = one.name != "" and one.name == other.name
    return 4 * same_name + 2 * same_id + (one.label == other.label and one.label != "")
