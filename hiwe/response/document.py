"""A response page read once: its seen elements, text lines and controls, in document order."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

# Zones of a page, as bits: what its authors call navigation, margin, foot, pager, facets.
NAVIGATION, MARGIN, FOOT, PAGER, FACETS, MESSAGE, MAIN = 1, 2, 4, 8, 16, 32, 64
AWAY = NAVIGATION | MARGIN | FOOT | FACETS

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
# Elements whose class does not tell two items of one list apart.
CLASSLESS = frozenset("li tr td th dt dd tbody thead option".split())
ZONE_TAGS = {"nav": NAVIGATION, "footer": FOOT, "aside": MARGIN, "main": MAIN}
ZONE_ROLES = {
    "navigation": NAVIGATION, "menu": NAVIGATION, "menubar": NAVIGATION, "contentinfo": FOOT,
    "complementary": MARGIN, "alert": MESSAGE, "status": MESSAGE, "main": MAIN,
}  # fmt: skip
ZONE_WORDS = (
    (NAVIGATION, r"nav|navbar|navi|navigation|menu|menubar|submenu|breadcrumbs?|toolbar|tabs|topbar|portlet"
                 r"|skip|langs?|languages?|footerlinks|jump"),
    (MARGIN, r"sidebar|aside|widget|advert\w*|ads?|banner|promo\w*|cookies?|consent|newsletter|social|share"),
    (FOOT, r"footer|foot|bottom|copyright|colophon|impressum"),
    (PAGER, r"pager|pagers|paging|pagination|paginator|pagenav|pagenavi|pages|pagelinks|page-?numbers"),
    (FACETS, r"facets?|filters?|refine\w*|sort|sorting|sortby|suggestions?|autocomplete|tagcloud"),
    (MESSAGE, r"errors?|alert|warning|invalid|message|messages|notice|feedback|flash|has-error|validation\w*"
              r"|danger"),
)  # fmt: skip
_ZONES = [(bit, re.compile(rf"(?:^|[\s_-])(?:{words})(?=$|[\s_-])")) for bit, words in ZONE_WORDS]
_NEGATED = re.compile(r"(?:^|\s)(?:not|no|has|with|without|hide|show|is|js|skip)-\S+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PASSING_CLASS = re.compile(
    r"(?:odd|even|first|last|active|current|selected|alt|new|hover|row[01]|clearfix|row|col)$"
)


class Node:
    """A seen element: where it stands, which run of text pieces it holds."""

    __slots__ = ("children", "el", "end", "order", "parent", "path", "start", "tag", "zone")

    def __init__(
        self, el: HtmlElement, tag: str, parent: Node | None, path: int, zone: int, start: int
    ) -> None:
        """Place the element under `parent`; its text begins at piece `start`."""
        self.el = el
        self.tag = tag
        self.parent = parent
        self.path = path
        self.zone = zone
        self.start = start
        self.end = start
        self.order = 0
        self.children: list[Node] = []

    def descendants(self) -> Iterator[Node]:
        """Every node below this one, in document order."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def get(self, name: str) -> str:
        """Value of an attribute, '' when absent."""
        return self.el.get(name) or ""

    def __repr__(self) -> str:
        return f"<Node {self.tag} {self.get('class')!r} {self.start}:{self.end}>"


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
    controls: list[Node] = field(default_factory=list)
    scripts: list[HtmlElement] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    metas: list[HtmlElement] = field(default_factory=list)

    def text(self, node: Node) -> str:
        """The node's seen text in one line, button captions and choices left out."""
        text = self.texts.get(node.order)
        if text is None or node.path < 0:
            text = " ".join("".join(self.pieces[node.start : node.end]).split())
            self.texts[node.order] = text
        return text

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

    def __contains__(self, piece: object) -> bool:
        place = bisect_right(self._starts, piece) - 1  # type: ignore[type-var]
        return place >= 0 and piece < self._ends[place]  # type: ignore[operator]


@lru_cache(maxsize=16384)
def class_zone(names: str) -> int:
    """Zones that an element's class and id tell."""
    lowered = _NEGATED.sub("", _CAMEL.sub("-", names).lower())
    return sum(bit for bit, pattern in _ZONES if pattern.search(lowered))


