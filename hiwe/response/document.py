"""A response page read once: its seen elements, text lines and controls, in document order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from hiwe.response.zones import AWAY, MESSAGE, PAGER, ZONE_ROLES, ZONE_TAGS, class_zone, step_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

UNSEEN = frozenset(
    "script style noscript template head svg math object embed datalist audio video canvas".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre "
    "section summary table tbody td tfoot th thead tr ul".split()
)
CONTROLS = frozenset("input select textarea button".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 caption legend".split())
RUN = "run"  # the tag of an item that is no element but a run of siblings
LARGE_PART = 0.9  # of a page's text: what holds more is no margin
BREAK = "\n\n"  # the piece that ends a line
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Node:
    """A seen element: its place, the run of text pieces it holds, the last node below it."""

    __slots__ = (
        "attrs",
        "children",
        "el",
        "end",
        "last",
        "order",
        "parent",
        "path",
        "start",
        "tag",
        "zone",
    )

    def __init__(
        self,
        el: _Element,
        tag: str,
        attrs: dict[str, str],
        parent: Node | None,
        order: int,
        start: int,
    ) -> None:
        """Place the element under `parent`; its text begins at piece `start`."""
        self.el = el
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.order = order
        self.start = start
        self.last = order
        self.end = start
        self.path = -1
        self.zone = parent.zone & ~MESSAGE if parent is not None else 0
        self.children: list[Node] = []

    def get(self, name: str) -> str:
        """Value of an attribute, '' when absent."""
        return self.attrs.get(name, "")

    @property
    def names(self) -> str:
        """Class and id."""
        return f"{self.attrs.get('class', '')} {self.attrs.get('id', '')}"

    def __repr__(self) -> str:
        return f"<Node {self.tag} {self.get('class')!r} {self.start}:{self.end}>"


def run_of(nodes: list[Node]) -> Node:
    """One node that stands for a run of siblings, such as a dt with its dds."""
    first, last = nodes[0], nodes[-1]
    run = Node(first.el, RUN, {}, first.parent, first.order, first.start)
    run.end, run.last, run.path, run.zone = last.end, last.last, first.path, first.zone
    run.children = nodes
    return run


@dataclass(frozen=True, slots=True)
class Line:
    """A text with block edges or breaks round it; `start` is its first piece."""

    text: str
    node: Node
    start: int
    end: int


@dataclass
class Document:
    """One page's nodes, lines and controls. `paths` tells a path number's parent and step."""

    nodes: list[Node] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    owners: list[Node] = field(default_factory=list)
    groups: dict[int, list[Node]] = field(default_factory=dict)
    paths: list[tuple[int, str]] = field(default_factory=list)
    links: list[Node] = field(default_factory=list)
    controls: list[Node] = field(default_factory=list)
    scripts: list[_Element] = field(default_factory=list)
    metas: list[_Element] = field(default_factory=list)
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    link_orders: list[int] = field(default_factory=list)

    def text(self, node: Node) -> str:
        """The node's seen text in one line, button captions and choices left out."""
        text = self.texts.get((node.start, node.end))
        if text is None:
            text = " ".join("".join(self.pieces[node.start : node.end]).split())
            self.texts[node.start, node.end] = text
        return text

    def below(self, node: Node) -> list[Node]:
        """Every node below this one, in document order."""
        first = node.order if node.tag == RUN else node.order + 1
        return self.nodes[first : node.last + 1]

    def links_in(self, node: Node) -> list[Node]:
        """The links in a node, itself included."""
        first = bisect_left(self.link_orders, node.order)
        return self.links[first : bisect_right(self.link_orders, node.last)]

    def path_name(self, path: int) -> str:
        """The tag path of a path number, e.g. 'body/ol.hits/li'."""
        steps = []
        while path >= 0:
            path, step = self.paths[path]
            steps.append(step)
        return "/".join(reversed(steps))


class Spans:
    """Runs of text pieces that do not overlap; tells quickly whether a piece is in one."""

    def __init__(self, runs: Iterable[tuple[int, int]]) -> None:
        """`runs` are (first piece, piece after the last)."""
        ordered = sorted(runs)
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]

    def __contains__(self, piece: int) -> bool:
        place = bisect_right(self._starts, piece) - 1
        return place >= 0 and piece < self._ends[place]


_PARSER = etree.HTMLParser(encoding="utf-8")  # plain elements: twice as fast as lxml.html's


def parse(html: str) -> _Element:
    """The tree of a page, an empty one for a page without an element.

    lxml refuses text that declares its own encoding, as XHTML does, and pages of comments alone.
    """
    try:
        tree = etree.fromstring(_DECLARATION.sub("", html, count=1), _PARSER)
    except (ValueError, etree.LxmlError):
        tree = None
    return etree.fromstring("<html><body></body></html>", _PARSER) if tree is None else tree


