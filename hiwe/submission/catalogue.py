"""The sources a form offers at the start: its templates, its dependent elements, its presets."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from hiwe.submission.axis import Axis, axes_of
from hiwe.submission.dated import crossed
from hiwe.submission.known import Part, Reader, preset_of
from hiwe.submission.sources import Chain, Template
from hiwe.submission.values import allowed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.form.form import Form
    from hiwe.submission.assignment import Binding
    from hiwe.submission.rank import RankFunction
    from hiwe.submission.sources import Asked
    from hiwe.submission.values import ElementValues

MOST_GROWN = 30  # templates of several elements that are tried when none is accepted alone
_ALL = frozenset({"", "0", "-1", "-2", "-", "none", "null"})  # neutral values that ask for nothing


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A form's axes and dependent elements, and how its assignments are read."""

    form: Form
    values: tuple[ElementValues, ...]
    axes: tuple[Axis, ...]
    reader: Reader
    function: RankFunction
    rho_min: float
    banned: Mapping[int, ElementValues] = field(default_factory=dict)
    dated: tuple[tuple[ElementValues, ElementValues], ...] = ()

    def bans(self, bindings: Iterable[Binding]) -> bool:
        """Whether an assignment holds a value that a person has banned."""
        return bool(self.banned) and any(
            b.element in self.banned and not allowed(self.banned[b.element], (b,)) for b in bindings
        )

    def crosses(self, bindings: Sequence[Binding]) -> bool:
        """Whether a range of dates in parts would end before it begins."""
        return any(crossed(bindings, starts, ends) for starts, ends in self.dated)

    def core(self, required: frozenset[int]) -> tuple[Axis, ...]:
        """Axes that every template binds."""
        return tuple(a for a in self.axes if a.required or required & set(a.elements))

    def lacks(self, required: frozenset[int]) -> tuple[int, ...]:
        """Required elements, empty as the form stands, that no value is known for."""
        have = {e for v in self.values if v.values or v.parent is not None for e in v.elements}
        return tuple(
            i
            for i, element in enumerate(self.form.elements)
            if (element.required or i in required) and i not in have and not element.default
        )

    def templates(self, required: frozenset[int]) -> list[Template]:
        """The smallest templates: the required axes together, else every axis alone."""
        core = self.core(required)
        if len(core) > 1:
            return [Template(core, "", self.function, self.rho_min)]
        found = []
        for axis in core or self.axes:
            if any(self._is_parent(e) for e in axis.elements):
                continue
            groups = dict.fromkeys(choice.group for choice in axis.choices)
            found += [Template((axis,), g, self.function, self.rho_min) for g in groups]
        return found

    def grown(self, required: frozenset[int]) -> list[Template]:
        """Templates of two and three axes, then of all: for forms that take no single element."""
        core = self.core(required)
        others = [a for a in self.axes if a not in core and not a.lone]
        sets = [
            (*core, *added)
            for size in (1, 2)
            for added in combinations(others, size if core else size + 1)
        ]
        full = (*core, *others)
        chosen = [axes for axes in sets if len(axes) < len(full)][: MOST_GROWN - 1]
        if len(full) > max(1, len(core)):
            chosen.append(full)
        return [Template(axes, "", self.function, self.rho_min) for axes in chosen]

    def chains(self, required: frozenset[int], asked: Asked) -> list[Chain]:
        """The dependent elements, each child with its parents; a parent has one chain."""
        core = self.core(required)
        chains = []
        for path in self._paths():
            elements = {v.element for v in path}
            rest = [a for a in core if not elements & set(a.elements)]
            if core and (len(rest) == len(core)):
                continue
            child = self.form.elements[path[1].element]
            fixed = tuple(b for axis in rest for b in axis.choices[0].bindings)
            opens = child.neutral is not None
            chains.append(Chain(path, opens, asked, self.rho_min, fixed))
        return chains

    def _paths(self) -> list[tuple[ElementValues, ...]]:
        by_element = {v.element: v for v in self.values}
        children: dict[int, ElementValues] = {}
        for v in self.values:
            if v.parent is not None:
                children.setdefault(v.parent, v)
        paths = []
        for v in self.values:
            if v.parent is None and v.element in children:
                path = [v]
                while path[-1].element in children and children[path[-1].element] not in path:
                    path.append(by_element[children[path[-1].element].element])
                paths.append(tuple(path))
        return paths

    def _is_parent(self, element: int) -> bool:
        return any(v.parent == element for v in self.values)

    def restricting(self, required: frozenset[int]) -> list[Axis]:
        """Axes whose preset hides something, and that need not be bound."""
        core = self.core(required)
        return [a for a in self.axes if not a.neutral and a not in core]

    @property
    def has_open_choice(self) -> bool:
        """One of the form's lists has a choice that says 'all' and is sent as such."""
        return any(
            e.fillable
            and e.role == "value"
            and e.neutral == e.default
            and (e.neutral or "").casefold() not in _ALL
            for e in self.form.elements
        )


def catalogue_of(
    form: Form, values: Sequence[ElementValues], *, function: RankFunction, rho_min: float
) -> Catalogue:
    """What a form offers, from the values of its elements."""
    axes = axes_of(form, values, function)
    presets = tuple(_presets(form, values))
    reader = Reader(form, tuple(a.range for a in axes if a.range is not None), presets)
    banned = {v.element: v for v in values if v.banned}
    dated = tuple(_dated(form, values))
    return Catalogue(form, tuple(values), axes, reader, function, rho_min, banned, dated)


def _dated(
    form: Form, values: Iterable[ElementValues]
) -> Iterable[tuple[ElementValues, ElementValues]]:
    """Dates in parts, from and to."""
    dated = {v.element: v for v in values if v.days}
    for place, starts in dated.items():
        element = form.elements[place]
        partners = {p for p in (element.range_with,) if p is not None}
        ends = next((v for e, v in dated.items() if partners & set(v.elements)), None)
        if element.range_role == "from" and ends is not None:
            yield starts, ends


def _presets(form: Form, values: Iterable[ElementValues]) -> Iterable[Part]:
    """Of elements whose preset restricts; a dependent one that has no open choice is unknown."""
    for v in values:
        element = form.elements[v.element]
        if v.parent is not None and element.neutral is None:
            yield v.element, ("?",)
        elif not v.neutral_default and not element.range_role:
            yield preset_of(v.element, element)
