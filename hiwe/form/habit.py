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
LINE_PX = 12.0  # fields of one line have their middles this near
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
    suits one of them better is dearer for the others. A habit is tried for all slots of a kind,
    then for the fields of one line: a block of a form may have a habit of its own.
    """
    lowest = _lowest(everyone)
    best = _assigned(candidates, without, lowest, {})
    for kind in HABITS:
        mine = [i for i, slot in enumerate(slots) if slot.kind == kind]
        best = _with_habit(kind, mine, best, candidates, without, lowest)
    for line in _lines(slots):
        best = _with_habit("field", line, best, candidates, without, lowest)
    return best


def _with_habit(
    kind: str,
    mine: Sequence[int],
    best: list[Given],
    candidates: Sequence[dict[int, Candidate]],
    without: Sequence[float],
    lowest: dict[int, float],
) -> list[Given]:
    """What the slots of `mine` get where they have their labels on an unusual side, if cheaper."""
    if len(mine) < 2 or all(best[i].text is not None and best[i].cost < GOOD for i in mine):
        return best
    least, chosen = sum(g.cost for g in best), best
    for side, price in HABITS[kind].items():
        if not any(c.side == side for i in mine for c in candidates[i].values()):
            continue
        tried = _assigned(candidates, without, lowest, dict.fromkeys(mine, side))
        total = sum(g.cost for g in tried) + price + FOR_EACH[kind] * len(mine)
        if total < least:
            least, chosen = total, tried
    return chosen


def _lines(slots: Sequence[Slot]) -> list[list[int]]:
    """The fields that stand on one line, two at least, where not all stand there."""
    lines: list[list[int]] = []
    for i, slot in enumerate(slots):
        if slot.kind != "field":
            continue
        middle = slot.box.y + slot.box.h / 2
        other = slots[lines[-1][0]].box if lines else None
        if other is not None and abs(middle - other.y - other.h / 2) < LINE_PX:
            lines[-1].append(i)
        else:
            lines.append([i])
    return [line for line in lines if len(line) > 1] if len(lines) > 1 else []


def _lowest(everyone: Sequence[dict[int, Candidate]]) -> dict[int, float]:
    lowest: dict[int, float] = {}
    for given in everyone:
        for number, candidate in given.items():
            lowest[number] = min(candidate.cost, lowest.get(number, candidate.cost))
    return lowest


def _assigned(
    candidates: Sequence[dict[int, Candidate]],
    without: Sequence[float],
    lowest: dict[int, float],
    habit: dict[int, str],
) -> list[Given]:
    """The assignment where some slots have their labels on the side that `habit` names."""
    given_costs = [
        {n: c.under(habit.get(i, "")) for n, c in given.items()}
        for i, given in enumerate(candidates)
    ]
    least = dict(lowest)
    for i in habit:
        for number, cost in given_costs[i].items():
            least[number] = min(cost, least[number])
    costs = [
        {n: cost + CLOSER_TO_OTHER * (cost - least[n]) for n, cost in row.items()}
        for row in given_costs
    ]
    chosen = assign(costs, without)
    return [
        Given(number, without[i] if number is None else costs[i][number])
        for i, number in enumerate(chosen)
    ]
