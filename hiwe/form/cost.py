"""What it costs to give a text to a slot: distance, side, table cell, what lies between, the text.

Units are roughly pixels: a text that touches the left edge of a field costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.geometry import Place, place_of
from hiwe.form.wording import text_cost

if TYPE_CHECKING:
    from hiwe.form.sight import Sight
    from hiwe.form.slot import Slot
    from hiwe.page.page import Box, TextRun

# base cost, cost a pixel of gap, cost a pixel out of line; by kind of slot and side
SIDES: dict[str, dict[str, tuple[float, float, float]]] = {
    "field": {
        "left": (2, 0.14, 0.8),
        "above": (8, 0.7, 0.22),
        "inside": (10, 0, 0),
        "right": (42, 0.3, 1.2),
        "below": (58, 0.9, 0.4),
    },
    "choice": {
        "right": (0, 0.5, 1.0),
        "left": (30, 0.5, 1.0),
        "inside": (12, 0, 0),
        "below": (36, 0.8, 0.4),
        "above": (44, 0.8, 0.4),
    },
    "group": {
        "left": (8, 0.14, 0.5),
        "above": (6, 0.6, 0.22),
        "inside": (40, 0, 0),
        "right": (80, 0.3, 1.0),
        "below": (90, 0.9, 0.4),
    },
}
MIRROR = {"left": "right", "right": "left"}
WITHOUT = {"field": 90.0, "choice": 80.0, "group": 90.0}  # price of no label
WORST = 160.0  # dearer texts are no candidates
BETWEEN = 34.0
ORDER_BETWEEN = 7.0
BELONGS_TO_BOX = 60.0  # what follows a radio button or checkbox on its line is that box's
WRONG_ORDER = 10.0
SHARED_CONTAINER = (0.0, 0.0, 9.0, 14.0, 18.0)  # by the number of fields in the common container
FOREIGN_CONTAINER = 28.0  # the text's own part of the page holds other fields, not this one
OTHER_CELL = 26.0
SEEN_ORDER = 0.35  # of the cost of the source's order, where the place is plain to see
ON_LINE_PX = 14.0
NEAR_PX = 120.0  # in a column of labels some are short: what lies beyond counts little
BEYOND = 0.2
HABITUAL = 8.0  # base cost of the side on which a form has its labels
ALONE_PX = 24.0
SHOWN_CHOICE = 70.0  # a script's stand-in for a list shows the choice
FLOWS_AFTER_BOX = 3.0
FLOWS_BEFORE_FIELD = 12.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be a slot's label.

    `side` is where it lies (mirrored where writing runs right to left). `habitual` is what it
    costs when the form's labels are on that side.
    """

    kind: str
    side: str
    cost: float
    habitual: float

    @property
    def least(self) -> float:
        """The lower of both costs."""
        return min(self.cost, self.habitual)

    def under(self, habit: str) -> float:
        """Cost where the slot has its label on the side that `habit` names ('' for no habit)."""
        return self.habitual if habit == self.side else self.cost

    def plus(self, more: float) -> Candidate:
        """The same text, dearer or cheaper."""
        cost, habitual = max(self.cost + more, 0.0), max(self.habitual + more, 0.0)
        return Candidate(self.kind, self.side, cost, habitual)


def label_cost(text: TextRun, slot: Slot, sight: Sight, above: dict[int, int]) -> Candidate | None:
    """What `text` costs as the label of `slot`, None when it cannot be one.

    `above` holds the nodes over the slot's first control, to see how much else the smallest
    common container holds.
    """
    place = _in_row(text, slot) or place_of(text.box, slot.box)
    side = place.side
    if slot.first.rtl:
        side = MIRROR.get(side, side)
    beyond = 1.0 if is_outside(text, slot, sight) else BEYOND
    if slot.kind == "choice" and sight.fields_below.get(sight.common(text.node, above)) == 1:
        side, place = _alone_with(side, place)
    layout = _layout_cost(place, side, text, slot, beyond)
    cost = min(layout, _flow_cost(text, slot))
    if cost > WORST:
        return None
    cost += _container_cost(text, slot, sight, above)
    order, against = _order_cost(text, slot, sight)
    if slot.kind != "choice" and _is_plain_to_see(side, place):
        order *= SEEN_ORDER
    cost += order
    if cost > WORST:
        return None
    cost += BETWEEN * _between(text.box, slot, place, sight)
    cost += text_cost(text, slot.kind, sight.typical_font)
    if slot.first.kind == "select" and any(o.label == text.text for o in slot.first.options):
        cost += SHOWN_CHOICE
    if cost > WORST:
        return None
    discount = max(SIDES[slot.kind][side][0] - HABITUAL, 0.0) + against
    habitual = min(cost, cost - discount + (layout - min(layout, _flow_cost(text, slot))))
    if slot.kind == "choice" and text.leads_to == slot.first.index:
        habitual = min(habitual, FLOWS_AFTER_BOX)
    return Candidate(slot.kind, side, max(cost, 0.0), max(habitual, 0.0))


def _alone_with(side: str, place: Place) -> tuple[str, Place]:
    """A box and a text in a part of the page that is theirs alone: how far apart says little."""
    if side in ("left", "right"):
        return side, Place(place.side, min(place.across, ALONE_PX), place.offset)
    return side, place


