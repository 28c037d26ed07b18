"""LabelMatch(E): which row of the table an element belongs to, and by which rule (section 5.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.lvs.concepts import concepts_of
from hiwe.lvs.generic import (
    has_search_word,
    is_generic,
    is_generic_label,
    is_plain_search,
    takes_text,
)
from hiwe.lvs.label_index import Hit
from hiwe.text import base_language, ends_otherwise, name_words, remarks, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.label_index import LabelIndex
    from hiwe.lvs.row import Row
    from hiwe.lvs.row_table import RowTable

OWN_WORDS = 0.96  # from here on the label is the row's own, whatever else it may mean
TIE = 0.02  # two rows so near each other are no decision unless both are nearly certain
CERTAIN = 0.9
DOMAIN_OVERLAP = 0.5  # least part of the domain, or of the row, that the other must hold
DOMAIN_LEAST = 2  # least number of values in common
ALTERNATIVE = 0.85  # least similarity of one of several parts of a label
MOST_ALTERNATIVES = 4  # a longer list is prose
# What stands between alternatives: '/', '|', and 'or' where it is a word apart.
_OR = re.compile(
    r"\s*[/|,;]\s*|\s+(?:or|o|oder|ou|eller|lub|или|або|nebo|alebo|tai|vagy|sau|veya|ή|atau|أو|או)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """The row found (or None), how similar, by which rule, and what came second.

    `rule` is 'label', 'alias', 'concept', 'name', 'domain', 'generic', 'fields' or 'none'; a
    generic element has no row. `by` is what of the row the element met: its label, an alias...
    Under 'fields' a list beside the box names what the box is for: `fields` are its options that
    name a row, none of them for the list itself.
    """

    row: Row | None
    similarity: float
    rule: str
    runner_up: str | None = None
    runner_up_similarity: float = 0.0
    generic: bool = False
    by: str = ""
    fields: tuple[FieldMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """An option of a list of fields, its place in it, and the row that it names, if it names one.

    An option that names anything ('Keyword') has a generic match without a row.
    """

    option: int
    label: str
    match: LabelMatch


def label_match(
    table: RowTable, element: ElementView, *, sigma: float, generic: bool = True
) -> LabelMatch:
    """Match by label, else by name, else by domain, else as a box for anything, else none."""
    if element.is_closed:
        return LabelMatch(None, 0.0, "none")
    hits = _label_hits(table, element)
    accepted = _accept(hits, table.rows, element, sigma)
    if generic and accepted and _asks_anything(table, element, accepted):
        return _nothing("generic", hits, table.rows)
    if accepted and accepted.similarity >= CERTAIN:
        return _match(accepted, hits, table.rows)
    named = _by_alternatives(table, element, sigma)
    several = len(named) > 1 or _is_list_for_all(element, named, table.rows)
    if several and generic and takes_text(element):  # a box for several rows
        return _nothing("generic", named, table.rows)
    one = accepted or (named[0] if len(named) == 1 else _by_remark(table, element, sigma))
    if one:
        return _match(one, hits, table.rows)
    by_name = _by_name(table, element, sigma)
    if by_name:
        return _match(by_name, [by_name, *hits], table.rows)
    by_domain = _by_domain(table, element)
    if by_domain:
        return _match(by_domain, [by_domain, *hits], table.rows)
    if generic and is_generic(element):
        return _nothing("generic", hits, table.rows)
    return _nothing("none", hits, table.rows)


def _label_hits(table: RowTable, element: ElementView) -> list[Hit]:
    """Hits in the page's language; in any language where that finds nothing (pages lie)."""
    label = element.label or element.placeholder or ""
    code = base_language(element.language)
    hits = _search(table.index(code), label, code)
    if code is None or (hits and hits[0].similarity >= CERTAIN):
        return hits
    anywhere = _search(table.index(None), label, None)
    better = anywhere and (not hits or anywhere[0].similarity > hits[0].similarity)
    return anywhere if better else hits


def _search(index: LabelIndex, label: str, language: str | None) -> list[Hit]:
    return index.search(words(label, language), agents=not ends_otherwise(label, language))


def _accept(
    hits: Sequence[Hit], rows: Sequence[Row], element: ElementView, sigma: float
) -> Hit | None:
    """The best hit, if it reaches sigma, is no tie, and the label means nothing else."""
    if not hits or hits[0].similarity < sigma:
        return None
    best = hits[0]
    tied = len(hits) > 1 and best.similarity - hits[1].similarity < TIE
    if tied and best.similarity < CERTAIN:
        return None
    if best.similarity < OWN_WORDS and _means_else(rows[best.row], element):
        return None
    return best


