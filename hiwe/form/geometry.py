"""Where a text lies seen from a control: side, distance between box edges, alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.page.page import Box

SLACK_PX = 4.0  # edges that cross by less than this still count as beside, not over


@dataclass(frozen=True, slots=True)
class Place:
    """`side` is left, right, above, below, inside or corner; gaps and offset in pixels.

    `across` is the gap along the side's axis; `offset` how far the near edges are out of line on
    the other axis (0 when aligned).
    """

    side: str
    across: float
    offset: float


def place_of(text: Box, control: Box) -> Place:
    """Where `text` lies seen from `control`."""
    right_gap = text.x - (control.x + control.w)
    left_gap = control.x - (text.x + text.w)
    below_gap = text.y - (control.y + control.h)
    above_gap = control.y - (text.y + text.h)
    x_overlap = min(text.x + text.w, control.x + control.w) - max(text.x, control.x)
    y_overlap = min(text.y + text.h, control.y + control.h) - max(text.y, control.y)
    on_line = y_overlap >= 0.4 * min(text.h, control.h, 24.0)
    if on_line and left_gap >= -SLACK_PX:
        return Place("left", max(left_gap, 0.0), _off_line(text, control))
    if on_line and right_gap >= -SLACK_PX:
        return Place("right", max(right_gap, 0.0), _off_line(text, control))
    if on_line and x_overlap > 0:
        return Place("inside", 0.0, 0.0)
    if above_gap >= -SLACK_PX:
        side, gap = "above", max(above_gap, 0.0)
    elif below_gap >= -SLACK_PX:
        side, gap = "below", max(below_gap, 0.0)
    elif left_gap >= 0:
        return Place("left", left_gap, _off_line(text, control) + 10)
    elif right_gap >= 0:
        return Place("right", right_gap, _off_line(text, control) + 10)
    else:
        return Place("inside", 0.0, 0.0)
    if x_overlap > 0:
        starts = abs(text.x - control.x)
        middles = abs(text.x + text.w / 2 - control.x - control.w / 2)
        ends = abs(text.x + text.w - control.x - control.w)
        return Place(side, gap, min(starts, middles, ends))
    return Place(side, gap, max(left_gap, right_gap, 0.0) + 20)


def _off_line(text: Box, control: Box) -> float:
    """How far a text beside a control is from its first line, its last line or its middle."""
    middle = abs(text.y + text.h / 2 - control.y - control.h / 2)
    last = abs(text.y + text.h - control.y - control.h)
    return min(middle, abs(text.y - control.y), last)
