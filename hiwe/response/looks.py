"""How much a group of elements looks like hits: texts that differ, links of their own, class."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hiwe.response.document import RUN
from hiwe.response.zones import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.response.document import Document, Node

SAMPLE = 10  # items looked at closely
LEAST_LIKENESS = 0.6  # of two items' inner structure; hits differ a little
LONG_CELL = 400  # characters
LONGEST_ITEM = 2500  # characters
LONGEST_CAPTION = 30  # characters
LEAST_CAPTIONS = 2  # that items have in common, where each names its fields

_HIT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:results?|hits?|treffer\w*|risultat\w*|resultad\w*|resultat\w*|trouv\w*|serp"
    r"|searchresults?|search-result\w*|item|record|row|entry|card|product|film|movie|book|teaser"
    r"|listing|tile|doc|match)(?=$|[\s_-])",
)
_STRONG_CLASS = re.compile(
    r"(?:^|[\s_-])(?:results?|hits?|treffer\w*|risultat\w*|resultad\w*|resultat\w*|searchresults?)"
    r"(?=$|[\s_-])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FIELD_TYPES = frozenset({"", "text", "search", "password", "email", "number", "date", "tel"})


@lru_cache(maxsize=4096)
def class_hint(names: str) -> int:
    """2 when class and id say 'result' or 'hit', 1 for other words of lists, else 0."""
    lowered = _CAMEL.sub("-", names).lower()
    if _STRONG_CLASS.search(lowered):
        return 2
    return 1 if _HIT_CLASS.search(lowered) else 0


def hint(node: Node) -> int:
    """The hint of a node or the two above it."""
    best = 0
    current: Node | None = node
    for _ in range(3):
        if current is None or current.parent is None:
            break
        if current.attrs:
            best = max(best, class_hint(current.names))
        current = current.parent
    return best


def middle(figures: Sequence[int]) -> int:
    """The upper median."""
    return sorted(figures)[len(figures) // 2]


class Looks:
    """Scores the groups of one page; knows its address to tell facets from hits."""

    def __init__(self, document: Document, url: str) -> None:
        """`url` is the page's address."""
        self._doc = document
        parts = urlsplit(url)
        self._path = parts.path
        self._query = {pair for pair in parse_qsl(parts.query) if pair[1]}

    def score(self, nodes: Sequence[Node]) -> float:
        """0..1 and a little more; below 0.45 a group is no list of hits."""
        sample = nodes[:SAMPLE]
        size = len(sample)
        texts = [self._doc.text(node) for node in sample]
        links = [self._doc.links_in(node) for node in sample]
        firsts = {found[0].get("href") for found in links if found}
        score = 0.2 * len(set(texts)) / size + 0.25 * len(firsts) / size
        score += 0.1 if middle([len(text.split()) for text in texts]) >= 3 else 0.0
        score += 0.1 if middle([_parts_of(self._doc, node) for node in sample]) >= 2 else 0.0
        score += (0.0, 0.1, 0.25)[hint(sample[0])]
        score += 0.1 if sample[0].zone & MAIN or sample[0].tag == "article" else 0.0
        score += 0.05 * min(len(nodes), 5) / 5
        captioned = self._captioned(sample)
        score += 0.25 if captioned else 0.0
        score -= 0.6 * max(0.0, LEAST_LIKENESS - self._likeness(sample))
        hrefs = [found[0].get("href") for found in links if found]
        loose = sample[0].tag in ("p", "td", RUN) and not hrefs and not captioned
        return score - self._faults(sample, texts, hrefs) - 0.25 * loose

    def _captioned(self, sample: Sequence[Node]) -> bool:
        """Whether every item gives the same captions to texts of its own: 'Author: ...'."""
        if len(sample) < 2:
            return False
        captions = [set(self._captions_in(node)) for node in sample]
        return len(set.intersection(*captions)) >= LEAST_CAPTIONS

    def _captions_in(self, node: Node) -> Iterator[str]:
        """The names in an item: terms, row heads, and what stands before a colon."""
        for piece, owner in zip(
            self._doc.pieces[node.start : node.end],
            self._doc.owners[node.start : node.end],
            strict=True,
        ):
            text, colon, _ = piece.strip().partition(":")
            if text and len(text) < LONGEST_CAPTION and (colon or owner.tag in ("dt", "th")):
                yield text

    def _likeness(self, sample: Sequence[Node]) -> float:
        """Mean share of tag paths that an item's inside has in common with its neighbour's."""
        shapes = [{node.path for node in self._doc.below(item)} for item in sample]
        pairs = list(pairwise(shapes))
        if not pairs:
            return 1.0
        return sum(len(a & b) / len(a | b) if a or b else 1.0 for a, b in pairs) / len(pairs)

    def _faults(self, sample: Sequence[Node], texts: list[str], hrefs: list[str]) -> float:
        """What speaks against hits: facets, bare numbers, fields to fill, loose paragraphs."""
        fault = 0.0
        half = len(sample) / 2
        if hrefs and sum(self.narrows(href) for href in hrefs) * 2 > len(hrefs):
            fault += 0.6
        if hrefs and sum(href.startswith(("#", "javascript:")) for href in hrefs) * 2 > len(hrefs):
            fault += 0.2
        if sum(_is_number(text) for text in texts) > half:
            fault += 0.5
        if any(_has_fields(node) for node in sample[:4]):
            fault += 0.6
        if all(len(text) < 2 for text in texts):
            fault += 0.5
        if sample[0].tag == "td" and (len(sample) < 3 or middle(list(map(len, texts))) > LONG_CELL):
            fault += 0.3  # a column of the page's layout
        if middle([len(text) for text in texts]) > LONGEST_ITEM:
            fault += 0.3
        return fault

    def narrows(self, href: str) -> bool:
        """Whether a link asks for this page with more parameters: a facet, sorting, a page."""
        if "?" not in href or not self._query:
            return False
        try:
            parts = urlsplit(href)
        except ValueError:
            return False
        path = parts.path or self._path
        if path != self._path and path.rsplit("/", 1)[-1] != self._path.rsplit("/", 1)[-1]:
            return False
        return self._query <= set(parse_qsl(parts.query))


def _is_number(text: str) -> bool:
    return text.replace(".", "").strip("[]() «»<>‹›").isdecimal()


def _parts_of(document: Document, node: Node) -> int:
    """Number of text-bearing parts in an item, as far as two."""
    first = None
    for i in range(node.start, node.end):
        if not document.pieces[i].isspace():
            owner = document.owners[i]
            if first is not None and owner is not first:
                return 2
            first = owner
    return 1 if first is not None else 0


def _has_fields(node: Node) -> bool:
    """Whether a person fills something in here: then it is a part of a form and no hit."""
    elements = [node] if node.tag != RUN else node.children
    return any(
        el.tag != "input" or (el.get("type") or "").lower() in _FIELD_TYPES
        for element in elements
        for el in element.el.iter("input", "select", "textarea")
        if el.get("hiwe-hidden") is None
    )
