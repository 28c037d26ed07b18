"""Reads a page's tree into a `Document` in one pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from hiwe.response.document import BREAK, Document, Line, Node
from hiwe.response.zones import (
    AWAY,
    PAGER,
    ZONE_ROLES,
    ZONE_TAGS,
    class_zone,
    step_name,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

UNSEEN = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "svg",
        "math",
        "object",
        "embed",
        "datalist",
        "audio",
        "video",
        "canvas",
    ]
)
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
CONTROLS = frozenset(["input", "select", "textarea", "button"])
LARGE_PART = 0.9  # of a page's text: what holds more is no margin
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
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
    document.relations = list(tree.iter("link"))
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
            attrs = dict(child.attrib)
            if tag == "br":
                self._break(node)
                self._say(child.tail, node)
            elif is_unseen(tag, attrs):
                self._say(child.tail, node)
            elif tag in CONTROLS:
                self._control(child, tag, attrs, node)
            else:
                below = self._enter(child, tag, attrs, node)
                if text := child.text:
                    self._say(text, below)
                if len(child):
                    stack.append((below, iter(child)))
                else:
                    self._leave(below, node)

    def _enter(self, el: _Element, tag: str, attrs: dict[str, str], parent: Node | None) -> Node:
        doc = self._doc
        if self._line is not None and tag in BLOCKS:
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
        if self._line is not None and node.tag in BLOCKS:
            self._break(node)
        node.end = len(doc.pieces)
        node.last = len(doc.nodes) - 1
        if parent is not None and (tail := node.el.tail):
            self._say(tail, parent)

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
