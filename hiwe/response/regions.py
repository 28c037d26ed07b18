"""Repeated structure: groups of elements at one tag path that look like the hits of a search."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hiwe.response.document import Document, Node
from hiwe.response.zones import AWAY, MAIN, PAGER
from hiwe.response.significant import Template, group_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST_SCORE = 0.45  # of a group that counts as a list of hits
SAMPLE = 10  # items looked at closely
ITEM_TAGS = frozenset(
    "li tr div article section p dl dt a table tbody blockquote h2 h3 h4 td".split()
)
_HIT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:results?|hits?|treffer\w*|risultat\w*|resultad\w*|resultat\w*|trouv\w*|serp|searchresults?"
    r"|search-result\w*|item|record|row|entry|card|product|film|movie|book|teaser|listing|tile|doc|match)"
    r"(?=$|[\s_-])",
)
_STRONG_CLASS = re.compile(
    r"results?(?:$|[\s_-])|hits?(?:$|[\s_-])|treffer|risultat|resultad|searchresult"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass
class Group:
    """Items of one structure in document order, and how much they look like hits (0..1)."""

    items: list[Node]
    path: str
    score: float
    kind: str = "list"  # list | table | pairs
    header: list[str] = field(default_factory=list)


@lru_cache(maxsize=4096)
def class_hint(names: str) -> int:
    """2 when class and id say 'result' or 'hit', 1 for other words of lists, else 0."""
    lowered = _CAMEL.sub("-", names).lower()
    if _STRONG_CLASS.search(lowered):
        return 2
    return 1 if _HIT_CLASS.search(lowered) else 0


def hint(node: Node) -> int:
    """The hint of a node or the two above it."""
    best, current = 0, node
    for _ in range(3):
        names = f"{current.get('class')} {current.get('id')}"
        best = max(best, class_hint(names)) if len(names) > 1 else best
        if current.parent is None or current.parent.tag == "body":
            break
        current = current.parent
    return best


class Finder:
    """Finds the groups of one page."""

    def __init__(self, document: Document, template: Template, url: str, base: str) -> None:
        """`url` is the page's address, `base` what its links are relative to."""
        self._doc = document
        self._template = template
        parts = urlsplit(url)
        self._path = parts.path
        self._query = {pair for pair in parse_qsl(parts.query) if pair[1]}
        self._base = urlsplit(base).path

    def groups(self) -> list[Group]:
        """Every group that may be a list of hits, best first."""
        found = []
        for path, nodes in self._doc.groups.items():
            tag = nodes[0].tag
            if tag not in ITEM_TAGS or (len(nodes) < 2 and tag != "tr"):
                continue
            for part in self._parts(nodes):
                group = self._group(path, part)
                if group is not None:
                    found.append(group)
        found.sort(key=lambda group: -group.score)
        return found

    def singles(self) -> list[Group]:
        """Single elements that may be the one hit of a list, likeliest first."""
        found = []
        for path, nodes in self._doc.groups.items():
            if len(nodes) != 1 or nodes[0].tag not in ITEM_TAGS or nodes[0].zone & (AWAY | PAGER):
                continue
            node = nodes[0]
            text = self._doc.text(node)
            if not text or len(text) > 3000:
                continue
            strength = hint(node) + (1 if node.tag in ("li", "article", "tr") else 0)
            if strength and not self._is_heading_row(node):
                score = min(0.2 + 0.15 * strength, 0.6)
                found.append(Group([node], self._doc.path_name(path), score))
        found.sort(key=lambda group: (-group.score, group.items[0].order))
        return found[:8]

    def _parts(self, nodes: list[Node]) -> Iterable[list[Node]]:
        """Nodes at one path, split where their containers are no like parts of one list."""
        by_parent: dict[int, list[Node]] = {}
        for node in nodes:
            by_parent.setdefault(node.parent.order if node.parent else -1, []).append(node)
        if len(by_parent) == 1:
            return [nodes]
        if len(by_parent) == len(nodes) and nodes[0].tag != "tr":
            return []  # one a parent: a part of an item, not an item
        parts = list(by_parent.values())
        shapes = [_shape(part[0]) for part in parts]
        if nodes[0].tag not in ("td", "p", "tr") and all(s == shapes[0] for s in shapes[1:]):
            return [nodes]
        return [part for part in parts if len(part) > 1 or part[0].tag == "tr"]

    def _group(self, path: int, nodes: list[Node]) -> Group | None:
        if nodes[0].zone & (AWAY | PAGER):
            return None
        name = self._doc.path_name(path)
        if (name, group_digest(self._doc, nodes)) in self._template.groups:
            return None
        if nodes[0].tag == "tr":
            return self._table(name, nodes)
        nodes = [node for node in nodes if self._doc.text(node)]
        if len(nodes) < 2:
            return None
        score = self._score(nodes)
        return Group(nodes, name, score) if score > 0.2 else None

    def _table(self, name: str, rows: list[Node]) -> Group | None:
        """Rows of a table; a table of two columns without a head is read as fields instead."""
        header: list[str] = []
        data = []
        for row in rows:
            cells = [cell for cell in row.children if cell.tag in ("td", "th")]
            heads = [cell for cell in cells if cell.tag == "th"]
            if cells and len(heads) == len(cells) and len(cells) > 1:
                header = header or [self._doc.text(cell) for cell in cells]
            elif len(cells) > 1 and self._doc.text(row):
                data.append(row)
            elif len(cells) == 1 and self._doc.text(row) and not header and len(rows) > 2:
                data.append(row)
        header = header or table_header(self._doc, rows[0])
        if header:
            data = [row for row in data if not self._is_heading_row(row)]
        elif data and _is_styled_header(self._doc, data):
            header = [self._doc.text(cell) for cell in data[0].children]
            data = data[1:]
        if not data or self._is_pairs(data, header) or (len(data) < 2 and not header):
            return None
        score = self._score(data) + (0.25 if header else 0.0)
        return Group(data, name, min(score, 1.0), "table", header)

    def _is_heading_row(self, row: Node) -> bool:
        """Whether a row only heads those below it: a single cell across the table."""
        if row.tag != "tr":
            return False
        cells = [cell for cell in row.children if cell.tag in ("td", "th")]
        return all(cell.tag == "th" for cell in cells) or (
            len(cells) == 1 and (cells[0].get("colspan") or "1") != "1"
        )

    def _is_pairs(self, rows: list[Node], header: list[str]) -> bool:
        """Whether the rows are name and value of one thing."""
        if header:
            return False
        cells = [[c for c in row.children if c.tag in ("td", "th")] for row in rows]
        heads = [row for row in cells if len(row) == 2 and row[0].tag == "th"]
        if len(heads) * 2 > len(rows):
            return True
        names = [self._doc.text(row[0]) for row in cells if len(row) == 2]
        return len(names) == len(rows) and sum(n.endswith(":") for n in names) * 2 > len(names)

    def _score(self, nodes: list[Node]) -> float:
        """How much a group looks like hits: texts that differ, links of their own, place, class."""
        sample = nodes[:SAMPLE]
        texts = [self._doc.text(node) for node in sample]
        words = middle([len(text.split()) for text in texts])
        links = [self._doc.links_in(node) for node in sample]
        linked = [hrefs for hrefs in links if hrefs]
        firsts = {hrefs[0].get("href") for hrefs in linked}
        size = len(sample)
        score = 0.2 * len(set(texts)) / size + 0.25 * len(firsts) / size
        score += 0.1 if words >= 3 else 0.0
        score += 0.1 if middle([_parts_of(self._doc, node) for node in sample]) >= 2 else 0.0
        score += (0.0, 0.1, 0.25)[hint(sample[0])]
        score += 0.1 if sample[0].zone & MAIN or sample[0].tag == "article" else 0.0
        score += 0.05 * min(len(nodes), 5) / 5
        score -= self._faults(sample, texts, links)
        return score

    def _faults(
        self, sample: list[Node], texts: list[str], links: Sequence[Sequence[Node]]
    ) -> float:
        fault = 0.0
        hrefs = [found[0].get("href") for found in links if found]
        if hrefs and sum(self._narrows(href) for href in hrefs) * 2 > len(hrefs):
            fault += 0.6
        if hrefs and sum(href.startswith(("#", "javascript:")) for href in hrefs) * 2 > len(hrefs):
            fault += 0.2
        if sum(text.replace(".", "").strip("[]() «»<>‹›").isdecimal() for text in texts) * 2 > len(
            texts
        ):
            fault += 0.5
        if any(_has_fields(node) for node in sample[:4]):
            fault += 0.6
        if all(len(text) < 2 for text in texts):
            fault += 0.5
        if sample[0].tag in ("h2", "h3", "h4", "dt", "p", "td") and not hrefs:
            fault += 0.25
        if middle([len(text) for text in texts]) > 2500:
            fault += 0.3
        return fault

    def _narrows(self, href: str) -> bool:
        """Whether a link asks for this page again with more parameters: a facet, sorting, a page."""
        parts = urlsplit(href)
        path = parts.path or self._path
        same = path == self._path or (
            not path.startswith("/") and self._base.rsplit("/", 1)[0] + "/" + path == self._path
        )
        if not same or not parts.query or not self._query:
            return False
        return self._query <= set(parse_qsl(parts.query))


