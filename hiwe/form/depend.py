"""Elements whose domain another element's choice fills: maker and model, country and city."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.form import Element

LIST_KINDS = frozenset({"select", "listbox", "combobox"})


def with_parents(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements of a form with `depends_on` set where a snapshot shows it.

    A list without any value waits for the nearest list before it that a person chooses from; of
    several such lists in a row each waits for the one before. What a script would tell besides is
    not looked at.
    """
    found: list[Element] = []
    before: int | None = None
    for place, element in enumerate(elements):
        waits = _waits(element) and before is not None
        found.append(replace(element, depends_on=before) if waits else element)
        if waits or (element.fillable and element.is_finite and not element.disabled):
            before = place
    return tuple(found)


def _waits(element: Element) -> bool:
    """A list that offers nothing but a caption; one that is closed may show 'all'."""
    if element.kind not in LIST_KINDS or element.options or not element.fillable:
        return False
    return element.disabled or not element.default
