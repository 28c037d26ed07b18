"""The significant part of a response: the lines that the form page does not show.

A line is compared by its text. The values asked for are masked (an echo is no evidence), and so are
clocks and durations, so that two answers that say the same compare equal.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hiwe.response.reader import parse, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.page.page import Page
    from hiwe.response.document import Document, Line, Node

SHORTEST_VALUE = 2  # a one-letter value stands everywhere by chance
_DIGIT = re.compile(r"\d")
_CLOCK = re.compile(
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\s*(?:[ap]\.?m\.?)?"  # 12:33:01
    r"|\b\d+(?:[.,]\d+)?\s*(?:ms|msec|s|sec|secs|seconds?|sekunden?|secondes?|segundos?|secondi|сек\w*|秒)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Template:
    """What a form page shows anyway: digests of its lines, its repeated groups, its controls."""

    lines: frozenset[int]
    groups: frozenset[tuple[str, int]]
    controls: frozenset[str]
    has_password: bool


EMPTY = Template(frozenset(), frozenset(), frozenset(), False)


class Mask:
    """Replaces the values of an assignment in a text by a mark."""

    def __init__(self, values: Iterable[str]) -> None:
        """Values shorter than two characters are not masked."""
        wanted = {" ".join(value.split()).casefold() for value in values}
        wanted = {value for value in wanted if len(value) >= SHORTEST_VALUE}
        words = "|".join(re.escape(value) for value in sorted(wanted, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def __call__(self, text: str) -> str:
        """The text casefolded, with values and clocks masked."""
        return self.values(_clockless(text))

    def values(self, text: str) -> str:
        """A casefolded text without clocks, with the values masked too."""
        return self._pattern.sub("\x02", text) if self._pattern else text


def _clockless(text: str) -> str:
    """The text casefolded, clocks masked; most texts have no digit at all."""
    text = text.casefold()
    return _CLOCK.sub("\x01", text) if _DIGIT.search(text) else text


def digest_of(text: str) -> int:
    """A 32-bit digest that is the same in every process."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def combined(digests: Iterable[int]) -> str:
    """One digest of several, in their order."""
    return hashlib.sha1(",".join(map(str, digests)).encode()).hexdigest()[:16]


def template_of(page: Page | None) -> Template:
    """What the form page shows; remembered by its HTML."""
    return EMPTY if page is None or not page.html else _template(page.html)


@lru_cache(maxsize=64)
def _template(html: str) -> Template:
    document = read(parse(html))
    mask = Mask(())
    return Template(
        lines=frozenset(digest_of(mask(line.text)) for line in document.lines),
        groups=frozenset(_group_digests(document)),
        controls=control_names(document),
        has_password=has_password(document),
    )


def _group_digests(document: Document) -> Iterator[tuple[str, int]]:
    """Every repeated group of the page, whole and by container, and every row of a table."""
    for path, nodes in document.groups.items():
        if len(nodes) < 2 and nodes[0].tag != "tr":
            continue
        name = document.path_name(path)
        parts = [part for _, part in by_parent(nodes)]
        if len(parts) > 1:
            yield name, group_digest(document, nodes)
        for part in parts:
            yield name, group_digest(document, part)


def by_parent(nodes: Sequence[Node]) -> list[tuple[Node, list[Node]]]:
    """The nodes by the element that holds them, in document order."""
    found: dict[int, tuple[Node, list[Node]]] = {}
    for node in nodes:
        parent = node.parent or node
        found.setdefault(parent.order, (parent, []))[1].append(node)
    return list(found.values())


def group_digest(document: Document, nodes: Sequence[Node]) -> int:
    """Digest of what the nodes of one group show together."""
    texts = "\n".join(document.text(node) for node in nodes)
    return digest_of(texts)


def control_names(document: Document) -> frozenset[str]:
    """Names (else ids) of the seen controls that a person sets."""
    return frozenset(
        node.get("name") or node.get("id")
        for node in document.controls
        if node.tag in ("select", "textarea")
        or (node.tag == "input" and node.get("type").lower() not in BUTTON_TYPES)
    ) - {""}


BUTTON_TYPES = frozenset({"submit", "button", "image", "reset", "hidden"})


def has_password(document: Document) -> bool:
    """Whether a seen field asks for a password."""
    return any(node.get("type").lower() == "password" for node in document.controls)


def significant_lines(document: Document, template: Template, mask: Mask) -> list[tuple[Line, int]]:
    """The lines that the form page does not show, each with the digest of its masked text."""
    found = []
    for line in document.lines:
        plain = _clockless(line.text)
        digest = digest_of(plain)
        if digest not in template.lines:
            masked = mask.values(plain)
            found.append((line, digest if masked is plain else digest_of(masked)))
    return found
