"""Ranges: two elements from/to that bound one quantity; their intervals are split in halves.

Points of a range are years, whole numbers, prices or dates. A list of choices that are none
of these ('Jan', 'Feb') counts its choices.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from hiwe.lvs.dates import date_format, parse_date, write_date

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.form import Element, Form
    from hiwe.submission.assignment import Binding

_NUMBER = re.compile(r"[^\d.,+-]*([+-]?\d+(?:[ ,.]\d{3})*(?:[.,]\d{1,2})?)[^\d.,]*")
_CENT = 0.01
TEXTS = frozenset({"text", "search"})


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a range's scale: a number, or a date as its day number."""

    kind: str  # whole | decimal | date | place
    at: float


@dataclass(frozen=True, slots=True)
class Range:
    """A from/to pair: their positions and values, sorted along one scale.

    `floor` and `ceiling` are what the untouched halves stand for: infinite when they are open.
    """

    start: int
    end: int
    kind: str
    starts: tuple[tuple[float, Binding], ...]
    ends: tuple[tuple[float, Binding], ...]
    floor: float = -math.inf
    ceiling: float = math.inf
    pattern: str = ""  # strftime format in which the page wants dates written, '' if unknown

    def at(self, binding: Binding) -> float | None:
        """Where a value of either half lies, None if it is not on the scale."""
        values = self.starts if binding.element == self.start else self.ends
        for at, known in values:
            if known.value == binding.value and known.option == binding.option:
                return at
        point = point_of(binding.value, self.pattern) if binding.option is None else None
        return point.at if point and _kin(point.kind, self.kind) else None

    def span(self, bindings: tuple[Binding, ...]) -> tuple[float, float] | None:
        """The interval that an assignment asks for; None when one end is not on the scale."""
        low, high = self.floor, self.ceiling
        for binding in bindings:
            at = self.at(binding) if binding.element in (self.start, self.end) else 0.0
            if at is None:
                return None
            if binding.element == self.start:
                low = at
            elif binding.element == self.end:
                high = at
        return low, high

    def whole(self) -> tuple[Binding, Binding] | None:
        """From the least to the greatest value, None when these cross."""
        low, high = self.starts[0], self.ends[-1]
        return (low[1], high[1]) if low[0] <= high[0] else None

    def points(self) -> tuple[tuple[Binding, Binding], ...]:
        """From and to the same value, for every value that both halves have."""
        ends = dict(self.ends)
        return tuple((binding, ends[at]) for at, binding in self.starts if at in ends)

    def halves(self, low: Binding, high: Binding) -> tuple[tuple[Binding, Binding], ...]:
        """The interval in two parts that cover it; nothing for a single point."""
        first, last = self.at(low), self.at(high)
        if first is None or last is None or first >= last:
            return ()
        if low.option is not None or high.option is not None:
            return self._listed_halves(low, high, first, last)
        middle = _middle(self.kind, first, last)
        if middle is None:
            return ()
        before, after = middle
        lighter = min((low, high), key=lambda b: b.weight)
        end, start = self._made(high, before, lighter), self._made(low, after, lighter)
        return (low, end), (start, high)

    def beyond(self, bound: Binding) -> tuple[tuple[Binding, ...], ...]:
        """An interval that is open at one side, in a bounded part and an open rest.

        The bounded part is a quarter of the table's values wide, and twice as far each time.
        Lists end where their choices end, so nothing lies beyond them.
        """
        at = self.at(bound)
        if at is None or bound.option is not None:
            return ()
        low, high = self.starts[0], self.ends[-1]
        upward = bound.element == self.start
        edge = at - high[0] if upward else low[0] - at
        width = max(1.0, (high[0] - low[0]) // 4, 2 * edge)
        inner, outer = (at + width, at + width + 1) if upward else (at - width, at - width - 1)
        if self.kind == "decimal":
            outer = inner
        if inner < 0:
            return ()
        near, far = (self.ends, self.starts) if upward else (self.starts, self.ends)
        stop = self._made(near[0][1], inner, bound)
        rest = self._made(far[0][1], outer, bound)
        return ((bound, stop) if upward else (stop, bound)), (rest,)

    def _made(self, like: Binding, at: float, beside: Binding) -> Binding:
        text = _write(self.kind, at, self.pattern, beside)
        return replace(like, value=text, weight=beside.weight, source="")

    def _listed_halves(
        self, low: Binding, high: Binding, first: float, last: float
    ) -> tuple[tuple[Binding, Binding], ...]:
        starts = [pair for pair in self.starts if first < pair[0] <= last]
        ends = [pair for pair in self.ends if first <= pair[0] < last]
        if not starts or not ends:
            return ()
        start = starts[(len(starts) - 1) // 2]
        before = [pair for pair in ends if pair[0] < start[0]]
        return ((low, before[-1][1]), (start[1], high)) if before else ()


def point_of(text: str, pattern: str = "") -> Point | None:
    """The point that a value names: a date, a whole number, a price; None if it is none.

    `pattern` is the format of dates, where the page shows one: 03/04 may be the fourth of March.
    """
    stripped = text.strip()
    if pattern:
        try:
            return Point("date", float(datetime.strptime(stripped, pattern).toordinal()))
        except ValueError:
            pass  # not a date as the page wants it
    if not re.fullmatch(r"\d{1,8}", stripped):
        found = parse_date(stripped) if re.search(r"\d", stripped) else None
        if found is not None:
            return Point("date", float(found.toordinal()))
    month = re.fullmatch(r"(\d{4})-(\d{2})", stripped)
    if month and 1 <= int(month.group(2)) <= 12:
        return Point("date", float(date(int(month.group(1)), int(month.group(2)), 1).toordinal()))
    number = _NUMBER.fullmatch(stripped)
    return _number(number.group(1)) if number else None


def _number(text: str) -> Point:
    parts = re.split(r"[.,](?=\d{1,2}$)", text)
    whole = re.sub(r"[ ,.]", "", parts[0])
    if len(parts) == 1:
        return Point("whole", float(whole))
    return Point("decimal", float(f"{whole}.{parts[1]}"))


def find_range(
    form: Form, position: int, values: Sequence[Binding], others: Sequence[Binding]
) -> Range | None:
    """The range that starts at `position` with its values and those of its other half.

    None when the element starts none, or when a half has no values on a common scale.
    """
    element = form.elements[position]
    if element.range_role != "from" or element.range_with is None:
        return None
    other = form.elements[element.range_with]
    pattern = _pattern(element) or _pattern(other)
    kind, starts, ends = _scaled(element, other, values, others, pattern)
    if not starts or not ends:
        return None
    found = Range(position, element.range_with, kind, starts, ends, pattern=pattern)
    return replace(
        found,
        floor=_preset(element, found.starts, -math.inf, pattern),
        ceiling=_preset(other, found.ends, math.inf, pattern),
    )


def _pattern(element: Element) -> str:
    """The format of dates that the page shows at a text box, '' for none."""
    shown = element.placeholder or element.hint
    return date_format(shown, element.label_text) or "" if element.kind in TEXTS else ""


_Scale = tuple[tuple[float, "Binding"], ...]


def _scaled(
    element: Element,
    other: Element,
    values: Sequence[Binding],
    others: Sequence[Binding],
    pattern: str,
) -> tuple[str, _Scale, _Scale]:
    points = {b.value: point_of(b.value, pattern) for b in (*values, *others)}
    known = [p for p in points.values() if p is not None]
    lists = element.is_finite and other.is_finite
    if lists and len(known) < len(points):
        same = tuple(o.label for o in element.options) == tuple(o.label for o in other.options)
        return ("place", _placed(values), _placed(others)) if same else ("place", (), ())
    dates = sum(p.kind == "date" for p in known) * 2 > len(known)
    usable = {v: p.at for v, p in points.items() if p and (p.kind == "date") == dates}
    decimal = any(p.kind == "decimal" for p in known)
    kind = "date" if dates else "decimal" if decimal else "whole"
    return kind, _sorted(values, usable), _sorted(others, usable)


def _placed(values: Sequence[Binding]) -> _Scale:
    return tuple(sorted(((float(b.option or 0), b) for b in values), key=lambda pair: pair[0]))


def _sorted(values: Sequence[Binding], at: dict[str, float]) -> _Scale:
    pairs = [(at[b.value], b) for b in values if b.value in at]
    return tuple(sorted(pairs, key=lambda pair: pair[0]))


def _preset(element: Element, values: _Scale, unbounded: float, pattern: str) -> float:
    """What the half asks for untouched."""
    if element.default == (element.neutral or ""):
        return unbounded
    for at, binding in values:
        if binding.option is not None and element.options[binding.option].value == element.default:
            return at
    point = point_of(element.default, pattern)
    return point.at if point else unbounded


def _kin(kind: str, scale: str) -> bool:
    return (kind == "date") == (scale == "date") and scale != "place"


def _middle(kind: str, first: float, last: float) -> tuple[float, float] | None:
    """End of the first half and start of the second; prices share theirs, days do not."""
    if kind == "decimal":
        middle = round((first + last) / 2, 2)
        return (middle, middle) if last - first > 2 * _CENT else None
    middle = math.floor((first + last) / 2)
    return middle, middle + 1


def _write(kind: str, at: float, pattern: str, *like: Binding) -> str:
    """A point in the format of the values that stand beside it."""
    if kind == "date":
        day = date.fromordinal(int(at))
        if any(re.fullmatch(r"\d{4}-\d{2}", b.value) for b in like):
            return day.strftime("%Y-%m")
        return write_date(day, pattern or date_format(*(b.value for b in like)) or "%Y-%m-%d")
    return str(int(at)) if kind == "whole" or at == int(at) else f"{at:.2f}"
