"""Fill a form in the live page: bring an assignment to its controls and read them back."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from hiwe.page.page import Option
from hiwe.submission.submission import Fill
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.form.form import Element, Form
    from hiwe.page.browser import Tab
    from hiwe.submission.assignment import Binding, ValueAssignment

BODY = resources.files("hiwe.submission").joinpath("fill.js").read_text("utf-8")
FILL_JS = f"async (items) => {{\n{BODY}\nreturn fill(items);\n}}"

CHILD_S = 5.0  # a dependent element is ready within this time after its parent was set
RETRY_S = 0.1
WAITING = frozenset({"disabled", "no_option", "gone"})  # what a parent's choice may still mend
BOXES = frozenset({"radio", "checkbox"})


@dataclass(frozen=True, slots=True)
class Item:
    """One element to set: its live controls and the wanted choices or text."""

    element: int
    controls: tuple[int, ...]
    kind: str
    values: tuple[tuple[str, str, int], ...]  # label or text, value sent, control

    def to_json(self) -> dict[str, Any]:
        """What the page function takes."""
        values = [{"label": label, "value": v, "control": c} for label, v, c in self.values]
        return {
            "element": self.element,
            "controls": list(self.controls),
            "kind": self.kind,
            "values": values,
        }


def match_elements(form: Form, found: Form) -> dict[int, Element]:
    """For each element of `form` its like in `found`, the same form met again."""
    same = form.fingerprint == found.fingerprint and len(form.elements) == len(found.elements)
    if same:
        return dict(enumerate(found.elements))
    left = list(found.elements)
    matched: dict[int, Element] = {}
    for place, element in enumerate(form.elements):
        like = max(left, key=lambda e: _likeness(element, e), default=None)
        if like is not None and _likeness(element, like) > 0:
            matched[place] = like
            left.remove(like)
    return matched


def _likeness(one: Element, other: Element) -> int:
    """How surely two elements are the same: by name, id and label."""
    if one.name and one.name != other.name:
        return 0
    same_id = one.id != "" and one.id == other.id
    same_name = one.name != "" and one.name == other.name
    return 4 * same_name + 2 * same_id + (one.label == other.label and one.label != "")


def items_for(
    form: Form, elements: Mapping[int, Element], assignment: ValueAssignment
) -> tuple[list[Item], list[Fill]]:
    """What to set, parents before children, and the bindings that cannot be set at all."""
    bound: dict[int, list[Binding]] = {}
    for binding in assignment.bindings:
        bound.setdefault(binding.element, []).append(binding)
    items, lost = [], []
    for place in sorted(bound, key=lambda p: (_depth(form, p), p)):
        element = elements.get(place)
        wanted = "\n".join(b.value for b in bound[place])
        if element is None:
            lost.append(Fill(place, wanted, "", False, "gone"))
        elif not element.fillable or not element.visible:
            lost.append(Fill(place, wanted, "", False, "not_fillable"))
        else:
            items.append(_item(place, form.elements[place], element, bound[place]))
    return items, lost


def _depth(form: Form, place: int) -> int:
    depth, parent = 0, form.elements[place].depends_on
    while parent is not None and depth < len(form.elements):
        depth, parent = depth + 1, form.elements[parent].depends_on
    return depth


def _item(place: int, known: Element, element: Element, bindings: Sequence[Binding]) -> Item:
    values = []
    for binding in bindings:
        option = _option(known, element, binding)
        if option is not None:
            values.append((option.label, option.value, option.control))
        else:
            values.append((binding.value, "", -1))
    return Item(place, element.controls, element.kind, tuple(values))


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

    Some servers remember the last search; each assignment starts from the same state.
    """
    items, taken = [], set(bound)
    for place, element in elements.items():
        known = form.elements[place]
        skip = place in taken or not element.fillable or not element.visible
        if skip or element.readonly or element.default == known.default:
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


async def fill(tab: Tab, items: Sequence[Item], *, timeout_s: float) -> list[Fill]:
    """Set `items` in order and read them back; waits for children that a parent readies."""
    done: dict[int, Fill] = {}
    until = time.monotonic() + min(timeout_s, CHILD_S)
    left = list(items)
    while left:
        answer = await tab.call(FILL_JS, [item.to_json() for item in left], timeout_s=timeout_s)
        wrong: dict[int, str] = {}
        for row in json.loads(answer):
            item = next(i for i in left if i.element == row["element"])
            done[item.element] = _fill(item, row)
            if row["wrong"]:
                wrong[item.element] = row["wrong"]
        left = [i for i in left if wrong.get(i.element) in WAITING]
        if not left or len(items) == 1 or time.monotonic() > until:
            break
        await tab.traffic.wait(RETRY_S)
    return [done[item.element] for item in items]


def _fill(item: Item, row: dict[str, Any]) -> Fill:
    return Fill(
        element=item.element,
        wanted="\n".join(label for label, _, _ in item.values),
        held=row["held"],
        ok=not row["wrong"],
        note=row["wrong"] or row["how"],
    )
