"""Dates that a form asks for in parts: day, month and year are bound together, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from hiwe.lvs.dates import parse_date
from hiwe.submission.assignment import Binding
from hiwe.submission.values import DOMAIN_WEIGHT, ElementValues

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from hiwe.form.form import Element, Form
    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.table import LvsTable

PARTS = ("day", "month", "year")
MOST = 40  # dates made of a list of years
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class _Group:
    """The positions of a date's parts, by part."""

    places: Mapping[str, int]

    @property
    def first(self) -> int:
        """The part that stands first: it carries the values."""
        return min(self.places.values())


def with_dates(
    form: Form,
    values: Sequence[ElementValues],
    views: Mapping[int, ElementView],
    matches: Mapping[int, LabelMatch],
    lvs: LvsTable,
) -> tuple[ElementValues, ...]:
    """The elements' values, those of a date's parts joined; parts without any date stay alone."""
    kept = {v.element: v for v in values}
    for group in _groups(form):
        if not all(place in views for place in group.places.values()):
            continue
        days = tuple(_dates(form, group, views, matches, lvs))
        joined = [(parts, day) for day in days if (parts := _parts(form, group, day))]
        if not joined:
            continue
        for place in group.places.values():
            kept.pop(place, None)
        kept[group.first] = _element_values(form, group, joined)
    return tuple(sorted(kept.values(), key=lambda v: v.element))


def crossed(bindings: Iterable[Binding], starts: ElementValues, ends: ElementValues) -> bool:
    """Whether the two dates of a range are bound and the first lies behind the second."""
    bound = frozenset(bindings)
    first, last = (_bound_day(bound, v) for v in (starts, ends))
    return bool(first and last) and first > last


def _bound_day(bound: Set[Binding], values: ElementValues) -> str:
    if not any(b.element == values.element for b in bound):
        return ""
    return next((day for parts, day in values.days if bound >= {*parts}), "")


def _groups(form: Form) -> Iterator[_Group]:
    """The groups of elements that hold a day, a month and a year."""
    for position, element in enumerate(form.elements):
        if element.part_with and element.part_with[0] == position:
            places = {form.elements[p].part: p for p in element.part_with}
            if all(part in places for part in PARTS):
                yield _Group({part: places[part] for part in PARTS})


def _dates(
    form: Form,
    group: _Group,
    views: Mapping[int, ElementView],
    matches: Mapping[int, LabelMatch],
    lvs: LvsTable,
) -> Iterator[Binding]:
    """Bindings whose value is a day in ISO form: the row's dates, or one for each year."""
    later = form.elements[group.first].range_role == "to"
    matched = (matches[p] for p in group.places.values() if p in matches and matches[p].row)
    match = next(matched, None)
    seen: set[str] = set()
    if match is not None:
        view = replace(views[group.first], kind="text", domain=(), placeholder=None, pattern=None)
        for value in lvs.value_set(replace(view, maxlength=None), match):
            day = _day(value.value, view.language, later=later)
            if day and day not in seen:
                seen.add(day)
                source, kind = value.source or value.value, str(value.provenance)
                weight = min(1.0, max(0.0, value.weight))
                yield Binding(group.first, day, weight, value.row, source=source, provenance=kind)
    years = [o.label for o in form.elements[group.places["year"]].options]
    for year in [] if seen else years[:MOST]:
        if _YEAR.fullmatch(year.strip()):
            day = _day(year, None, later=later)
            yield Binding(group.first, day, DOMAIN_WEIGHT, provenance="domain")


def _day(text: str, language: str | None, *, later: bool) -> str:
    """The day that a text names; of a year its first, or its last where a range ends."""
    if _YEAR.fullmatch(text.strip()):
        return f"{text.strip()}-{'12-31' if later else '01-01'}"
    found = parse_date(text, language)
    return found.isoformat() if found else ""


def _parts(form: Form, group: _Group, day: Binding) -> tuple[Binding, ...]:
    """The bindings of the parts of a day, the first one first; none when a list lacks one."""
    when = date.fromisoformat(day.value)
    found = {}
    for part, place in group.places.items():
        number = {"day": when.day, "month": when.month, "year": when.year}[part]
        binding = _part(form.elements[place], place, part, number)
        if binding is None:
            return ()
        if place == group.first:  # it tells where the whole date came from
            source = day.source or day.value
            binding = replace(day, value=binding.value, option=binding.option, source=source)
        found[place] = binding
    return tuple(found[place] for place in sorted(found))


def _part(element: Element, place: int, part: str, number: int) -> Binding | None:
    """One part as its element takes it: a choice of its list, or digits."""
    if not element.options:
        short = part == "year" and element.maxlength == 2
        text = f"{number % 100:02}" if short else str(number) if part == "year" else f"{number:02}"
        return Binding(place, text, DOMAIN_WEIGHT)
    for at, option in enumerate(element.options):
        if number in _numbers(part, option.label, option.value, at, len(element.options)):
            return Binding(place, option.label, DOMAIN_WEIGHT, option=at)
    return None


def _numbers(part: str, label: str, value: str, at: int, count: int) -> Iterable[int]:
    """What a choice may stand for: the number it shows; a month also by its name or place."""
    digits = re.search(r"\d+", label)
    if digits:
        return (int(digits.group()),)
    if part != "month":
        return ()
    named = parse_date(f"1 {label.strip('. ')} 2001")
    if named is not None:
        return (named.month,)
    return (at + 1,) if count == 12 else (int(value),) if value.isdigit() else ()


def _element_values(
    form: Form, group: _Group, joined: Sequence[tuple[tuple[Binding, ...], Binding]]
) -> ElementValues:
    """The dates as the values of the first part."""
    elements = [form.elements[place] for place in group.places.values()]
    required = any(e.required for e in elements)
    return ElementValues(
        element=group.first,
        values=tuple(replace(first, beside=tuple(others)) for (first, *others), _ in joined),
        optional=not required,
        required=required,
        neutral_default=all(e.default == (e.neutral or "") for e in elements),
        days=tuple((parts, day.value) for parts, day in joined),
    )
