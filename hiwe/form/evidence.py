"""Explicit association: labels that markup ties to a control, checked against the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.words import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from hiwe.form.cost import Candidate
    from hiwe.form.misplaced import Tie
    from hiwe.form.sight import Sight
    from hiwe.form.slot import Slot
    from hiwe.page.page import Association, Box, Control

FAR_PX = 220.0  # a label farther than this is doubted where another text sits at the control
AT_THE_CONTROL = 30.0  # cost of a text that sits at the control
RANK = {"wrap": 0, "for": 1, "labelledby": 2, "aria-label": 3}
SPOKEN = frozenset({"labelledby", "aria-label"})
SOURCES = {"wrap": "wrap", "for": "for", "labelledby": "aria", "aria-label": "aria"}


def explicit_label(
    slot: Slot, sight: Sight, given: Mapping[int, Candidate], misplaced: Set[Tie]
) -> tuple[str, str, Box | None] | None:
    """Text, source and box of the label that markup gives to a slot, None where it gives none.

    `given` are the free texts near it: a tie across half the page, or one and the same name for
    several fields, does not beat a text right at the control. `misplaced` ties do not count.
    """
    if slot.kind == "group":
        return _group_label(slot, sight)
    nearest = min((c.cost for c in given.values()), default=float("inf"))
    for tie in sorted(slot.first.associations, key=lambda t: RANK[t.source]):
        if tie.shared or not tokens(tie.text):
            continue
        if tie.label is not None and (slot.first.index, tie.label) in misplaced:
            continue
        if tie.source == "for" and _doubtful(tie, slot, nearest):
            continue
        if tie.source in SPOKEN and slot.kind == "field" and _says_little(tie, sight, given):
            continue
        text = _before_control(tie, slot.first, sight)
        if text:
            return text, SOURCES[tie.source], tie.box if tie.visible else None
    return None


def _says_little(tie: Association, sight: Sight, given: Mapping[int, Candidate]) -> bool:
    """Several fields have this name, and a text of words stands at the control."""
    if sight.spoken_names.get((tie.source, tie.text), 0) < 2:
        return False
    return any(
        c.cost < AT_THE_CONTROL and any(x.isalpha() for x in sight.texts[n].text)
        for n, c in given.items()
        if sight.texts[n].text != tie.text
    )


def _doubtful(tie: Association, slot: Slot, nearest: float) -> bool:
    return tie.visible and gap(tie.box, slot.box) > FAR_PX and nearest < AT_THE_CONTROL


def gap(one: Box, other: Box) -> float:
    """Pixels between the nearest edges of two boxes (the larger of both axes)."""
    dx = max(one.x - other.x - other.w, other.x - one.x - one.w, 0.0)
    dy = max(one.y - other.y - other.h, other.y - one.y - one.h, 0.0)
    return max(dx, dy)


def _before_control(tie: Association, control: Control, sight: Sight) -> str:
    """The label's text; of a label round several fields only what stands before this one."""
    if tie.source != "wrap" or control.kind in ("radio", "checkbox"):
        return tie.text
    inside = [f for f in sight.fields if f.wrapped_by == tie.label]
    if len(inside) < 2:
        return tie.text
    start = max((f.order for f in inside if f.order < control.order), default=-1)
    parts = [
        t.text
        for t in sorted(sight.texts, key=lambda t: t.order)
        if t.label == tie.label and start < t.order < control.order
    ]
    return " ".join(parts) or tie.text


def _group_label(slot: Slot, sight: Sight) -> tuple[str, str, Box | None] | None:
    """Legend or ARIA name of the innermost group, where it holds nothing but these boxes."""
    number = slot.first.group
    if number is not None and all(c.group == number for c in slot.controls):
        group = sight.page.groups[number]
        if tokens(group.text) and alone_in(number, slot.controls, sight):
            return group.text, "legend" if group.source == "legend" else "aria", group.box
    return _first_box_label(slot)


def alone_in(number: int, controls: Sequence[Control], sight: Sight) -> bool:
    """Does a group of the page hold these fields and no other?"""
    mine = {c.index for c in controls}
    groups = sight.page.groups
    for field in sight.fields:
        inner = field.group
        while inner is not None and inner != number:
            inner = groups[inner].parent
        if inner == number and field.index not in mine:
            return False
    return True


def _first_box_label(slot: Slot) -> tuple[str, str, Box | None] | None:
    """A `for` that names the first box though it is the question: the box has a label besides."""
    first, *rest = slot.controls
    ties = [t for t in first.associations if t.source in ("for", "wrap") and tokens(t.text)]
    if len(ties) < 2 or any(len(c.associations) > 1 for c in rest):
        return None
    question = next((t for t in ties if t.source == "for" and not t.shared), None)
    return (question.text, "for", question.box) if question else None
