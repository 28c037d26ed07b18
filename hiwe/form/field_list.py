"""Boxes that a list beside them gives their meaning: '[Author] [contains] [______]'.

Catalogues, registers and database fronts let a person choose the field first and type the value
beside it. The list is no value by itself, and the box has no label of its own. Which lists name
fields, their options tell; that is for the caller to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.operators import are_comparisons, wider_operator

if TYPE_CHECKING:
    from hiwe.form.form import Element, Form

TEXT_KINDS = frozenset({"text", "search"})
LIST_KINDS = frozenset({"select", "radio", "listbox", "combobox"})
LEAST_OVERLAP = 0.5  # of the lower one's height, for two elements to stand in one row


@dataclass(frozen=True, slots=True)
class FieldList:
    """Positions of a list of fields, of the box it speaks for, and of the operator between.

    `widest` is the operator's choice that finds most where its default asks for the exact value.
    """

    fields: int
    box: int
    operator: int | None = None
    widest: int | None = None


def may_name_fields(element: Element) -> bool:
    """A list of which one choice is taken; boxes to tick and lists for several are values."""
    single = element.kind in LIST_KINDS and not element.multiple and len(element.options) > 1
    return single and element.role == "value" and element.fillable and element.depends_on is None


def is_compared(form: Form, at: int) -> bool:
    """Whether an operator follows a list: its choice is what is compared, whatever it is called."""
    return at + 1 < len(form.elements) and _compares(form.elements[at + 1])


def may_be_spoken_for(element: Element) -> bool:
    """A box for any text."""
    free = element.kind in TEXT_KINDS and element.fillable and element.role == "value"
    return free and not element.range_role and not element.suggestions


def field_lists(form: Form, lists: frozenset[int], boxes: frozenset[int]) -> tuple[FieldList, ...]:
    """Pair lists of fields with boxes, each used once: neighbours in one row, then any neighbours.

    `lists` and `boxes` are the positions that come into question; what compares, sorts or pages
    may stand between them, an element with values of its own may not.
    """
    rest = [at for at, e in enumerate(form.elements) if e.fillable and e.role == "value"]
    found: list[FieldList] = []
    for in_one_row in (True, False):
        kept: list[int] = []
        for at in rest:
            before = kept[-1] if kept else at
            pair = (before, at) if before in lists else (at, before)
            apart = in_one_row and not _in_one_row(form.elements[before], form.elements[at])
            if pair[0] in lists and pair[1] in boxes and not apart:
                kept.pop()
                found.append(_field_list(form, *pair))
            else:
                kept.append(at)
        rest = kept
    return tuple(sorted(found, key=lambda one: min(one.fields, one.box)))


def _in_one_row(one: Element, other: Element) -> bool:
    top = max(one.box.y, other.box.y)
    bottom = min(one.box.y + one.box.h, other.box.y + other.box.h)
    return bottom - top >= LEAST_OVERLAP * min(one.box.h, other.box.h)


def _field_list(form: Form, fields: int, box: int) -> FieldList:
    """With the operator between the two, or right behind them."""
    first, last = sorted((fields, box))
    between = [*range(first + 1, last), last + 1]
    for at in between:
        if at < len(form.elements) and _compares(form.elements[at]):
            return FieldList(fields, box, at, _widest(form.elements[at]))
    return FieldList(fields, box)


def _compares(element: Element) -> bool:
    operator = element.role == "operator" and element.visible
    return operator and are_comparisons([option.label for option in element.options])


def _widest(operator: Element) -> int | None:
    choices = (*operator.captions, *operator.options)
    chosen = next((o.label for o in choices if o.value == operator.default), "")
    return wider_operator([option.label for option in operator.options], chosen)
