"""A response page read once: its seen elements, text lines and controls, in document order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hiwe.response.zones import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend"])
RUN = "run"  # the tag of an item that is no element but a run of siblings
BREAK = "\n\n"  # the piece that ends a line


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
        self.zone: int = parent.zone & ~MESSAGE if parent is not None else 0
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


class Line(NamedTuple):
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
    relations: list[_Element] = field(default_factory=list)  # link elements
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