@lru_cache(maxsize=16384)
def step_name(tag: str, class_name: str) -> str:
    """An element's step in a tag path: its tag and the first class that is no passing state."""
    if tag in CLASSLESS:
        return tag
    for word in class_name.split():
        name = re.sub(r"\d+", "", word)
        if len(name) > 1 and not _PASSING_CLASS.match(name.lower()) and len(name) * 2 > len(word):
            return f"{tag}.{name.rstrip('-_')}"
    return tag


def read(tree: HtmlElement) -> Document:
    """Read the tree once. Hidden elements, scripts and the choices of selects are left out."""
    document = Document()
    numbers: dict[tuple[int, str], int] = {}
    root = tree if tree.tag == "body" else tree.find("body")
    document.metas = list(tree.iter("meta"))
    document.scripts = list(tree.iter("script"))
    if root is None:
        root = tree
    _Reader(document, numbers).run(root)
    document.lines = list(_lines(document))
    return document


class _Reader:
    """Walks the tree without recursion: saved pages nest deeper than Python likes."""

    def __init__(self, document: Document, numbers: dict[tuple[int, str], int]) -> None:
        self._doc = document
        self._numbers = numbers
        self._broken = True  # the last piece ended a line

    def run(self, root: HtmlElement) -> None:
        top = self._enter(root, "body", None)
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
            elif tag == "br":
                self._break(node)
                self._say(child.tail, node)
            elif is_unseen(child, tag):
                self._say(child.tail, node)
            elif tag in CONTROLS:
                self._control(child, tag, node)
            else:
                below = self._enter(child, tag, node)
                self._say(child.text, below)
                stack.append((below, iter(child)))

    def _enter(self, el: HtmlElement, tag: str, parent: Node | None) -> Node:
        doc = self._doc
        if tag in BLOCKS and parent is not None:
            self._break(parent)
        attributes = el.attrib
        names = attributes.get("class", "")
        step = (parent.path if parent else -1, step_name(tag, names))
        path = self._numbers.get(step)
        if path is None:
            path = self._numbers[step] = len(doc.paths)
            doc.paths.append(step)
        zone = parent.zone & ~MESSAGE if parent else 0
        if attributes:
            zone |= ZONE_ROLES.get(attributes.get("role", ""), 0)
            names = f"{names} {attributes.get('id', '')}"
            if len(names) > 1 and tag != "body":
                zone |= class_zone(names)
        zone |= ZONE_TAGS.get(tag, 0)
        node = Node(el, tag, parent, path, zone, len(doc.pieces))
        node.order = len(doc.nodes)
        doc.nodes.append(node)
        if parent is not None:
            parent.children.append(node)
        doc.groups.setdefault(path, []).append(node)
        return node

    def _leave(self, node: Node, parent: Node | None) -> None:
        if node.tag in BLOCKS:
            self._break(node)
        node.end = len(self._doc.pieces)
        if parent is not None:
            if node.tag in ("td", "th"):
                self._break(parent)
            self._say(node.el.tail, parent)

    def _control(self, el: HtmlElement, tag: str, parent: Node) -> None:
        doc = self._doc
        node = Node(el, tag, parent, -1, parent.zone, len(doc.pieces))
        node.order = len(doc.nodes)
        doc.controls.append(node)
        self._say(" ", parent)
        self._say(el.tail, parent)

    def _say(self, text: str | None, owner: Node) -> None:
        if text:
            self._doc.pieces.append(text)
            self._doc.owners.append(owner)
            self._broken = self._broken and text.isspace()

    def _break(self, owner: Node) -> None:
        if not self._broken:
            self._doc.pieces.append("\n\n")
            self._doc.owners.append(owner)
            self._broken = True


def is_unseen(el: HtmlElement, tag: str) -> bool:
    """Whether nobody sees the element: marked by the browser, or hidden by tag or attribute."""
    if tag in UNSEEN:
        return True
    attributes = el.attrib
    if not attributes:
        return False
    if "hiwe-hidden" in attributes or "hidden" in attributes:
        return True
    if tag == "input" and attributes.get("type", "").lower() == "hidden":
        return False
    style = attributes.get("style")
    return style is not None and _HIDING.search(style) is not None


def _lines(document: Document) -> Iterator[Line]:
    pieces, owners = document.pieces, document.owners
    start = 0
    for position in range(len(pieces) + 1):
        if position < len(pieces) and pieces[position] != "\n\n":
            continue
        text = " ".join("".join(pieces[start:position]).split())
        if text:
            first = next(i for i in range(start, position) if not pieces[i].isspace())
            yield Line(text, owners[first], first, position)
        start = position + 1
