"""Lists whose options name fields, not values: 'Title / Author / ISBN' beside a box for the value.

Each option is matched as the label that it would be if the box beside it had it alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.lvs.concepts import concepts_of
from hiwe.lvs.generic import is_generic_label
from hiwe.lvs.match import FieldMatch, label_match

if TYPE_CHECKING:
    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.row_table import RowTable

BY_LABEL = frozenset({"label", "alias", "concept"})
LEAST_NAMED = 0.9  # similarity of an option with a row's label, so that it names the field
LEAST_ROWS = 2  # different rows that the options name: more than chance
LEAST_SHARE = 0.5  # of the options that name known concepts, where fewer rows are named
MOST_OPTIONS = 200  # a longer list holds values


def field_matches(
    table: RowTable, fields: ElementView, box: ElementView, *, sigma: float
) -> tuple[FieldMatch, ...] | None:
    """The options of a list of fields that name a row or anything; None when it lists values."""
    if not 1 < len(fields.domain) <= MOST_OPTIONS:
        return None
    found = []
    for place, option in enumerate(fields.domain):
        alone = replace(box, label=option, placeholder=None, name="", kind="text", domain=())
        match = label_match(table, alone, sigma=max(sigma, LEAST_NAMED))
        if match.generic or (match.row is not None and match.rule in BY_LABEL):
            found.append(FieldMatch(place, option, match))
    rows = {one.match.row.label for one in found if one.match.row is not None}
    return tuple(found) if len(rows) >= LEAST_ROWS or _name_concepts(fields) else None


def _name_concepts(fields: ElementView) -> bool:
    """Whether most options are names that forms give to fields, and not all of one."""
    told = [concepts_of(option, fields.language) for option in fields.domain]
    known = sum(
        bool(concepts) or is_generic_label(option, fields.language)
        for option, concepts in zip(fields.domain, told, strict=True)
    )
    return known >= LEAST_SHARE * len(told) and len(set().union(*told)) >= LEAST_ROWS
