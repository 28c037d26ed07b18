"""Naming: what an element is called once its neighbours are known; what lies between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.clean import clean_label, is_starred, is_unit, shown_label
from hiwe.form.cost import label_cost
from hiwe.form.element import union
from hiwe.form.slot import Slot
from hiwe.form.wording import HEADING
from hiwe.form.words import is_whole_word, tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiwe.form.element import Draft
    from hiwe.form.label import Label
    from hiwe.form.sight import Sight
    from hiwe.page.page import Box, TextRun

EXPLICIT = frozenset({"for", "wrap", "aria"})
WEAK = frozenset({"none", "name"})
INSIDE = frozenset({"option", "placeholder", "title"})
SHARED = EXPLICIT | {"layout", "header", "legend"}  # texts beside a control, not inside it
PARTS = ("day", "month", "year", "hour", "minute")
PIECE = "piece"  # the part that is one of several of a number
BASE_WORST = 44.0  # dearer texts do not name several elements
ONE_LINE_PX = 12.0


@dataclass(frozen=True, slots=True)
class Naming:
    """What an element is called, after ranges and parts.

    `role` is from, to or ''; `partner` the other half of its range. `part` is day, month, year,
    hour, minute, 'piece' (of a number) or ''; `parts` are the places of all parts of one value.
    `starred`: its label has the mark of what must be filled.
    """

    label: str
    text: str
    source: str
    runner_up: str
    cost: float
    role: str = ""
    partner: int | None = None
    box: Box | None = None
    part: str = ""
    parts: tuple[int, ...] = ()
    starred: bool = False

    @classmethod
    def of(cls, label: Label) -> Naming:
        """What LITE found, cleaned."""
        return cls(
            clean_label(label.text),
            shown_label(label.text),
            label.source,
            clean_label(label.runner_up),
            label.cost,
            box=label.box,
            starred=is_starred(label.text),
        )


def on_one_line(one: Draft, other: Draft) -> bool:
    """Seen both, the other to the right of the one or, where writing runs so, to its left."""
    if not (one.visible and other.visible):
        return False
    a, b = one.box, other.box
    if abs(a.y + a.h / 2 - b.y - b.h / 2) >= ONE_LINE_PX:
        return False
    return (a.x >= b.x + b.w - 2) if one.first.rtl else (b.x >= a.x + a.w - 2)


def texts_between(one: Draft, other: Draft, sight: Sight) -> list[TextRun]:
    """What a person reads between two elements in the source; icons, units and signs left out."""
    between = sight.between(one.controls[-1].order, other.first.order)
    return [t for t in between if t.source == "text" and not is_unit(t.text)]


def is_part_text(text: str) -> bool:
    """Nothing but names of parts: 'Day', '年', a sign."""
    return all(any(is_whole_word(part, word) for part in PARTS) for word in tokens(text))


def base_label(
    drafts: Sequence[Draft], namings: Iterable[Naming], sight: Sight, *, skip: Collection[str] = ()
) -> tuple[str, Box | None]:
    """The text that names several elements as one, near the box round all, and where it stands.

    Texts inside the tags of `skip` are not looked at; ('', None) where there is none.
    """
    controls = tuple(c for d in drafts for c in d.controls)
    slot = Slot("group", -1, controls, union([c.box for c in controls if c.visible]))
    if not slot.visible:
        return "", None
    above = {node: depth for depth, node in enumerate(sight.ancestors(slot.first.node))}
    used = {n.text for n in namings}
    best, text, box = BASE_WORST, "", None
    for _, run in sight.near(slot.box, slot.first.cell[0] if slot.first.cell else None):
        if shown_label(run.text) in used or run.inside in ("h1", "h2", *skip):
            continue
        if is_unit(run.text) or is_part_text(run.text):
            continue
        candidate = label_cost(run, slot, sight, above)
        if candidate is not None and candidate.cost < best:
            best, text, box = candidate.cost, run.text, run.box
    return text, box


HEADINGS = frozenset(HEADING)