def _by_alternatives(table: RowTable, element: ElementView, sigma: float) -> list[Hit]:
    """The rows that a label's parts name: 'Author/Creator' one, 'title, author or ISBN' two."""
    parts = _OR.split(element.label or element.placeholder or "")
    if not 1 < len(parts) <= MOST_ALTERNATIVES:
        return []
    found: dict[int, Hit] = {}
    for part in parts:
        alone = replace(element, label=part, placeholder=None)
        hit = _accept(_label_hits(table, alone), table.rows, alone, max(sigma, ALTERNATIVE))
        if hit:
            found.setdefault(hit.row, hit)
    return list(found.values())


def _by_remark(table: RowTable, element: ElementView, sigma: float) -> Hit | None:
    """The row that a bracketed remark names when the label itself names none: 'Name (author)'."""
    for remark in remarks(element.label):
        alone = replace(element, label=remark, placeholder=None)
        hit = _accept(_label_hits(table, alone), table.rows, alone, max(sigma, CERTAIN))
        if hit:
            return hit
    return None


def _asks_anything(table: RowTable, element: ElementView, hit: Hit) -> bool:
    """Whether the label asks for anything and meets the row by words that say little alone.

    'Search all fields' is no 'Field', 'Title or keyword' no title; a row that a person calls just
    so, or by 'keyword', is meant.
    """
    row, label = table.rows[hit.row], element.label or element.placeholder or ""
    if not takes_text(element) or "keyword" in row.all_concepts():
        return False
    parts = _OR.split(label)
    if 1 < len(parts) <= MOST_ALTERNATIVES and any(map(is_generic_label, filter(None, parts))):
        return True
    if not is_plain_search(label, element.language):
        return False
    own = {_stems(name) for name in (row.label, *row.aliases)}
    return _stems(label) not in own


def _stems(label: str) -> tuple[str, ...]:
    """All words of a label, those that say little too: 'All fields' is not 'Field'."""
    return tuple(sorted(word.stem for word in words(label)))


def _is_list_for_all(element: ElementView, named: Sequence[Hit], rows: Sequence[Row]) -> bool:
    """Whether a label searches for several things, of which the table has but one.

    'Search films, actors, directors' is for all, 'Search by author' is not.
    """
    label = element.label or element.placeholder or ""
    if len(named) != 1 or not has_search_word(label):
        return False
    own = rows[named[0].row].all_concepts() | {"keyword"}
    return any(concepts_of(part, element.language) - own for part in _OR.split(label))


def _means_else(row: Row, element: ElementView) -> bool:
    """Whether the label is understood, and not as what the row is about."""
    said = concepts_of(element.label or element.placeholder or "", element.language)
    return bool(said) and not said & row.all_concepts()


def _by_name(table: RowTable, element: ElementView, sigma: float) -> Hit | None:
    """The row that the name or id attribute spells out in full, if no other is as near."""
    from_name = name_words(element.name)
    if not from_name:
        return None
    hits = table.index(None).search(from_name)
    if not hits or hits[0].similarity < max(sigma, CERTAIN):
        return None
    tied = len(hits) > 1 and hits[0].similarity - hits[1].similarity < TIE
    if tied or _means_else(table.rows[hits[0].row], element):
        return None
    return Hit(hits[0].row, hits[0].similarity, "name", hits[0].name)


def _by_domain(table: RowTable, element: ElementView) -> Hit | None:
    """The row with most values in common with a domain, by part of the smaller of the two."""
    if len(element.domain) < DOMAIN_LEAST:
        return None
    best: Hit | None = None
    for at, row in enumerate(table.rows):
        values = table.values_of(row, element.language)
        common = sum(1 for option in element.domain if values.find(option) is not None)
        score = common / max(1, min(len(element.domain), len(values)))
        enough = common >= DOMAIN_LEAST and score >= DOMAIN_OVERLAP
        if enough and (best is None or score > best.similarity):
            best = Hit(at, score, "domain")
    if best is None:
        return None
    row = table.rows[best.row]
    # Against a row that no concept names a label says little: so much overlap is no chance.
    return None if row.all_concepts() and _means_else(row, element) else best


def _match(best: Hit, hits: Sequence[Hit], rows: Sequence[Row]) -> LabelMatch:
    second = next((hit for hit in hits if hit.row != best.row), None)
    return LabelMatch(
        rows[best.row],
        best.similarity,
        best.rule,
        rows[second.row].label if second else None,
        second.similarity if second else 0.0,
        by=best.name,
    )


def _nothing(rule: str, hits: Sequence[Hit], rows: Sequence[Row]) -> LabelMatch:
    return LabelMatch(
        None,
        0.0,
        rule,
        rows[hits[0].row].label if hits else None,
        hits[0].similarity if hits else 0.0,
        generic=rule == "generic",
    )
