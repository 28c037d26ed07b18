"""LITE: layout-based information extraction. Gives every element of a form its label.

Explicit markup first, checked against the layout; then the texts near the elements, given to all
elements of the form together by least total cost; then placeholder, caption, title, name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.assign import assign
from hiwe.form.caption import split_choices
from hiwe.form.cost import WITHOUT, label_cost
from hiwe.form.evidence import explicit_label
from hiwe.form.fallback import fallback_label
from hiwe.form.slot import Slot, slots_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.form.sight import Sight
    from hiwe.page.page import TextRun

CANDIDATES = 7  # texts kept for each slot
FIRST_OF_OWN = 8.0
LATER_HINT = 24.0
LONG_HINT = 45  # characters
HINT_TAGS = frozenset({"p", "small", "em", "i"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
CLOSER_TO_OTHER = 0.6  # of the difference in cost
WITHOUT_BESIDE_PLACEHOLDER = 46.0  # a placeholder is a better label than a far text


@dataclass(frozen=True, slots=True)
class Label:
    """A label with where it came from, the next best text and the cost (0 for markup)."""

    text: str = ""
    source: str = "none"
    runner_up: str = ""
    cost: float = 0.0


def label_slots(drafts: Sequence[Draft], sight: Sight) -> list[tuple[Slot, Label]]:
    """Label the elements of one form together; every slot comes back, in order."""
    slots = slots_of(drafts)
    candidates = [_candidates(slot, sight) if slot.visible else {} for slot in slots]
    labels: list[Label | None] = []
    for slot, given in zip(slots, candidates, strict=True):
        nearest = min(given.values(), default=float("inf"))
        explicit = explicit_label(slot, sight, nearest)
        labels.append(Label(explicit[0], explicit[1], _best(given, sight)) if explicit else None)
    candidates = _closer_to_others(candidates)
    _take_layout(slots, candidates, labels, sight)
    return [
        (slot, label or _fallback(slot, drafts[slot.draft]))
        for slot, label in zip(slots, labels, strict=True)
    ]


def _candidates(slot: Slot, sight: Sight) -> dict[int, float]:
    """The cheapest texts for a slot: place among the sight's texts -> cost."""
    above = {node: depth for depth, node in enumerate(sight.ancestors(slot.first.node))}
    table = slot.first.cell[0] if slot.first.cell else None
    costs: dict[int, float] = {}
    for number, text in sight.near(slot.box, table):
        if text.frame != slot.first.frame or (text.label is not None and text.label in sight.tied):
            continue
        cost = label_cost(text, slot, sight, above)
        if cost < float("inf"):
            costs[number] = cost
    _prefer_first_of_own(costs, slot, sight, above)
    cheapest = sorted(costs.items(), key=lambda item: item[1])[:CANDIDATES]
    return dict(cheapest)


def _prefer_first_of_own(
    costs: dict[int, float], slot: Slot, sight: Sight, above: dict[int, int]
) -> None:
    """In the part of the page that is the slot's alone, hints follow the label."""
    if slot.kind == "choice":
        return
    own = [n for n in costs if _is_own(sight.texts[n], slot, sight, above)]
    if len(own) < 2:
        return
    first = min(own, key=lambda n: sight.texts[n].order)
    costs[first] = max(costs[first] - FIRST_OF_OWN, 0.0)
    for n in own:
        if n != first and _reads_like_hint(sight.texts[n]):
            costs[n] += LATER_HINT


def _is_own(text: TextRun, slot: Slot, sight: Sight, above: dict[int, int]) -> bool:
    node = sight.common(text.node, above)
    return (
        text.order < slot.first.order
        and sight.fields_below.get(node, 0) <= len(slot.controls)
        and text.inside not in HEADINGS
    )


def _reads_like_hint(text: TextRun) -> bool:
    return text.tag in HINT_TAGS or text.text.endswith((".", "。")) or len(text.text) > LONG_HINT


def _closer_to_others(candidates: Sequence[dict[int, float]]) -> list[dict[int, float]]:
    """Make a text dearer for a slot the better it suits another one."""
    best: dict[int, float] = {}
    for given in candidates:
        for number, cost in given.items():
            best[number] = min(cost, best.get(number, cost))
    return [
        {n: cost + CLOSER_TO_OTHER * (cost - best[n]) for n, cost in given.items()}
        for given in candidates
    ]


def _take_layout(
    slots: Sequence[Slot],
    candidates: Sequence[dict[int, float]],
    labels: list[Label | None],
    sight: Sight,
) -> None:
    """Give texts to the slots that markup left without a label, by least total cost."""
    open_slots = [i for i, label in enumerate(labels) if label is None and slots[i].visible]
    chosen = assign(
        [candidates[i] for i in open_slots], [_price_of_none(slots[i]) for i in open_slots]
    )
    for i, number in zip(open_slots, chosen, strict=True):
        if number is None:
            continue
        text = sight.texts[number]
        others = {n: c for n, c in candidates[i].items() if n != number}
        labels[i] = Label(
            text.text, _source(text), _best(others, sight), round(candidates[i][number], 1)
        )


def _price_of_none(slot: Slot) -> float:
    first = slot.first
    price = WITHOUT[slot.kind]
    if slot.kind != "field":
        return price
    if first.placeholder or first.aria_label:
        return WITHOUT_BESIDE_PLACEHOLDER
    if first.kind == "select" and split_choices(first.options).title:
        return WITHOUT_BESIDE_PLACEHOLDER
    return price


def _source(text: TextRun) -> str:
    if text.inside == "legend":
        return "legend"
    return "header" if text.inside == "th" else "layout"


def _best(given: dict[int, float], sight: Sight) -> str:
    """The cheapest text of those given, '' for none."""
    return sight.texts[min(given, key=given.__getitem__)].text if given else ""


def _fallback(slot: Slot, draft: Draft) -> Label:
    text, source = fallback_label(slot, draft)
    return Label(text, source)
