"""Axis: what is bound as one when templates are made: an element, or the two halves of a range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.submission.ranges import Range, find_range
from hiwe.submission.rank import RankFunction, rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.form import Form
    from hiwe.submission.assignment import Binding
    from hiwe.submission.values import ElementValues

TASK, DOMAIN, LAST = 0, 1, 2  # which choices come first: the task's, the form's, side doors
_OTHERS = frozenset({"", "domain", "builtin"})  # provenances that are not the task's own


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to bind an axis. `group` names the choices that fare alike; `turn` their class."""

    bindings: tuple[Binding, ...]
    weight: float
    group: str
    turn: int


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis with its choices, best first.

    `complete`: the choices are all there are. `neutral`: left alone, it hides nothing.
    """

    elements: tuple[int, ...]
    choices: tuple[Choice, ...]
    complete: bool
    neutral: bool
    required: bool
    multiple: bool = False
    lone: bool = False
    range: Range | None = None
    beginnings: bool = False

    @property
    def is_typed(self) -> bool:
        """Its values are the task's, typed in, not choices that the site itself offers."""
        return not self.complete and self.range is None

    def __repr__(self) -> str:
        return f"<Axis {self.elements} {len(self.choices)} choices>"


def axes_of(
    form: Form, values: Sequence[ElementValues], function: RankFunction
) -> tuple[Axis, ...]:
    """The axes of a form, in form order; dependent elements are left to `Chain`."""
    by_element = {v.element: v for v in values if v.parent is None}
    axes: list[Axis] = []
    paired: set[int] = set()
    for position, found in by_element.items():
        if position in paired:
            continue
        partner = form.elements[position].range_with
        other = by_element.get(partner) if partner is not None else None
        pair = _pair(form, found, other)
        if pair is None or other is None:
            axes.append(_single(found))
        else:
            axes.append(_ranged(pair, found, other, function))
            paired.add(other.element)
    return tuple(axes)


def _pair(form: Form, found: ElementValues, other: ElementValues | None) -> Range | None:
    if other is None or found.days or other.days:
        return None
    start, end = (found, other)
    if form.elements[found.element].range_role == "to":
        start, end = (other, found)
    return find_range(form, start.element, start.values, end.values)


def _single(found: ElementValues) -> Axis:
    choices = tuple(
        Choice(bindings, bindings[0].weight, *_group(found, bindings[0]))
        for bindings in found.bindings()
    )
    return Axis(
        elements=found.elements,
        choices=choices,
        complete=found.finite,
        neutral=found.neutral_default,
        required=found.required,
        multiple=found.multiple,
        lone=found.lone,
        beginnings=found.beginnings,
    )


def _group(found: ElementValues, binding: Binding) -> tuple[str, int]:
    """Suggestions and the row's values are one group, as the suggestions have to come first."""
    if found.lone:
        return "tick", LAST
    if found.suggested:
        task = any(is_of_task(b) for b in found.values)
        return "suggested", TASK if task else DOMAIN
    return binding.row or "domain", TASK if is_of_task(binding) else DOMAIN


def is_of_task(binding: Binding) -> bool:
    """The value is from a row of the task's own."""
    return bool(binding.row) and binding.provenance not in _OTHERS


def _ranged(
    pair: Range, found: ElementValues, other: ElementValues, function: RankFunction
) -> Axis:
    whole = pair.whole()
    low, high = pair.starts[-1][1], pair.ends[0][1]
    task = TASK if any(is_of_task(b) for b in (*found.values, *other.values)) else DOMAIN
    ways: list[tuple[tuple[Binding, ...], str, int]] = []
    if whole is not None:
        ways.append((whole, "span", task))
    ways += [((low,), "ends", DOMAIN), ((high,), "ends", DOMAIN)]
    ways += [(point, "points", DOMAIN) for point in pair.points()]
    return Axis(
        elements=(pair.start, pair.end),
        choices=tuple(
            Choice(bound, rank((b.weight for b in bound), function), group, turn)
            for bound, group, turn in ways
        ),
        complete=False,
        neutral=True,  # its presets are bounds, which the spans of answers take into account
        required=found.required or other.required,
        range=pair,
    )
