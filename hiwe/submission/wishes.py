"""Wishes: values that a person pinned or banned, laid over those an element would get. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.form.corrected import PERSON, banned_labels
from hiwe.submission.assignment import Binding
from hiwe.submission.values import allowed, bind_options, parent_of, values_of_element
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiwe.form.form import Element, Form
    from hiwe.submission.values import ElementValues

PINNED_WEIGHT = 1.0  # M_V of a value that a person wants tried: alone it ranks first


@dataclass(frozen=True, slots=True)
class Wish:
    """Values of one element to be tried first, and values never to be sent.

    `row` is the label of the element's LVS row: a pinned value that is in it is credited there.
    """

    pin: tuple[str, ...] = ()
    ban: tuple[str, ...] = ()
    row: str = ""


Wishes = dict[int, Wish]  # by the element's position in the form


def wished(
    form: Form, values: Sequence[ElementValues], wishes: Mapping[int, Wish]
) -> tuple[ElementValues, ...]:
    """The elements' values with pinned ones first and banned ones left out, in form order.

    A pinned value need not be in any row; of a list only a choice that it has can be taken.
    """
    found = {known.element: known for known in values}
    for position, wish in wishes.items():
        known = found.pop(position, None) or _without_values(form, position)
        changed = None if known is None else _wished(form, known, wish)
        if changed is not None and (changed.values or changed.parent is not None):
            found[position] = changed
    return tuple(found[position] for position in sorted(found))


def _without_values(form: Form, position: int) -> ElementValues | None:
    element = form.elements[position]
    parent = parent_of(form, position)
    if not element.fillable or (element.disabled and parent is None):
        return None
    return values_of_element(position, element, (), parent)


def _wished(form: Form, known: ElementValues, wish: Wish) -> ElementValues:
    banned = tuple(sorted(banned_labels(form.elements[known.element], wish.ban)))
    barred = replace(known, banned=banned)
    pinned = allowed(barred, _pinned(form, known, wish))
    taken = {(fold(binding.value), binding.beside) for binding in pinned}
    others = (b for b in allowed(barred, known.values) if (fold(b.value), b.beside) not in taken)
    return replace(barred, values=(*pinned, *others), pinned=len(pinned))


def _pinned(form: Form, known: ElementValues, wish: Wish) -> tuple[Binding, ...]:
    """Bindings of the pinned values, in a person's order; as they are known, where they are."""
    element = form.elements[known.element]
    find = _choice if element.is_finite else _text
    found = (find(element, known, wish, text) for text in wish.pin)
    return tuple(replace(b, weight=PINNED_WEIGHT) for b in found if b is not None)


def _text(_: Element, known: ElementValues, wish: Wish, text: str) -> Binding:
    same = (b for b in known.values if fold(b.value) == fold(text))
    new = Binding(known.element, text, PINNED_WEIGHT, wish.row, provenance=PERSON)
    return next(same, new)


def _choice(element: Element, known: ElementValues, _: Wish, text: str) -> Binding | None:
    """The choice that a pinned value names, None if the list has none of it."""
    named = _named(element, known.element, text)
    if named is None:
        return None
    return next((b for b in known.values if b.option == named.option), named)


def _named(element: Element, position: int, text: str) -> Binding | None:
    wanted = Binding(position, text, PINNED_WEIGHT, provenance=PERSON)
    bound = bind_options(position, element.options, [wanted])
    return next((b for b in bound if b.provenance == PERSON), None)


def has_choice(element: Element, text: str) -> bool:
    """Whether a list as it was found has the choice that a pinned value names."""
    return _named(element, 0, text) is not None


def bars(form: Form, wishes: Mapping[int, Wish], bindings: Iterable[Binding]) -> bool:
    """Whether bindings of the form hold a value that a person has banned."""
    return any(
        {fold(b.value), fold(b.row_value)} & banned_labels(form.elements[b.element], wish.ban)
        for b in bindings
        if (wish := wishes.get(b.element)) is not None
    )


def unmet_wishes(
    form: Form, values: Sequence[ElementValues], wishes: Mapping[int, Wish]
) -> Iterator[str]:
    """Yield the pinned values that no element can be set to, in words."""
    found = {known.element: known for known in values}
    for position, wish in wishes.items():
        known = found.get(position)
        lost = [text for text in wish.pin if known is None or not _takes(form, known, wish, text)]
        if lost:
            element = form.elements[position]
            yield f"{element.name or element.label}: {', '.join(lost)} cannot be chosen there"


def _takes(form: Form, known: ElementValues, wish: Wish, text: str) -> bool:
    """Whether an element can be set to one pinned value."""
    return bool(allowed(known, _pinned(form, known, replace(wish, pin=(text,)))))