def _in_row(text: TextRun, slot: Slot) -> Place | None:
    """Beside the slot by their table cells, though one cell be taller: None in any other place."""
    one, other = text.cell, slot.first.cell
    if not one or not other or one[0] != other[0] or one[1] != other[1] or slot.kind == "choice":
        return None
    if one[2] + one[4] > other[2] or one[3] != other[3]:
        return None
    gap = max(slot.box.x - text.box.x - text.box.w, text.box.x - slot.box.x - slot.box.w, 0.0)
    side = "left" if text.box.x < slot.box.x else "right"
    return Place(side, gap, min(place_of(text.box, slot.box).offset, ON_LINE_PX - 1))


def _is_plain_to_see(side: str, place: Place) -> bool:
    """Right beside or right above: then the order in the source says little."""
    if side == "left":
        return place.offset < 6
    return side == "above" and place.offset < 4 and place.across < 12


def is_outside(text: TextRun, slot: Slot, sight: Sight) -> bool:
    """Outside the box of the form element: a menu, the site's name. Broken markup has no box."""
    if slot.first.form is None:
        return False
    form = sight.page.forms[slot.first.form].box
    x, y = text.box.x + text.box.w / 2, text.box.y + text.box.h / 2
    if form.w <= 0 or form.h <= 0:
        return False
    return not (form.x <= x <= form.x + form.w and form.y <= y <= form.y + form.h)


def _layout_cost(place: Place, side: str, text: TextRun, slot: Slot, beyond: float) -> float:
    base, a_pixel, out_of_line = SIDES[slot.kind][side]
    gap, offset = place.across, min(place.offset, 150.0)
    if side == "left" and slot.kind != "choice" and offset < ON_LINE_PX:
        gap = min(gap, NEAR_PX) + beyond * max(gap - NEAR_PX, 0.0)
    cell = slot.first.cell
    cost = base
    if text.cell and cell and text.cell[0] == cell[0]:
        same_row = text.cell[1] < cell[1] + cell[3] and cell[1] < text.cell[1] + text.cell[3]
        same_column = text.cell[2] < cell[2] + cell[4] and cell[2] < text.cell[2] + text.cell[4]
        if same_row and same_column:
            cost -= 4
        elif same_row and place.side in ("left", "right"):
            gap *= 0.15
            offset *= 0.5
        elif same_column and place.side in ("above", "below"):
            gap *= 0.12
            offset *= 0.4
        else:
            cost += OTHER_CELL
    return cost + gap * a_pixel + offset * out_of_line


def _flow_cost(text: TextRun, slot: Slot) -> float:
    """Cost by the line of text alone: the label goes over into the control, wherever it wraps."""
    if slot.kind == "choice" and text.follows == slot.first.index:
        return FLOWS_AFTER_BOX
    if slot.kind == "field" and text.leads_to == slot.first.index:
        return FLOWS_BEFORE_FIELD
    return float("inf")


def _container_cost(text: TextRun, slot: Slot, sight: Sight, above: dict[int, int]) -> float:
    node = sight.common(text.node, above)
    if node < 0:
        return 30.0
    others = sight.fields_below.get(node, 0) - (len(slot.controls) - 1)
    cost = SHARED_CONTAINER[max(0, min(others, len(SHARED_CONTAINER) - 1))]
    return cost if sight.bearing(text.node) in above else cost + FOREIGN_CONTAINER


def _order_cost(text: TextRun, slot: Slot, sight: Sight) -> tuple[float, float]:
    """Cost of what stands between in the source; how much of it is for the order itself."""
    first, last = slot.controls[0].order, slot.controls[-1].order
    before = text.order < first
    against = WRONG_ORDER if before == (slot.kind == "choice") else 0.0
    cost = against
    low, high = (text.order, first) if before else (last, text.order)
    cost += ORDER_BETWEEN * min(sight.fields_between(low, high), 3)
    if slot.kind == "field" and text.follows is not None:
        box = sight.page.controls[text.follows]
        if box.kind in ("radio", "checkbox") and box.visible:
            cost += BELONGS_TO_BOX
    return cost, against


def _between(text: Box, slot: Slot, place: Place, sight: Sight) -> int:
    """How many other fields lie in the corridor between the text and the slot."""
    box = slot.box
    if place.side in ("left", "right"):
        x0, x1 = (text.x + text.w, box.x) if place.side == "left" else (box.x + box.w, text.x)
        y0, y1 = max(text.y, box.y), min(text.y + text.h, box.y + box.h)
    elif place.side in ("above", "below"):
        y0, y1 = (text.y + text.h, box.y) if place.side == "above" else (box.y + box.h, text.y)
        x0, x1 = max(text.x, box.x), min(text.x + max(text.w, 20), box.x + box.w)
    else:
        return 0
    mine = slot.controls
    count = 0
    for f in sight.fields_at(y0, y1):
        b = f.box
        if b.x + b.w > x0 + 2 and b.x < x1 - 2 and b.y + b.h > y0 + 2 and b.y < y1 - 2:
            count += f not in mine if len(mine) > 1 else f is not mine[0]
    return min(count, 3)
