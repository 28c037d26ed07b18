"""What to set in a form for one assignment: live controls and wanted choices, parents first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hiwe.lvs.dates import date_format, parse_date
from hiwe.submission.submission import Fill
from hiwe.submission.values import parent_of
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.form.form import Element, Form
    from hiwe.page.page import Option
    from hiwe.submission.assignment import Binding, ValueAssignment

DATED = frozenset({"text", "search"})  # kinds that a calendar may stand behind


@dataclass(frozen=True, slots=True)
class Item:
    """One element to set: its live controls and the wanted choices or text."""

    element: int
    controls: tuple[int, ...]
    kind: str
    values: tuple[tuple[str, str, int], ...]  # label or text, value sent, control
    day: str = ""  # of a text that names one: yyyy-mm-dd

    def to_json(self) -> dict[str, Any]:
        """What the page function takes."""
        values = [{"label": label, "value": v, "control": c} for label, v, c in self.values]
        return {
            "element": self.element,
            "controls": list(self.controls),
            "kind": self.kind,
            "values": values,
            "day": self.day,
        }


def levels_for(
    form: Form, elements: Mapping[int, Element], assignment: ValueAssignment
) -> tuple[list[list[Item]], list[Fill]]:
    """What to set, parents in a level before their children; and what cannot be set at all.

    `elements` are the elements of `form` (by position) as the page has them now. What came with
    another choice than when the form was found, and is not bound, is set back first.
    """
    bound: dict[int, list[Binding]] = {}
    for binding in assignment.bindings:
        bound.setdefault(binding.element, []).append(binding)
    levels: dict[int, list[Item]] = {0: resets(form, elements, bound)}
    lost = []
    for place in sorted(bound):
        element = elements.get(place)
        wanted = "\n".join(b.value for b in bound[place])
        if element is None:
            lost.append(Fill(place, wanted, "", False, "gone"))
        elif not element.fillable or not element.visible:
            lost.append(Fill(place, wanted, "", False, "not_fillable"))
        else:
            item = _item(place, form.elements[place], element, bound[place], form.language)
            levels.setdefault(_depth(form, place, bound), []).append(item)
    return [levels[depth] for depth in sorted(levels) if levels[depth] or depth == 0], lost


def _depth(form: Form, place: int, bound: Mapping[int, object]) -> int:
    """How many bound elements must be set before this one."""
    depth, parent = 0, parent_of(form, place)
    for _ in form.elements:
        if parent is None:
            break
        depth += parent in bound
        parent = parent_of(form, parent)
    return depth


def _item(
    place: int, known: Element, element: Element, bindings: Sequence[Binding], language: str
) -> Item:
    values = []
    for binding in bindings:
        option = _option(known, element, binding)
        if option is not None:
            values.append((option.label, option.value, option.control))
        else:
            values.append((binding.value, "", -1))
    day = _day(element, values[0][0], language) if element.kind in DATED else ""
    return Item(place, element.controls, element.kind, tuple(values), day)


def _day(element: Element, text: str, language: str) -> str:
    """The day that a text names in the format of its box, '' if it names none."""
    pattern = date_format(element.placeholder or element.hint, element.label_text or element.label)
    try:
        found = datetime.strptime(text, pattern).date() if pattern else None
    except ValueError:
        found = None
    found = found or (parse_date(text, language) if re.search(r"\d{2}", text) else None)
    return found.isoformat() if found else ""


def _option(known: Element, element: Element, binding: Binding) -> Option | None:
    """The choice that a binding names, among those the element has now."""
    named = None
    if binding.option is not None and binding.option < len(known.options):
        named = known.options[binding.option]
        for option in element.options:
            if (option.label, option.value) == (named.label, named.value):
                return option
    wanted = fold(binding.value)
    for option in element.options:
        if fold(option.label) == wanted:
            return option
    return next((o for o in element.options if named and o.value == named.value), None)


def resets(form: Form, elements: Mapping[int, Element], bound: Iterable[int]) -> list[Item]:
    """Unbound elements that came with another choice than they had when the form was found.

    Some servers remember the last search; each assignment starts from the same state. So do
    elements whose own default a person does not want to be sent.
    """
    items, taken = [], set(bound)
    for place, element in elements.items():
        known = form.elements[place]
        skip = place in taken or not element.fillable or not element.visible
        if skip or element.readonly or (element.default == known.default and not known.is_reset):
            continue
        items.append(_reset(place, known, element))
    return items


def _reset(place: int, known: Element, element: Element) -> Item:
    choices = (*element.options, *element.captions)
    wanted = {known.default} if not known.multiple else set(known.default.split("\n"))
    values = [(o.label, o.value, o.control) for o in choices if o.value in wanted]
    if not choices:
        values = [(known.default, known.default, -1)]
    return Item(place, element.controls, element.kind, tuple(values))


def untaken(form: Form, elements: Mapping[int, Element], assignment: ValueAssignment) -> set[int]:
    """Bound elements that do not hold their value in a page that came meanwhile."""
    left = set()
    for binding in assignment.bindings:
        element = elements.get(binding.element)
        if element is None:
            continue
        option = _option(form.elements[binding.element], element, binding)
        if option is None:
            held, wanted = {fold(element.default)}, fold(binding.value)
        else:
            held = {o.value for o in element.options if o.selected} | {element.default}
            wanted = option.value
        if wanted not in held:
            left.add(binding.element)
    return left
