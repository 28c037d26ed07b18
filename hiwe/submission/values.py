"""Values of the elements of one form, as bindings: value sets brought to the form's own options."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.form.caption import split_choices
from hiwe.submission.assignment import Binding
from hiwe.submission.letters import first_letters, takes_beginnings
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiwe.form.form import Element, Form
    from hiwe.lvs.value import WeightedValue
    from hiwe.page.page import Option

DOMAIN_WEIGHT = 1.0  # paper, section 3.2: the values of a finite domain weigh 1
ENDS = {"date": ("1900-01-01", "2099-12-31"), "month": ("1900-01", "2099-12")}
LIST_KINDS = frozenset({"select", "listbox", "combobox"})
_WORD = re.compile(r"\w+")
_COUNT = re.compile(r"\s*[(\[]\s*\d[\d.,\s]*[)\]]\s*$")  # 'Comedy (35)'


@dataclass(frozen=True, slots=True)
class ElementValues:
    """What one element may be set to, best first.

    `optional`: it may stay at its default. `required`: it has to be bound. `neutral_default`:
    its default leaves the query open. A dependent element (`parent` is the position of the one
    that fills it) may have no options yet; its values are then those of its row, to be looked
    for among the options once they are read. `suggested`: values before those of the row alone
    are the page's own suggestions. `days`: dates in parts, with the day that each is, yyyy-mm-dd.
    The first `pinned` values were pinned by a person; `banned`, folded, are never sent.
    """

    element: int
    values: tuple[Binding, ...]
    optional: bool
    required: bool
    neutral_default: bool
    finite: bool = False
    multiple: bool = False
    lone: bool = False
    suggested: bool = False
    parent: int | None = None
    pinned: int = 0
    banned: tuple[str, ...] = ()
    beginnings: bool = False  # it takes how something begins
    days: tuple[tuple[tuple[Binding, ...], str], ...] = ()

    @property
    def elements(self) -> tuple[int, ...]:
        """Positions of all that is bound with a value of this element."""
        beside = (b.element for value in self.values for b in value.beside)
        return tuple(sorted({self.element, *beside}))

    def bindings(self) -> Iterator[tuple[Binding, ...]]:
        """Each value with what is bound beside it."""
        return (value.spread for value in self.values)


def element_values(
    form: Form, value_sets: Mapping[int, Sequence[WeightedValue]]
) -> tuple[ElementValues, ...]:
    """The elements that a value may go into, in form order, with their values.

    Options that the table knows come before the rest of a domain, suggestions before values of
    the table alone. An element without any value is left out, but for a dependent one.
    """
    found = []
    for position, element in enumerate(form.elements):
        if not element.fillable or element.role != "value":
            continue
        parent = parent_of(form, position)
        if element.disabled and parent is None:
            continue
        values = _values(position, element, value_sets.get(position, ()), parent)
        values = values or _bound(position, element)
        if takes_beginnings(element) and parent is None:
            values = (*values, *first_letters(form, position))
        if values or parent is not None:
            found.append(values_of_element(position, element, values, parent))
    return tuple(found)


def values_of_element(
    position: int, element: Element, values: tuple[Binding, ...], parent: int | None
) -> ElementValues:
    """The values of one element, with what the form says of it."""
    return ElementValues(
        element=position,
        values=values,
        optional=not element.required,
        required=element.required,
        neutral_default=is_neutral(element),
        finite=element.is_finite or parent is not None,
        multiple=element.multiple and element.kind != "radio",
        lone=element.kind == "checkbox" and len(element.options) == 1,
        suggested=bool(element.suggestions) and not element.is_finite,
        parent=parent,
        beginnings=takes_beginnings(element),
    )


def is_neutral(element: Element) -> bool:
    """The default leaves the query open: the caption of a list, no box chosen, no text."""
    return element.default == (element.neutral or "")


def parent_of(form: Form, position: int) -> int | None:
    """The element whose choice fills this one; a list without any option surely has one."""
    element = form.elements[position]
    if element.depends_on is not None:
        return element.depends_on
    empty = element.kind in LIST_KINDS and not element.options and not element.default
    if not empty:
        return None
    lists = [
        i
        for i, other in enumerate(form.elements)
        if other.fillable and other.is_finite and other.role == "value"
    ]
    before = [i for i in lists if i < position]
    return before[-1] if before else next(iter(lists), None)


def bind_options(
    position: int, options: Sequence[Option], wanted: Iterable[Binding]
) -> tuple[Binding, ...]:
    """A binding for every choice; those that are a value of `wanted` come first.

    A choice is the same as a wanted value when their words are (in any order), or its sent
    value is. `option` of the binding is the place in `options`.
    """
    table: dict[str, Binding] = {}
    for binding in wanted:
        table.setdefault(_words(binding.value), binding)
    matched, rest = [], []
    for place, option in enumerate(options):
        if option.disabled:
            continue
        hit = table.get(_words(option.label)) or table.get(_words(option.value))
        if hit is None:
            rest.append(Binding(position, option.label, DOMAIN_WEIGHT, "", place))
            continue
        source = hit.row_value if hit.row_value != option.label else ""
        matched.append(
            replace(hit, value=option.label, option=place, weight=DOMAIN_WEIGHT, source=source)
        )
    return (*matched, *rest)


def child_values(
    child: ElementValues, options: Sequence[Option]
) -> tuple[tuple[Binding, ...], bool]:
    """Bindings for the options read of a dependent element, and whether it may stay open.

    They have no `option`: their place is one in the list that was read, not in the form's.
    """
    choices = split_choices(options, multiple=child.multiple)
    found = allowed(child, bind_options(child.element, choices.values, child.values))
    return tuple(replace(b, option=None) for b in found), choices.neutral is not None


def allowed(values: ElementValues, bindings: Iterable[Binding]) -> tuple[Binding, ...]:
    """The bindings of an element whose value no person has banned."""
    banned = frozenset(values.banned)
    return tuple(b for b in bindings if not {fold(b.value), fold(b.row_value)} & banned)


def _values(
    position: int, element: Element, value_set: Sequence[WeightedValue], parent: int | None
) -> tuple[Binding, ...]:
    if element.is_finite:
        if element.kind == "checkbox" and len(element.options) == 1 and element.default:
            return ()  # ticked already: no binding says 'not ticked'
        wanted = [_binding(position, v) for v in value_set if v.provenance != "domain"]
        return bind_options(position, element.options, wanted)
    if element.kind in LIST_KINDS - {"combobox"} and parent is None:
        return ()  # a list that one searches in shows its choices only then
    return text_values(position, element.suggestions if parent is None else (), value_set)


def _bound(position: int, element: Element) -> tuple[Binding, ...]:
    """The end of the scale, for a half of a range that no value is known for.

    The page says it (`min`, `max`), or the kind of the control does: between its ends a range
    can be split without knowing anything of the subject.
    """
    if element.range_with is None or element.range_role not in ("from", "to"):
        return ()
    first = element.range_role == "from"
    said = element.minimum if first else element.maximum
    value = said or ENDS.get(element.kind, ("", ""))[0 if first else 1]
    return (Binding(position, value, DOMAIN_WEIGHT, provenance="domain"),) if value else ()


def text_values(
    position: int, suggestions: Sequence[str], value_set: Sequence[WeightedValue]
) -> tuple[Binding, ...]:
    """Bindings of a text element: suggestions that the table knows, the others, then the table."""
    table: dict[str, Binding] = {}
    for v in value_set:
        binding = _binding(position, v)
        old = table.get(_plain(v.value))
        if old is None or (binding.weight, bool(binding.row)) > (old.weight, bool(old.row)):
            table[_plain(v.value)] = binding
    known: dict[str, Binding] = {}
    others: dict[str, Binding] = {}
    for text in suggestions:
        hit = table.pop(_plain(text), None) or Binding(position, text, DOMAIN_WEIGHT)
        (known if hit.row else others)[_plain(text)] = replace(hit, weight=DOMAIN_WEIGHT)
    rest = sorted(table.values(), key=lambda b: (-b.weight, not b.row))
    return (*known.values(), *others.values(), *rest)


def _binding(position: int, value: WeightedValue) -> Binding:
    """A value of the domain alone tells nothing of the task, so it has no row."""
    weight = min(1.0, max(0.0, value.weight))
    row = value.row if value.provenance != "domain" else ""
    return Binding(
        position, value.value, weight, row, source=value.source, provenance=str(value.provenance)
    )


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _words(text: str) -> str:
    """Words in any order, without a count behind: 'Spielberg, Steven' is 'steven spielberg'."""
    plain = _COUNT.sub("", text) or text
    return " ".join(sorted(_WORD.findall(fold(plain)))) or _plain(text)
