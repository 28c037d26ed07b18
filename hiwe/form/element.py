"""Elements of a form before they have labels: controls grouped as a person sees them.

A radio group is one element, a checkbox group with one name is one; everything else a person can
set is an element of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.page.page import Box, Option

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.page.page import Control

BUTTON_KINDS = frozenset({"submit", "button", "reset", "image"})
NO_FIELD = BUTTON_KINDS | {"hidden"}
BOX_KINDS = frozenset({"radio", "checkbox"})


@dataclass(frozen=True, slots=True)
class Draft:
    """An element without its label: its controls, what kind they are, the box round them."""

    controls: tuple[Control, ...]
    kind: str
    box: Box

    @property
    def first(self) -> Control:
        """The control that gives name, id and constraints."""
        return self.controls[0]

    @property
    def is_boxes(self) -> bool:
        """Radio buttons or checkboxes: each with an option's label of its own."""
        return self.kind in BOX_KINDS

    @property
    def is_group(self) -> bool:
        """A group needs a label besides those of its options."""
        return self.is_boxes and len(self.controls) > 1

    @property
    def visible(self) -> bool:
        """At least one of its controls is seen."""
        return any(c.visible for c in self.controls)


def draft_elements(controls: Iterable[Control]) -> tuple[Draft, ...]:
    """Group the controls of one form to elements, in document order; buttons are none."""
    groups: dict[tuple[object, ...], list[Control]] = {}
    for control in controls:
        if control.kind not in NO_FIELD and not control.stand_in:
            groups.setdefault(_key(control), []).append(control)
    return tuple(
        Draft(tuple(members), _kind(members[0]), union([c.box for c in members if c.visible]))
        for members in groups.values()
    )


def _key(control: Control) -> tuple[object, ...]:
    if control.kind == "radio":
        name = control.name or f"\0group{control.group}"
        return ("radio", control.frame, name)
    if control.kind == "checkbox" and control.name:
        return ("checkbox", control.frame, control.name)
    if control.kind == "checkbox" and control.drawn and control.group is not None:
        return ("checkbox", control.frame, f"\0group{control.group}")
    return ("single", control.index)


def _kind(control: Control) -> str:
    if control.kind == "combobox" and control.tag == "input" and not control.readonly:
        return "text"
    return control.kind


def union(boxes: Sequence[Box]) -> Box:
    """The smallest box round all; an empty box for none."""
    if not boxes:
        return Box(0.0, 0.0, 0.0, 0.0)
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    right, bottom = max(b.x + b.w for b in boxes), max(b.y + b.h for b in boxes)
    return Box(left, top, round(right - left, 1), round(bottom - top, 1))


def box_option(control: Control, label: str) -> Option:
    """The choice that one radio button or checkbox stands for."""
    return Option(
        value=control.value,
        label=label,
        selected=control.checked,
        disabled=control.disabled,
        id=control.id,
        data=control.data,
        control=control.index,
    )
