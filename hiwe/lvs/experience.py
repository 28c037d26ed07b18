"""Crawling experience: what the domains of finite elements teach the table (paper, section 5.5).

A domain is a fuzzy set of weight `EXPERIENCE_WEIGHT`, damped by how sure the match is: what one
site offers need not exist on the next. A value met again is strengthened as by a success.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.lvs.builtin import is_boolean
from hiwe.lvs.concepts import concepts_of
from hiwe.lvs.generic import is_generic_label
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance, WeightChange
from hiwe.lvs.weights import posterior
from hiwe.text import clean, normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.row_table import RowTable
    from hiwe.lvs.value_set import FuzzyValueSet

EXPERIENCE_WEIGHT = 0.8
CLOSEST_SCORE = 0.3  # least score of the row closest to an unlabelled domain (case 3)
LARGEST_DOMAIN = 1000  # a longer list is a directory of its own: it would drown the row
SMALLEST_DOMAIN = 2
# Controls that arrange the answer: their options are no values of the database.
ARRANGING = frozenset({"sort", "page_size", "salutation", "gender", "captcha", "identifier"})


def learn(table: RowTable, element: ElementView, match: LabelMatch) -> tuple[WeightChange, ...]:
    """Learn from one element; nothing from an infinite, tiny, huge or yes/no domain, or of fields.

    Case 1, label and match: the domain joins the row, values already there are strengthened. Case
    2, label without match: a new row. Case 3, no label: the domain joins the closest row with
    the score as its weight.
    """
    domain = _values(element)
    if not element.is_finite or not SMALLEST_DOMAIN <= len(domain) <= LARGEST_DOMAIN:
        return ()
    if is_boolean(domain) or concepts_of(element.label, element.language) & ARRANGING:
        return ()
    if match.rule == "fields":
        return ()  # the options are names of fields, no values
    if match.row is not None and match.rule != "domain":
        weight = EXPERIENCE_WEIGHT * match.similarity
        return _union(match.row, domain, weight, cause=f"experience: domain of {element.label!r}")
    if element.label and normalise(element.label) and not is_generic_label(element.label):
        return _new_row(table, element, domain)
    return _closest(table, element, domain)


def _values(element: ElementView) -> list[str]:
    """The options that may be values elsewhere: with a letter or a digit, each once."""
    spaced = (" ".join(option.split()) for option in element.domain)
    return list(dict.fromkeys(option for option in spaced if re.search(r"[^\W_]", option)))


def _union(
    row: Row, domain: Sequence[str], weight: float, *, cause: str
) -> tuple[WeightChange, ...]:
    """Fuzzy union of the row's values and the domain; what both have is strengthened."""
    changes = []
    for option in domain:
        known = row.values.find(option)
        if known is None:
            row.values.add(option, weight, Provenance.EXPERIENCE)
            changes.append(WeightChange(row.label, option, None, weight, cause))
            continue
        before = row.values.record(known)
        if before.provenance.is_fixed:
            continue
        row.values.count(known, successes=1.0)
        after = row.values.record(known)
        row.values.set_weight(known, posterior(after.start, after.successes, after.failures))
        new = row.values.weight(known)
        if new != before.weight:
            changes.append(WeightChange(row.label, known, before.weight, new, cause))
    return tuple(changes)


def _new_row(
    table: RowTable, element: ElementView, domain: Sequence[str]
) -> tuple[WeightChange, ...]:
    label = clean(element.label)
    row = table.add_row(Row(label, provenance=Provenance.EXPERIENCE))
    return _union(row, domain, EXPERIENCE_WEIGHT, cause=f"experience: new row {label!r}")


def _closest(
    table: RowTable, element: ElementView, domain: Sequence[str]
) -> tuple[WeightChange, ...]:
    scored = [(score(table.values_of(row, element.language), domain), row) for row in table.rows]
    best, row = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    if row is None or best < CLOSEST_SCORE:
        return ()
    return _union(row, domain, best, cause=f"experience: domain closest to row, score {best:.2f}")


def score(values: FuzzyValueSet, domain: Sequence[str]) -> float:
    """Closeness of a row to a domain: sum of M_V over the domain, by the domain's size."""
    found = (values.find(option) for option in domain)
    return sum(values.weight(value) for value in found if value is not None) / max(1, len(domain))
