"""Hint: how a page wants a date written, in a remark beside the box, its title or its preset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.date_format import format_in

if TYPE_CHECKING:
    from hiwe.form.sight import Sight
    from hiwe.page.page import Box, Control

TYPED = frozenset({"text", "search"})
RIGHT_PX, BELOW_PX = 160.0, 32.0  # how far from its box a remark stands


def hint_of(control: Control, sight: Sight) -> str:
    """The format for a date that is shown near a box, '' for none; of several the nearest."""
    if control.kind not in TYPED or not control.visible:
        return ""
    for said in (control.title, control.value):
        if shown := format_in(said):
            return shown
    near = [
        (distance, shown)
        for shown, text in sight.formats
        if text.frame == control.frame
        if (distance := _distance(control.box, text.box)) is not None
    ]
    return min(near, default=(0.0, ""))[1]


def _distance(box: Box, text: Box) -> float | None:
    """How far a remark lies to the right of a box or below it, None for one elsewhere."""
    beside = text.x - (box.x + box.w)
    if text.y < box.y + box.h and text.y + text.h > box.y:
        return beside if -2.0 <= beside <= RIGHT_PX else None
    below = text.y - (box.y + box.h)
    reaches = text.x < box.x + box.w and text.x + text.w > box.x
    return below if -2.0 <= below <= BELOW_PX and reaches else None
