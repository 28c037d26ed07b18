"""Repeated structure: groups of elements at one tag path that look like the hits of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from hiwe.response.document import Document, Node, Spans, run_of
from hiwe.response.grid import (
    head_and_rows,
    is_heading_row,
    is_pairs,
    is_regular,
    periodic,
    spanned,
)
from hiwe.response.looks import Looks, hint
from hiwe.response.significant import Template, by_parent, group_digest
from hiwe.response.zones import AWAY, PAGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST_SCORE = 0.45  # of a group that counts as a list of hits
AGREEING = 0.2  # added where a group has as many items as the site counts
LEAST_LIST = 5  # items of a list that says by itself that the page has not changed
MOST_SINGLES = 6
WEAK = {"tr": 0.3, "dt": 0.3, "h2": 0.3, "h3": 0.3, "h4": 0.3, "dl": 0.2, "details": 0.2,
        "table": 0.2}  # fmt: skip # a single one of these may be a hit, whatever its class
COUNTABLE = 0.3  # least score of a single item that the site's count of one makes a hit
LONGEST_SINGLE = 3000  # characters
COVERED = 0.85  # share of an outer item's text that inner items hold, if they are the items
ITEM_TAGS = frozenset(
    ["li", "tr", "div", "article", "section", "p", "dl", "a", "table", "tbody", "blockquote", "td",
     "details"]
)  # fmt: skip
RUN_HEADS = frozenset(
    ["dt", "h2", "h3", "h4", "h5"]
)  # what begins an item that is a run of siblings


@dataclass
class Group:
    """Items of one structure in document order, and how much they look like hits (0..1)."""

    items: list[Node]
    path: str
    score: float
    kind: str = "list"  # list | table
    header: list[str] = field(default_factory=list)


class Finder:
    """Finds the groups of one page."""

    def __init__(self, document: Document, template: Template, url: str) -> None:
        """`url` is the page's address, `template` what the form page shows anyway."""
        self._doc = document
        self._template = template
        self._looks = Looks(document, url)
        self._shown_before: list[list[Node]] = []  # groups that the form page shows alike

    def groups(self) -> list[Group]:
        """Every group that may be a list of hits."""
        found: list[Group] = []
        for path, nodes in self._doc.groups.items():
            tag = nodes[0].tag
            if tag == "a":
                found += self._broken(path, [n for n in nodes if not n.zone & (AWAY | PAGER)])
            if nodes[0].zone & (AWAY | PAGER):
                continue
            if tag in RUN_HEADS:
                found += self._runs(path, nodes)
            elif tag in ITEM_TAGS and (len(nodes) > 1 or tag == "tr"):
                parts = (self._group(path, part) for part in self._parts(nodes))
                found += [group for group in parts if group is not None]
        return found

    def best(self, expected: frozenset[int]) -> Group | None:
        """The likeliest list of hits; the inner group where its items fill those of the outer.

        `expected` are the numbers of items that the site's own counts speak of.
        """
        groups = self.groups()
        for group in groups:
            group.score += AGREEING if len(group.items) in expected else 0.0
        groups = [group for group in groups if group.score >= LEAST_SCORE]
        groups.sort(key=lambda group: -group.score)
        if not groups:
            return None
        chosen = groups[0]
        for group in groups[1:8]:
            if len(group.items) > len(chosen.items) and self._fills(group, chosen):
                chosen = group
        return chosen

    def same_list(self) -> int:
        """Items of the longest list of hits that the form page shows alike; 0 without one."""
        for nodes in sorted(self._shown_before, key=len, reverse=True):
            if len(nodes) < LEAST_LIST:
                return 0
            table = nodes[0].tag == "tr" and bool(head_and_rows(self._doc, nodes)[0])
            if self._looks.score(nodes) + 0.25 * table >= LEAST_SCORE + AGREEING:
                return len(nodes)
        return 0

    def _fills(self, inner: Group, outer: Group) -> bool:
        """Whether the inner items stand in the outer ones, hold their text and have own links."""
        spans = Spans((item.start, item.end) for item in outer.items)
        if not all(item.start in spans for item in inner.items):
            return False
        linked = sum(bool(self._doc.links_in(item)) for item in inner.items)
        inside = sum(len(self._doc.text(item)) for item in inner.items)
        total = sum(len(self._doc.text(item)) for item in outer.items)
        return linked * 10 >= len(inner.items) * 9 and inside >= COVERED * total

    def singles(self) -> list[Group]:
        """Single elements that may be the one hit of a list, likeliest first."""
        found = []
        for path, nodes in self._doc.groups.items():
            node = self._whole(nodes)
            if node is None or node.zone & (AWAY | PAGER):
                continue
            text = self._doc.text(node)
            if not text or len(text) > LONGEST_SINGLE or is_heading_row(node):
                continue
            strength = hint(node) + (1 if node.tag in ("li", "article") else 0)
            strong = strength > 0 and nodes[0].tag in ITEM_TAGS
            score = min(0.2 + 0.15 * strength, 0.6) if strong else self._weak(nodes[0], node)
            if score:
                found.append(Group([node], self._doc.path_name(path), score))
        found.sort(key=lambda group: (-group.score, group.items[0].order))
        return found[:MOST_SINGLES]

    def _whole(self, nodes: list[Node]) -> Node | None:
        """The single element at a path: with what it heads, or with its further rows."""
        first = nodes[0]
        if first.tag == "tr" and len(nodes) > 1:
            rows = spanned(nodes)
            return rows[0] if len(rows) == 1 else None
        if len(nodes) > 1 or first.tag not in ITEM_TAGS | RUN_HEADS:
            return None
        if first.tag not in RUN_HEADS or first.parent is None:
            return first
        siblings = first.parent.children
        return run_of(siblings[siblings.index(first) :])

    def _weak(self, first: Node, whole: Node) -> float:
        """The score of a single element of no telling class; one that heads others has a link."""
        score = WEAK.get(first.tag, 0.0)
        linked = bool(self._doc.links_in(first if first.tag in RUN_HEADS else whole))
        return score if linked or score < COUNTABLE else 0.0

    def _broken(self, path: int, links: list[Node]) -> list[Group]:
        """Links that begin lines of one element, each with the text that follows it there."""
        begins = {line.start for line in self._doc.lines}
        found = []
        for container, starts in by_parent(links):
            if len(starts) < 2 or any(link.start not in begins for link in starts):
                continue
            runs = [run_of([link]) for link in starts]
            ends = [*(link.start for link in starts[1:]), container.end]
            for run, end in zip(runs, ends, strict=True):
                run.end = end
            told = sum(
                self._doc.text(r) != self._doc.text(a) for r, a in zip(runs, starts, strict=True)
            )
            name = self._doc.path_name(path)
            known = (name, group_digest(self._doc, starts)) in self._template.groups
            if told * 2 > len(runs) and not known:
                found.append(Group(runs, name, self._looks.score(runs)))
        return found

    def _runs(self, path: int, heads: list[Node]) -> list[Group]:
        """Items that begin with a heading or dt and go on to the next one."""
        found = []
        for container, starts in by_parent(heads):
            runs = _cut(container, starts)
            linked = sum(bool(self._doc.links_in(run)) for run in runs)
            if len(runs) < 2 or linked * 2 < len(runs):
                continue
            name = self._doc.path_name(path)
            if (name, group_digest(self._doc, starts)) not in self._template.groups:
                found.append(Group(runs, name, self._looks.score(runs)))
        return found

    def _parts(self, nodes: list[Node]) -> Iterable[list[Node]]:
        """Nodes at one path, split where their containers are no like parts of one list."""
        parts = [part for _, part in by_parent(nodes)]
        if len(parts) == 1:
            return parts
        if len(parts) == len(nodes) and nodes[0].tag != "tr":
            return []  # one a parent: a part of an item, not an item
        shapes = [tuple(child.tag for child in part[0].children[:4]) for part in parts]
        if nodes[0].tag not in ("p", "tr") and all(shape == shapes[0] for shape in shapes[1:]):
            return [nodes]
        return [part for part in parts if len(part) > 1 or part[0].tag == "tr"]

    def _group(self, path: int, nodes: list[Node]) -> Group | None:
        name = self._doc.path_name(path)
        if (name, group_digest(self._doc, nodes)) in self._template.groups:
            self._shown_before.append(nodes)
            return None
        if nodes[0].tag == "tr":
            return self._table(name, nodes)
        rows = [node for node in nodes if self._doc.text(node) and not _is_head(node)]
        headed = len(rows) < len(nodes) and any(map(_is_head, nodes))
        if len(rows) < (1 if headed else 2):
            return None
        return Group(rows, name, self._looks.score(rows) + 0.25 * headed)

    def _table(self, name: str, rows: list[Node]) -> Group | None:
        """Rows of a table; a table of names and values is no list."""
        header, data = head_and_rows(self._doc, rows)
        if not data or (not header and (len(data) < 2 or is_pairs(self._doc, data))):
            return None
        if not header:
            data = periodic(data)
        kind = "table" if data[0].tag == "tr" else "list"
        score = self._looks.score(data) + (0.25 if header else 0.15 * is_regular(data))
        return Group(data, name, min(score, 1.0), kind, header)


def _is_head(row: Node) -> bool:
    """Whether a row that is no table's holds the names of columns."""
    return bool(row.children) and all(c.get("role") == "columnheader" for c in row.children)


def _cut(container: Node, starts: Sequence[Node]) -> list[Node]:
    """The container's children cut into runs at the starts; the last no longer than the others."""
    places = {child.order: place for place, child in enumerate(container.children)}
    cuts = [places[start.order] for start in starts if start.order in places]
    if len(cuts) < 2:
        return []
    lengths = [b - a for a, b in pairwise(cuts)]
    ends = [*cuts[1:], cuts[-1] + max(lengths)]
    return [run_of(container.children[a:b]) for a, b in zip(cuts, ends, strict=True)]
