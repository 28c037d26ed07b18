"""Proposal: what a configuration for a site may begin with, from its search forms. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.lvs.generic import is_generic_label
from hiwe.lvs.load import dump_rows
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.text import clean, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.form.form import Element, Form

MOST_VALUES = 60  # of a list's choices that are written down; the crawl takes all of them anyway
DEFAULT_ALPHA = 3  # least elements of a form, as in a task that says nothing
HEAD = """\
# Labels of the search forms of {site}
# Under each, write the values you are after; lists show what the site offers (the first {most}).
# Rows that you have no use for may go, aliases and further rows may come. A list gives every value
# the weight 1.0, a mapping each its own, from 0 to 1.
"""
NO_VALUES = "values: []"
HINT = f"{NO_VALUES} # any text: write values here"


@dataclass(frozen=True, slots=True)
class Proposal:
    """`alpha` is small enough to let the forms in; `table` is YAML; `told` a line for each form."""

    site: str
    alpha: int
    table: str
    told: tuple[str, ...]


def propose(site: str, forms: Sequence[Form]) -> Proposal:
    """A table with the labels and domains of a site's search forms, each label once."""
    parts = [HEAD.format(site=site, most=MOST_VALUES)]
    taken: set[str] = set()
    for form in forms:
        rows = [row for row in _rows(form) if fold(row.label) not in taken]
        taken |= {fold(row.label) for row in rows}
        if rows:
            text = dump_rows(rows).replace(NO_VALUES, HINT)
            parts.append(f"# {form.method} {form.action}\n{text}")
    sizes = [len(form.elements) for form in forms]
    alpha = min([DEFAULT_ALPHA, *sizes])
    return Proposal(site, alpha, "\n".join(parts), tuple(_told(form) for form in forms))


def _rows(form: Form) -> Iterator[Row]:
    """A row for each labelled element that takes values of its own; of a range the first half."""
    for element in _value_elements(form):
        if element.range_role == "to" or is_generic_label(element.label, form.language):
            continue
        row = Row(clean(element.label))
        for value in _domain(element)[:MOST_VALUES]:
            row.values.add(value, 1.0, Provenance.EXPLICIT)
        yield row


def _value_elements(form: Form) -> Iterator[Element]:
    for element in form.elements:
        named = element.label and element.label_source != "name"
        if named and element.fillable and element.role == "value":
            yield element


def _domain(element: Element) -> list[str]:
    found = tuple(option.label for option in element.options) or element.suggestions
    return [text for text in dict.fromkeys(" ".join(value.split()) for value in found) if text]


def _told(form: Form) -> str:
    labels = [element.label for element in _value_elements(form)]
    what = ", ".join(labels) or "a box without a label"
    return f"{form.method} {form.action}: {what}"
