"""Proposal: what a configuration for a site may begin with, from its search forms. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.init import DEFAULT_ALPHA
from hiwe.lvs.generic import TEXT_KINDS, is_generic_label
from hiwe.lvs.load import dump_rows
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.text import clean, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.form.form import Element, Form

MOST_VALUES = 60  # of a list's choices that are written down
MOST_SUGGESTED = 10  # of a box's suggestions that are named
HEAD = """\
# Labels of the search forms of {site}
# Every value in this file is searched for, in boxes for anything too: write what you are after, and
# delete what you do not want. Aliases and further rows may come. A list of values gives each the
# weight 1.0, a mapping its own, from 0 to 1: values of more weight are tried first.
"""
LISTS_HEAD = """\
# Lists of this form. The crawl knows their choices without these rows; to have some of them tried
# before others, uncomment the label, `values:` and the choices you want (take '# ' away).
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
    """A table with the labels of a site's search forms, each label once, and its lists, dormant."""
    parts = [HEAD.format(site=site)]
    boxes: set[str] = set()
    lists: set[str] = set()
    for form in forms:
        texts = [*_boxes(form, boxes)]
        dormant = [*_lists(form, lists)]
        if dormant:
            texts.append(LISTS_HEAD + "".join(dormant))
        if texts:
            parts.append(f"# {form.method} {form.action}\n{''.join(texts)}")
    sizes = [len(form.elements) for form in forms]
    alpha = min([DEFAULT_ALPHA, *sizes])
    return Proposal(site, alpha, "\n".join(parts), tuple(_told(form) for form in forms))


def _boxes(form: Form, taken: set[str]) -> Iterator[str]:
    """A row for each labelled box whose label is not taken yet; of a range the first half."""
    for element in _value_elements(form):
        if _is_list(element) or is_generic_label(element.label, form.language):
            continue
        label = _new_label(element, taken)
        if label:
            yield dump_rows([Row(label)]).replace(NO_VALUES, HINT + _suggested(element))


def _lists(form: Form, taken: set[str]) -> Iterator[str]:
    """A commented-out row for each list, whatever its label: a choice a line, the first ones."""
    for element in filter(_is_list, _value_elements(form)):
        choices = _domain(element)
        label = _new_label(element, taken) if choices else ""
        if label:
            row = Row(label)
            for value in choices[:MOST_VALUES]:
                row.values.add(value, 1.0, Provenance.EXPLICIT)
            lines = dump_rows([row], one_a_line=True).splitlines()
            if len(choices) > MOST_VALUES:
                lines[0] += f" # the first {MOST_VALUES} of {len(choices)} choices"
            yield "".join(f"# {line}\n" for line in lines)


def _is_list(element: Element) -> bool:
    return element.kind not in TEXT_KINDS and bool(element.options)


def _new_label(element: Element, taken: set[str]) -> str:
    """The label, '' if it is taken or that of a range's second half; it is taken from now on."""
    label = clean(element.label)
    if element.range_role == "to" or fold(label) in taken:
        return ""
    taken.add(fold(label))
    return label


def _suggested(element: Element) -> str:
    found = _domain(element)[:MOST_SUGGESTED]
    return f" (it suggests {', '.join(found)})" if found else ""


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