def read(tree: _Element) -> Document:
    """Read the tree once. Hidden elements, scripts and the choices of selects are left out."""
    document = Document()
    root = tree if tree.tag == "body" else tree.find("body")
    document.metas = list(tree.iter("meta"))
    document.scripts = list(tree.iter("script"))
    if root is None:
        root = tree
    _Reader(document).run(root)
    _unmark_frames(document)
    document.link_orders = [link.order for link in document.links]
    return document


def _unmark_frames(document: Document) -> None:
    """Take back the zone of an element that holds most of the page: 'page-with-sidebar' is none."""
    total = len(document.pieces)
    for node in document.nodes[:60]:
        fresh = node.zone & ~(node.parent.zone if node.parent else 0) & (AWAY | PAGER)
        if fresh and node.tag not in ZONE_TAGS and (node.end - node.start) > LARGE_PART * total:
            for inner in document.nodes[node.order : node.last + 1]:
                inner.zone &= ~fresh


class _Reader:
    """Walks the tree without recursion: saved pages nest deeper than Python likes."""

    def __init__(self, document: Document) -> None:
        self._doc = document
        self._numbers: dict[tuple[int, str], int] = {}
        self._line: int | None = None  # first piece of the open line that is no white space

    def run(self, root: _Element) -> None:
        """Read everything below `root`."""
        top = self._enter(root, "body", {}, None)
        stack = [(top, iter(root))]
        self._say(root.text, top)
        while stack:
            node, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._leave(node, stack[-1][0] if stack else None)
                continue
            tag = child.tag
            if not isinstance(tag, str):  # a comment or processing instruction
                self._say(child.tail, node)
                continue
            attrs = dict(child.items())
            if tag == "br":
                self._break(node)
                self._say(child.tail, node)
            elif is_unseen(tag, attrs):
                self._say(child.tail, node)
            elif tag in CONTROLS:
                self._control(child, tag, attrs, node)
            else:
                below = self._enter(child, tag, attrs, node)
                self._say(child.text, below)
                if len(child):
                    stack.append((below, iter(child)))
                else:
                    self._leave(below, node)

    def _enter(self, el: _Element, tag: str, attrs: dict[str, str], parent: Node | None) -> Node:
        doc = self._doc
        if tag in BLOCKS:
            self._break(parent)
        node = Node(el, tag, attrs, parent, len(doc.nodes), len(doc.pieces))
        doc.nodes.append(node)
        if attrs:
            self._mark(node, attrs)
        if tag in ZONE_TAGS:
            node.zone |= ZONE_TAGS[tag]
        step = (parent.path if parent else -1, step_name(tag, attrs.get("class", "")))
        path = self._numbers.get(step)
        if path is None:
            path = self._numbers[step] = len(doc.paths)
            doc.paths.append(step)
            doc.groups[path] = []
        node.path = path
        doc.groups[path].append(node)
        if parent is not None:
            parent.children.append(node)
        return node

    def _mark(self, node: Node, attrs: dict[str, str]) -> None:
        """Zones that attributes tell; links."""
        if "role" in attrs:
            node.zone |= ZONE_ROLES.get(attrs["role"], 0)
        if ("class" in attrs or "id" in attrs) and node.parent is not None:
            node.zone |= class_zone(node.names)
        if node.tag == "a" and attrs.get("href"):
            self._doc.links.append(node)

    def _leave(self, node: Node, parent: Node | None) -> None:
        doc = self._doc
        if node.tag in BLOCKS:
            self._break(node)
        node.end = len(doc.pieces)
        node.last = len(doc.nodes) - 1
        if parent is not None:
            self._say(node.el.tail, parent)

    def _control(self, el: _Element, tag: str, attrs: dict[str, str], parent: Node) -> None:
        node = Node(el, tag, attrs, parent, -1, len(self._doc.pieces))
        self._doc.controls.append(node)
        self._say(" ", parent)
        self._say(el.tail, parent)

    def _say(self, text: str | None, owner: Node) -> None:
        if text:
            if self._line is None and not text.isspace():
                self._line = len(self._doc.pieces)
            self._doc.pieces.append(text)
            self._doc.owners.append(owner)

    def _break(self, owner: Node | None) -> None:
        """End the open line, if it holds any text."""
        doc = self._doc
        if self._line is not None and owner is not None:
            end = len(doc.pieces)
            text = " ".join("".join(doc.pieces[self._line : end]).split())
            doc.lines.append(Line(text, doc.owners[self._line], self._line, end))
            doc.pieces.append(BREAK)
            doc.owners.append(owner)
        self._line = None


def is_unseen(tag: str, attrs: dict[str, str]) -> bool:
    """Whether nobody sees the element: marked by the browser, or hidden by tag or attribute."""
    if tag in UNSEEN:
        return True
    if not attrs:
        return False
    if "hiwe-hidden" in attrs or "hidden" in attrs:
        return True
    style = attrs.get("style")
    return style is not None and _HIDING.search(style) is not None
