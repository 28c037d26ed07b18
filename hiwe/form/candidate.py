"""Candidates: the texts that may be a slot's label, each with its cost and the side it lies on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.cost import Candidate, is_outside, label_cost

if TYPE_CHECKING:
    from collections.abc import Set

    from hiwe.form.sight import Sight
    from hiwe.form.slot import Slot
    from hiwe.page.page import TextRun

KEPT = 8  # texts for each slot, besides one for each box of a group: its choices stand in it
FIRST_OF_OWN = 8.0
LATER_HINT = 24.0
LONG_HINT = 45  # characters
LINK_OUTSIDE = 60.0  # a link that the form does not hold leads elsewhere, but for headings
HINT_TAGS = frozenset({"p", "small", "em", "i"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4"})


def candidates_of(slot: Slot, sight: Sight, tied: Set[int]) -> dict[int, Candidate]:
    """The cheapest texts for a slot: place among the sight's texts -> candidate.

    `tied` are the labels (`TextRun.label`) that markup gives to one control without doubt.
    """
    if not slot.visible:
        return {}
    above = {node: depth for depth, node in enumerate(sight.ancestors(slot.first.node))}
    table = slot.first.cell[0] if slot.first.cell else None
    found: dict[int, Candidate] = {}
    for number, text in sight.near(slot.box, table):
        if text.frame != slot.first.frame or (text.label is not None and text.label in tied):
            continue
        candidate = label_cost(text, slot, sight, above)
        if candidate is not None:
            found[number] = candidate
    _prefer_first_of_own(found, slot, sight, above)
    for number, candidate in found.items():
        text = sight.texts[number]
        if text.linked and text.inside not in HEADINGS and is_outside(text, slot, sight):
            found[number] = candidate.plus(LINK_OUTSIDE)
    kept = KEPT + len(slot.controls) - 1
    cheapest = sorted(found.items(), key=lambda item: item[1].least)[:kept]
    return dict(cheapest)


def _prefer_first_of_own(
    found: dict[int, Candidate], slot: Slot, sight: Sight, above: dict[int, int]
) -> None:
    """In the part of the page that is the slot's alone, hints follow the label."""
    if slot.kind == "choice":
        return
    own = [n for n in found if _is_own(sight.texts[n], slot, sight, above)]
    if len(own) < 2:
        return
    first = min(own, key=lambda n: sight.texts[n].order)
    found[first] = found[first].plus(-FIRST_OF_OWN)
    for n in own:
        if n != first and _reads_like_hint(sight.texts[n]):
            found[n] = found[n].plus(LATER_HINT)


def _is_own(text: TextRun, slot: Slot, sight: Sight, above: dict[int, int]) -> bool:
    node = sight.common(text.node, above)
    return (
        text.order < slot.first.order
        and sight.fields_below.get(node, 0) <= len(slot.controls)
        and text.inside not in HEADINGS
    )


def _reads_like_hint(text: TextRun) -> bool:
    return text.tag in HINT_TAGS or text.text.endswith((".", "。")) or len(text.text) > LONG_HINT
