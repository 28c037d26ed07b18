"""Boxes beside a list of fields: each row's values go in together with the option that names it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.form.field_list import field_lists, is_compared, may_be_spoken_for, may_name_fields
from hiwe.lvs.concepts import concepts_of
from hiwe.lvs.field_match import field_matches
from hiwe.lvs.match import LabelMatch
from hiwe.submission.assignment import Binding
from hiwe.submission.values import DOMAIN_WEIGHT, ElementValues, text_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe.form.field_list import FieldList
    from hiwe.form.form import Form
    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.match import FieldMatch
    from hiwe.lvs.table import LvsTable

RULE = "fields"


def match_field_lists(
    form: Form,
    views: Mapping[int, ElementView],
    matches: Mapping[int, LabelMatch],
    lvs: LvsTable,
    *,
    sigma: float,
) -> dict[int, LabelMatch]:
    """The matches again, those of lists of fields and of the boxes beside them replaced.

    Of several rows of criteria with one list the first is used: the others ask the same.
    """
    boxes = frozenset(at for at, match in matches.items() if _is_open(form, at, match))
    found: dict[int, tuple[FieldMatch, ...]] = {}
    for at in matches if boxes else ():
        if may_name_fields(form.elements[at]):
            fields = field_matches(lvs, views[at], views[min(boxes)], sigma=sigma)
            if fields is not None or is_compared(form, at):
                found[at] = fields or ()
    changed = dict(matches)
    seen: set[tuple[str, ...]] = set()
    for pair in field_lists(form, frozenset(found), boxes):
        fields, domain = found[pair.fields], views[pair.fields].domain
        changed[pair.fields] = LabelMatch(None, 0.0, RULE)
        if fields:
            named = () if domain in seen else fields
            by = ", ".join(one.label for one in named)
            changed[pair.box] = LabelMatch(None, 0.0, RULE, by=by, fields=named)
        seen.add(domain)
    return changed


def _is_open(form: Form, at: int, match: LabelMatch) -> bool:
    """Whether a list may say what a box is for: its own label tells of nothing."""
    element = form.elements[at]
    told = concepts_of(element.label if element.label_source != "name" else "", form.language)
    return may_be_spoken_for(element) and match.row is None and told <= {"keyword"}


def with_field_lists(
    form: Form,
    values: Sequence[ElementValues],
    views: Mapping[int, ElementView],
    matches: Mapping[int, LabelMatch],
    lvs: LvsTable,
) -> tuple[ElementValues, ...]:
    """The elements' values, with those of boxes beside a list of fields; the list has none."""
    ruled = frozenset(at for at, match in matches.items() if match.rule == RULE)
    lists = frozenset(at for at in ruled if may_name_fields(form.elements[at]))
    pairs = [pair for pair in field_lists(form, lists, ruled - lists) if matches[pair.box].fields]
    kept = [v for v in values if v.element not in ruled]
    for pair in pairs:
        found = _values(form, pair, views[pair.box], matches[pair.box].fields, lvs)
        element = form.elements[pair.box]
        if found.values:
            required = element.required or form.elements[pair.fields].required
            kept.append(replace(found, optional=not required, required=required))
    return tuple(sorted(kept, key=lambda v: v.element))


def _values(
    form: Form, pair: FieldList, box: ElementView, fields: Sequence[FieldMatch], lvs: LvsTable
) -> ElementValues:
    """All values of the box, heaviest first, each row's with the option that names the row."""
    operator = _operator(form, pair)
    values: list[Binding] = []
    for field in _one_a_row(fields):
        option = Binding(pair.fields, field.label, DOMAIN_WEIGHT, option=field.option)
        named = {value.row for value in values}
        taken = [
            value
            for value in lvs.value_set(replace(box, label=field.label, domain=()), field.match)
            if value.row not in named
        ]
        found = text_values(pair.box, (), taken)
        values += (replace(value, beside=(option, *operator)) for value in found)
    return ElementValues(
        element=pair.box,
        values=tuple(sorted(values, key=lambda b: -b.weight)),
        optional=True,
        required=False,
        neutral_default=True,
    )


def _one_a_row(fields: Sequence[FieldMatch]) -> list[FieldMatch]:
    """The option nearest to each row; last the one for anything, for rows that no option names."""
    best: dict[str, FieldMatch] = {}
    for field in fields:
        row = field.match.row.label if field.match.row is not None else ""
        if row not in best or field.match.similarity > best[row].match.similarity:
            best[row] = field
    return sorted(best.values(), key=lambda field: field.match.row is None)


def _operator(form: Form, pair: FieldList) -> tuple[Binding, ...]:
    """What contains the value is asked for, where the operator's default wants it exact."""
    if pair.operator is None or pair.widest is None:
        return ()
    widest = form.elements[pair.operator].options[pair.widest]
    return (Binding(pair.operator, widest.label, DOMAIN_WEIGHT, option=pair.widest),)
