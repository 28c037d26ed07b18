"""Label markup that the layout contradicts: a `for` one row off, one name for every field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.geometry import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.slot import Slot
    from hiwe.page.page import Association, Box

# how near and how well in line a label stands that a person takes for the field's
AT_LEFT = (60.0, 8.0)  # gap, out of line, in pixels
AT_TOP = (14.0, 8.0)

Tie = tuple[int, int]  # index of the control, number of the label


def misplaced_ties(slots: Sequence[Slot]) -> frozenset[Tie]:
    """The ties by `for` whose label stands right at another field that has no label of its own.

    A label far from its field is not doubted where nothing else claims it.
    """
    fields = [s for s in slots if s.kind == "field" and s.visible]
    if len(fields) < 2:
        return frozenset()
    away = [
        (slot, tie) for slot in fields for tie in slot.first.associations if _is_away(tie, slot)
    ]
    if not away:
        return frozenset()
    served = {s.first.index for s in fields if any(_serves(t, s) for t in s.first.associations)}
    unserved = [s for s in fields if s.first.index not in served]
    return frozenset(
        (slot.first.index, tie.label)
        for slot, tie in away
        if tie.label is not None and any(_stands_at(tie.box, s) for s in unserved if s is not slot)
    )


def _is_away(tie: Association, slot: Slot) -> bool:
    return tie.source == "for" and tie.visible and not _stands_near(tie.box, slot)


def _stands_near(label: Box, slot: Slot) -> bool:
    """On any side: where markup says that a label behind or below is the field's, it is."""
    place = place_of(label, slot.box)
    most = AT_LEFT if place.side in ("left", "right") else AT_TOP
    return place.side == "inside" or (place.across < most[0] and place.offset < most[1])


def _serves(tie: Association, slot: Slot) -> bool:
    """Markup and layout agree, or there is no layout to disagree."""
    if tie.source == "for" and tie.visible:
        return _stands_near(tie.box, slot)
    return tie.source in ("wrap", "for")


def _stands_at(label: Box, slot: Slot) -> bool:
    place = place_of(label, slot.box)
    if place.side == ("right" if slot.first.rtl else "left"):
        return place.across < AT_LEFT[0] and place.offset < AT_LEFT[1]
    if place.side == "above":
        return place.across < AT_TOP[0] and place.offset < AT_TOP[1]
    return place.side == "inside"
