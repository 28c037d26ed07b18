"""LITE: layout-based information extraction. Gives every element of a form its label.

Explicit markup first, checked against the layout; then the texts near the elements, given to all
elements of the form together by least total cost; then placeholder, caption, title, name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.candidate import candidates_of
from hiwe.form.caption import split_choices
from hiwe.form.cost import WITHOUT
from hiwe.form.evidence import explicit_label
from hiwe.form.fallback import fallback_label
from hiwe.form.habit import give_texts
from hiwe.form.header import share_heads
from hiwe.form.label import Label
from hiwe.form.misplaced import misplaced_ties
from hiwe.form.slot import Slot, slots_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe.form.cost import Candidate
    from hiwe.form.element import Draft
    from hiwe.form.sight import Sight
    from hiwe.page.page import TextRun

WITHOUT_BESIDE_PLACEHOLDER = 46.0  # a placeholder is a better label than a far text


def label_slots(drafts: Sequence[Draft], sight: Sight) -> list[tuple[Slot, Label]]:
    """Label the elements of one form together; every slot comes back, in order."""
    slots = slots_of(drafts)
    misplaced = misplaced_ties(slots)
    tied = sight.tied - {label for _, label in misplaced}
    candidates = [candidates_of(slot, sight, tied) for slot in slots]
    labels: list[Label | None] = []
    for slot, given in zip(slots, candidates, strict=True):
        explicit = explicit_label(slot, sight, given, misplaced)
        if explicit is None:
            labels.append(None)
        else:
            text, source, box = explicit
            labels.append(Label(text, source, _best(given, sight), box=box))
    _take_layout(slots, candidates, labels, sight)
    share_heads(slots, labels)
    return [
        (slot, label or _fallback(slot, drafts[slot.draft]))
        for slot, label in zip(slots, labels, strict=True)
    ]


def _take_layout(
    slots: Sequence[Slot],
    candidates: Sequence[dict[int, Candidate]],
    labels: list[Label | None],
    sight: Sight,
) -> None:
    """Give texts to the slots that markup left without a label, by least total cost."""
    open_slots = [i for i, label in enumerate(labels) if label is None and slots[i].visible]
    if not open_slots:
        return
    chosen = give_texts(
        [slots[i] for i in open_slots],
        [candidates[i] for i in open_slots],
        [_price_of_none(slots[i]) for i in open_slots],
        candidates,
    )
    for i, given in zip(open_slots, chosen, strict=True):
        if given.text is None:
            continue
        text = sight.texts[given.text]
        others = {n: c for n, c in candidates[i].items() if n != given.text}
        cost, second = round(given.cost, 1), _best(others, sight)
        labels[i] = Label(text.text, _source(text), second, cost, text.box)


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


def _best(given: Mapping[int, Candidate], sight: Sight) -> str:
    """The cheapest text of those given, '' for none."""
    return sight.texts[min(given, key=lambda n: given[n].cost)].text if given else ""


def _fallback(slot: Slot, draft: Draft) -> Label:
    text, source = fallback_label(slot, draft)
    return Label(text, source)
