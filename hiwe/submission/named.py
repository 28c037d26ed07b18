"""An assignment as a person says it: elements by their labels, values by their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.errors import UsageError
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiwe.form.form import Element, Form

MOST_NAMED = 20  # choices that an error names


def assignment_of(form: Form, values: Mapping[str, str]) -> ValueAssignment:
    """The assignment that sets elements, by label, name or id, to values.

    UsageError names what the form does not have, and what it has.
    """
    return ValueAssignment(tuple(_binding(form, who, value) for who, value in values.items()), 1.0)


def _binding(form: Form, who: str, value: str) -> Binding:
    found = (at for at, element in enumerate(form.elements) if _is_called(element, who))
    position = next(found, None)
    if position is None:
        known = ", ".join(e.label or e.name or e.id for e in form.elements)
        raise UsageError(f"the form has no element {who!r}; it has {known}")
    options = form.elements[position].options
    for place, option in enumerate(options):
        if value == option.value or fold(value) == fold(option.label):
            return Binding(position, option.label, 1.0, option=place)
    if options:
        known = ", ".join(option.label for option in options[:MOST_NAMED])
        raise UsageError(f"{who!r} has no choice {value!r}; it has {known}")
    return Binding(position, value, 1.0)


def _is_called(element: Element, who: str) -> bool:
    return who in (element.name, element.id) or fold(who) == fold(element.label)
