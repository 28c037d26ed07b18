"""Slots: what a label can be given to. A field, one box of a group, or the group's question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.element import union

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.page.page import Box, Control


@dataclass(frozen=True, slots=True)
class Slot:
    """`kind` is field, choice or group; `draft` is the place of its element in the form."""

    kind: str
    draft: int
    controls: tuple[Control, ...]
    box: Box

    @property
    def first(self) -> Control:
        """The control in front: it gives cell, node and order."""
        return self.controls[0]

    @property
    def visible(self) -> bool:
        """At least one control is seen."""
        return any(c.visible for c in self.controls)


def slots_of(drafts: Sequence[Draft]) -> list[Slot]:
    """All slots of a form in order: a group's question stands before its boxes."""
    slots: list[Slot] = []
    for place, draft in enumerate(drafts):
        if not draft.is_boxes:
            slots.append(Slot("field", place, draft.controls, draft.box))
            continue
        if draft.is_group:
            seen = [c.box for c in draft.controls if c.visible]
            slots.append(Slot("group", place, draft.controls, union(seen)))
        slots.extend(Slot("choice", place, (c,), c.box) for c in draft.controls)
    return slots