def table_header(document: Document, row: Node) -> list[str]:
    """The column names in the head of the table that a row stands in; [] when it has none."""
    table = row.parent
    while table is not None and table.tag != "table":
        table = table.parent
    if table is None:
        return []
    for section in table.children:
        rows = [section] if section.tag == "tr" else section.children
        for other in rows:
            cells = [cell for cell in other.children if cell.tag in ("td", "th")]
            if other is row or len(cells) < 2:
                continue
            if section.tag == "thead" or all(cell.tag == "th" for cell in cells):
                return [document.text(cell) for cell in cells]
    return []


def _is_styled_header(document: Document, rows: list[Node]) -> bool:
    """Whether the first row is a head by its looks: bold, or a class or link that others lack."""
    first = rows[0]
    cells = [cell for cell in first.children if cell.tag in ("td", "th")]
    if len(rows) < 2 or len(cells) < 2:
        return False
    names = f"{first.get('class')} {cells[0].get('class')}".lower()
    if "head" in names or "titel" in names or "title" in first.get("class").lower():
        return all(document.text(cell) for cell in cells[:2])
    return all(_is_bold(cell) for cell in cells if document.text(cell)) and not all(
        _is_bold(cell) for row in rows[1:3] for cell in row.children if document.text(cell)
    )


def _is_bold(cell: Node) -> bool:
    return len(cell.children) == 1 and cell.children[0].tag in ("b", "strong")


def middle(figures: list[int]) -> int:
    """The upper median."""
    return sorted(figures)[len(figures) // 2]


def _parts_of(document: Document, node: Node) -> int:
    """Number of text-bearing parts in an item."""
    owners = {
        document.owners[i].order
        for i in range(node.start, node.end)
        if not document.pieces[i].isspace()
    }
    return len(owners)


def _shape(node: Node) -> tuple[str, ...]:
    return tuple(child.tag for child in node.children[:4])


_FIELD_TYPES = frozenset({"", "text", "search", "password", "email", "number", "date", "tel"})


def _has_fields(node: Node) -> bool:
    """Whether a person fills something in here: then it is a part of a form and no hit."""
    return any(
        el.tag != "input" or (el.get("type") or "").lower() in _FIELD_TYPES
        for el in node.el.iter("input", "select", "textarea")
        if el.get("hiwe-hidden") is None
    )
