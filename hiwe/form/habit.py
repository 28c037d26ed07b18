"""The form as a whole: texts given to all slots together, by the habit that costs least.

A form puts its labels on one side. Which side is not known beforehand: the assignment is made for
each habit, and the cheapest counts. An unusual habit (labels below, behind) has a price of its own,
so that it must fit several slots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.assign import assign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.cost import Candidate
    from hiwe.form.slot import Slot

HABITS: dict[str, dict[str, float]] = {  # kind of slot -> unusual side -> price of the habit
    "field": {"below": 40.0, "right": 40.0},
    "choice": {"left": 30.0, "below": 30.0, "above": 40.0},
}
FOR_EACH = {"field": 14.0, "choice": 4.0}  # and for each slot that follows it
GOOD = 34.0  # a form whose slots all have a text this cheap needs no other habit
CLOSER_TO_OTHER = 0.6  # of the difference in cost


@dataclass(frozen=True, slots=True)
class Given:
    """One slot's text (None for none) and its cost."""

    text: int | None
    cost: float


def give_texts(
    slots: Sequence[Slot],
    candidates: Sequence[dict[int, Candidate]],
    without: Sequence[float],
    everyone: Sequence[dict[int, Candidate]],
) -> list[Given]:
    """Give texts to slots at least total cost.

    `everyone` holds the candidates of all slots of the form, labelled by markup too: a text that
    suits one of them better is dearer for the others.
    """
    habit: dict[str, str] = {}
    best = _assigned(slots, candidates, without, everyone, habit)
    for kind, sides in HABITS.items():
        mine = [i for i, slot in enumerate(slots) if slot.kind == kind]
        if len(mine) < 2 or all(best[i].text is not None and best[i].cost < GOOD for i in mine):
            continue
        least, chosen = sum(g.cost for g in best), best
        for side, price in sides.items():
            if not any(c.side == side for i in mine for c in candidates[i].values()):
                continue
            tried = _assigned(slots, candidates, without, everyone, {**habit, kind: side})
            total = sum(g.cost for g in tried) + price + FOR_EACH[kind] * len(mine)
            if total < least:
                least, chosen = total, tried
        best = chosen
    return best


def _assigned(
    slots: Sequence[Slot],
    candidates: Sequence[dict[int, Candidate]],
    without: Sequence[float],
    everyone: Sequence[dict[int, Candidate]],
    habit: dict[str, str],
) -> list[Given]:
    lowest: dict[int, float] = {}
    for given in everyone:
        for number, candidate in given.items():
            cost = candidate.under(habit)
            lowest[number] = min(cost, lowest.get(number, cost))
    costs = []
    for given in candidates:
        row = {}
        for number, candidate in given.items():
            cost = candidate.under(habit)
            row[number] = cost + CLOSER_TO_OTHER * (cost - lowest[number])
        costs.append(row)
    chosen = assign(costs, without)
    return [
        Given(number, without[i] if number is None else costs[i][number])
        for i, number in enumerate(chosen)
    ]
