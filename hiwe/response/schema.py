"""Wanted fields: which of a site's own field names stand for them, by the likeness of labels.

So records of several sites come out as one table: 'Regista', 'Regie' and 'directed_by' all become
the wanted 'Director'. The likeness is that of the label match (the paper, section 3.2): words
whatever their order, plurals, misspellings, what common concepts are called in other languages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from hiwe.lvs.element_view import ElementView
from hiwe.lvs.match import label_match
from hiwe.lvs.row import Row
from hiwe.lvs.row_table import RowTable
from hiwe.response.names import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Schema = Mapping[str, Sequence[str]]  # wanted name -> what sites call it
    Fields = Sequence[tuple[str, str]]

SIGMA = 0.75  # least likeness of a found and a wanted name
_NUMBER_AT_END = re.compile(r"\s+\d+$")  # 'Text 2': the second of that name in its item


def wanted_names(found: Iterable[str], schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return wanted name -> the found names that stand for it, likeliest first.

    Each found name stands for one wanted name at most; () for a wanted name that nothing is like.
    """
    table = RowTable(Row(name, aliases=tuple(labels)) for name, labels in schema.items())
    hits: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for name in dict.fromkeys(found):
        label = _NUMBER_AT_END.sub("", readable(name))
        match = label_match(table, ElementView(label, name=name), sigma=SIGMA, generic=False)
        if match.row is not None:
            hits[match.row.label].append((-match.similarity, name))
    return {
        name: tuple(found for _, found in sorted(hits[name], key=lambda hit: hit[0]))
        for name in schema
    }


def renamed(fields: Fields, names: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Return the fields under their wanted names, in the order of `names`, the others after them.

    `names` is what `wanted_names` returns. Of several found names of one wanted name the likeliest
    that has a value gives it; the others stay as they are called.
    """
    given = dict(fields)
    taken: dict[str, str] = {}  # found -> wanted
    for wanted, candidates in names.items():
        name = next((name for name in candidates if given.get(name)), None)
        if name is not None:
            taken[name] = wanted
    first = [(wanted, given[name]) for name, wanted in taken.items()]
    rest = [(name, value) for name, value in fields if name not in taken]
    used = set(taken.values())
    return (*first, *((f"{name} (site)" if name in used else name, v) for name, v in rest))
