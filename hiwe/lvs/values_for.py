"""The fuzzy value set of an element: its own domain, or the values of the row it matched."""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from hiwe.lvs.fits import write
from hiwe.lvs.value import Provenance, ValueType, WeightedValue, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.row import Row
    from hiwe.lvs.row_table import RowTable
    from hiwe.lvs.value_set import FuzzyValueSet

# Rows whose values go into boxes for anything: the task's own, and the words of its results.
_OWN = (Provenance.EXPLICIT, Provenance.PERSON, Provenance.SOURCE, Provenance.RESULTS)
TYPED_VALUES = 200  # of a row that are looked at to tell its type
_ALIKE = (
    frozenset({ValueType.YEAR, ValueType.INTEGER}),
    frozenset({ValueType.INTEGER, ValueType.MONEY, ValueType.YEAR}),
    frozenset({ValueType.DATE, ValueType.YEAR}),
)
GENERIC_PATIENCE = 3.0  # a row's failures in boxes for anything before its weights sink by half


def value_set(
    table: RowTable, element: ElementView, match: LabelMatch
) -> tuple[WeightedValue, ...]:
    """Values for the element with their weights, in the order they should be tried.

    A finite domain is the value set, each option with weight 1, those that the row has first. A box
    with suggestions takes these first, then the row's values. Other elements take the row's
    values that fit their constraints, and a box for anything those of the task's own rows.
    """
    if element.is_finite:
        return tuple(_domain_values(table, element, match))
    if match.generic:
        return _once([*_suggested(table, element, match), *_generic_values(table, element)])
    taken = [*_suggested(table, element, match)]
    if match.row is not None:
        values = table.values_of(match.row, element.language)
        taken += _row_values(match.row, values, element)
    return _once(taken)


def _domain_values(
    table: RowTable, element: ElementView, match: LabelMatch
) -> Iterator[WeightedValue]:
    """The options, those found in the row first; weight 1 is never less than the row's."""
    row = match.row
    values = table.values_of(row, element.language) if row is not None else None
    found: list[WeightedValue] = []
    others: list[WeightedValue] = []
    for option in element.domain:
        value = values.find(option) if values is not None else None
        if row is None or values is None or value is None:
            label = row.label if row else ""
            others.append(WeightedValue(option, 1.0, label, Provenance.DOMAIN))
        else:
            found.append(WeightedValue(option, 1.0, row.label, values.provenance(value), value))
    if values is not None:
        found.sort(key=lambda weighted: -values.weight(weighted.row_value))
    yield from found
    yield from others


def _suggested(table: RowTable, element: ElementView, match: LabelMatch) -> Iterator[WeightedValue]:
    fitting = (w for w in _domain_values(table, element, match) if write(w.value, element))
    label = match.row.label if match.row else ""
    order = {option: at for at, option in enumerate(element.domain)}
    for weighted in sorted(fitting, key=lambda w: order[w.value]):
        yield WeightedValue(weighted.value, 1.0, label, weighted.provenance, weighted.source)


def _row_values(
    row: Row, values: FuzzyValueSet, element: ElementView, factor: float = 1.0
) -> list[WeightedValue]:
    """The row's values that fit, as the element wants them written, heaviest first."""
    taken = []
    kinds = _kinds(values)
    for record in values.records():
        if kinds and not record.provenance.is_fixed and type_of(record.value) not in kinds:
            continue  # 'before 1950' that a select of years taught is no year
        written = write(record.value, element)
        if written is not None:
            source = record.value if written != record.value else ""
            weight = record.weight * factor
            taken.append(WeightedValue(written, weight, row.label, record.provenance, source))
    return sorted(taken, key=lambda weighted: -weighted.weight)


def _kinds(values: FuzzyValueSet) -> frozenset[ValueType]:
    """Types that a learned value of the row may have: those of the values that a person gave.

    Empty where they are of several types, or texts: then any will do.
    """
    fixed = (r.value for r in values.records() if r.provenance.is_fixed)
    types = {type_of(value) for value in islice(fixed, TYPED_VALUES)}
    alike = next((group for group in _ALIKE if types and types <= group), None)
    return alike or frozenset()


def _generic_values(table: RowTable, element: ElementView) -> list[WeightedValue]:
    """Values of the task's own rows, row by row in turn; rows that bring results come first.

    What was merely seen in other forms' domains stays out until it has earned a success.
    """
    own = [row for row in table.rows if row.provenance in _OWN]
    own.sort(key=lambda row: -generic_success(row))
    columns = []
    for row in own:
        values = _row_values(row, row.values, element, _generic_factor(row))
        columns.append([weighted for weighted in values if _is_own(row, weighted)])
    mixed = [weighted for turn in zip_longest(*columns) for weighted in turn if weighted]
    return sorted(mixed, key=lambda weighted: -weighted.weight)


def _is_own(row: Row, weighted: WeightedValue) -> bool:
    if weighted.provenance is not Provenance.EXPERIENCE:
        return True
    return row.values.record(weighted.row_value).successes > 0


def generic_success(row: Row) -> float:
    """Expected success of the row in boxes for anything, from even odds."""
    trials = row.generic_successes + row.generic_failures
    return (row.generic_successes + 1.0) / (trials + 2.0)


def _generic_factor(row: Row) -> float:
    """1 while the row may still bring results; sinks with failures when it never has."""
    if row.generic_successes > 0:
        return 1.0
    return GENERIC_PATIENCE / (GENERIC_PATIENCE + row.generic_failures)


def _once(values: Iterable[WeightedValue]) -> tuple[WeightedValue, ...]:
    """The first of each value as written, minding no case."""
    first: dict[str, WeightedValue] = {}
    for weighted in values:
        first.setdefault(weighted.value.casefold(), weighted)
    return tuple(first.values())
