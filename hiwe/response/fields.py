"""Fields of an item: its texts, and the names that a head, a label, a class or microdata give."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.response.document import HEADINGS, Document, Node
from hiwe.response.names import MAIN_FIELD, OTHER_FIELD, class_name, readable

if TYPE_CHECKING:
    from collections.abc import Sequence

YEAR_FIELD = "Year"
LONGEST_NAME = 5  # words in front of a colon that are still a field's name

# Inline formatting that does not make a text of its own.
_FORMAT = frozenset(
    [
        "b",
        "strong",
        "em",
        "i",
        "mark",
        "u",
        "font",
        "small",
        "sup",
        "sub",
        "wbr",
        "abbr",
        "big",
        "tt",
        "code",
        "kbd",
        "q",
        "s",
        "ins",
    ]
)
_HIGHLIGHT = re.compile(r"high-?light|match|term|keyword|\bhl\b|hit-?word|found", re.IGNORECASE)
_PREFIX = re.compile(r"^([^\W\d_][^:：\n]{0,40}?)\s*[:：]\s+(\S.*)$", re.DOTALL)
_YEARED = re.compile(r"^(.*\S)\s*\(((?:1[89]|20)\d\d)\)$")
_LABEL_END = re.compile(r"[:：]\s*$")
_LABEL_CLASS = re.compile(
    r"(?:^|[\s_-])(?:label|key|caption|fieldname|field-name|term|name-label|heading)(?=$|[\s_-])"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One text of an item: where in the item it stands, its name if it has one, the text."""

    slot: str
    name: str
    text: str
    main: bool = False
    raw: str = ""  # the whole text, where only a colon in it gives the name


def parts_of(document: Document, item: Node) -> list[Part]:
    """The texts of an item in order, labels joined to their values."""
    chunks = _chunks(document, item)
    main = _main_chunk(chunks)
    parts: list[Part] = []
    label = ""
    for position, (owner, text) in enumerate(chunks):
        if not label and position + 1 < len(chunks) and _is_label(owner, text):
            label = _LABEL_END.sub("", text).strip()
            continue
        slot = _slot(item, owner)
        name, value, raw = label or _given_name(owner, item), text, ""
        if not name and position != main:
            name, value = _prefixed(text)
            raw = text if name else ""
        parts.append(Part(slot, name, _content(owner, value), position == main, raw))
        label = ""
    return parts


def _chunks(document: Document, item: Node) -> list[tuple[Node, str]]:
    """Runs of text with one owner; formatting inside a text does not split it, a break does."""
    chunks: list[tuple[Node, list[str]]] = []
    fresh = True
    for i in range(item.start, item.end):
        piece = document.pieces[i]
        if piece == "\n\n":
            fresh = True
            continue
        owner = _owner(document.owners[i], item, document)
        if not fresh and chunks and chunks[-1][0] is owner:
            chunks[-1][1].append(piece)
        elif not piece.isspace():
            chunks.append((owner, [piece]))
            fresh = False
        elif chunks:
            chunks[-1][1].append(" ")
    joined = [(owner, " ".join("".join(pieces).split())) for owner, pieces in chunks]
    return [(owner, text) for owner, text in joined if re.search(r"\w", text)]


def _owner(node: Node, item: Node, document: Document) -> Node:
    """The element that a text belongs to: formatting belongs to what is round it."""
    while node is not item and node.parent is not None:
        if node.tag in _FORMAT:
            text = document.text(node)
            if _LABEL_END.search(text) or node.get("itemprop"):
                return node
        elif node.tag != "span" or not (
            _HIGHLIGHT.search(node.get("class") or "-") or _is_mixed(node.parent, document)
        ):
            return node
        node = node.parent
    return node


def _is_mixed(node: Node, document: Document) -> bool:
    """Whether a link or heading holds text beside its elements: then it is one text."""
    if node.tag != "a" and node.tag not in HEADINGS:
        return False
    return any(
        document.owners[i] is node and re.search(r"\w", document.pieces[i])
        for i in range(node.start, node.end)
    )


def _main_chunk(chunks: Sequence[tuple[Node, str]]) -> int:
    """Place of the item's main text: its heading, else its first link, else its first text."""
    for wanted in (_in_heading, _in_link):
        for position, (owner, text) in enumerate(chunks):
            if wanted(owner) and len(text) > 1:
                return position
    return 0 if chunks else -1


def _in_heading(node: Node) -> bool:
    return node.tag in HEADINGS or (node.parent is not None and node.parent.tag in HEADINGS)


def _in_link(node: Node) -> bool:
    return node.tag == "a" or (node.parent is not None and node.parent.tag == "a")


def _is_label(owner: Node, text: str) -> bool:
    if len(text.split()) > LONGEST_NAME:
        return False
    if owner.tag in ("dt", "th", "label"):
        return True
    if _LABEL_END.search(text):
        return True
    return bool(_LABEL_CLASS.search((owner.get("class") or "-").lower())) and owner.tag != "a"


def _prefixed(text: str) -> tuple[str, str]:
    """Name and value of a text such as 'Director: Jane Campion'; ('', text) when it has no name."""
    match = _PREFIX.match(text)
    if match and len(match.group(1).split()) <= LONGEST_NAME and "//" not in match.group(2)[:2]:
        return match.group(1).strip(), match.group(2).strip()
    return "", text


def _content(owner: Node, text: str) -> str:
    if owner.get("itemprop") and owner.get("content"):
        return owner.get("content").strip()
    return text


def _given_name(owner: Node, item: Node) -> str:
    """The name that microdata, a data attribute or a class gives to a text."""
    node: Node | None = owner
    while node is not None and node is not item:
        for attribute in (
            "itemprop",
            "property",
            "data-label",
            "data-title",
            "data-th",
            "data-field",
            "headers",
        ):
            if node.get(attribute):
                return readable(
                    node.get(attribute).split()[0]
                    if attribute != "data-label"
                    and attribute != "data-title"
                    and attribute != "data-th"
                    else node.get(attribute)
                )
        named = class_name(node.get("class"))
        if named:
            return named
        node = node.parent if node.parent is not None and len(node.parent.children) == 1 else None
    return ""


def _slot(item: Node, owner: Node) -> str:
    steps: list[str] = []
    node: Node | None = owner
    while node is not None and node is not item and node is not item.parent:
        steps.append(node.tag)
        node = node.parent
    return "/".join(reversed(steps))


def cells_of(document: Document, row: Node, header: Sequence[str]) -> list[tuple[str, str]]:
    """The row's cells with the names of their columns, spans minded."""
    fields: list[tuple[str, str]] = []
    column = 0
    for cell in row.children:
        if cell.tag not in ("td", "th"):
            continue
        text = document.text(cell)
        name = header[column] if column < len(header) else ""
        name = name or cell.get("data-label") or cell.get("data-title") or cell.get("data-th")
        name = name or (readable(cell.get("itemprop")) if cell.get("itemprop") else "")
        name = name or class_name(cell.get("class"))
        fields.append((name or f"Column {column + 1}", text))
        span = cell.get("colspan")
        column += int(span) if span.isdecimal() and int(span) < 1000 else 1
    return fields


def aligned(items: Sequence[Sequence[Part]]) -> list[list[tuple[str, str]]]:
    """Fields of items of one structure: texts in one slot share a name; names are unique.

    A name that only a colon gives ('Alien: Covenant') holds when other items have it too, or there
    is one item only.
    """
    items = _years_split(items)
    shared: dict[str, int] = {}
    for parts in items:
        for name in {part.name for part in parts if part.raw}:
            shared[name] = shared.get(name, 0) + 1
    return [_named(parts, shared, alone=len(items) == 1) for parts in items]


def _years_split(items: Sequence[Sequence[Part]]) -> Sequence[Sequence[Part]]:
    """Main texts such as 'Alien (1979)' as title and year, if all are and no field is the year."""
    mains = [part for parts in items for part in parts if part.main]
    if len(mains) < len(items) or not all(_YEARED.match(part.text) for part in mains):
        return items
    if any(part.name.casefold() == YEAR_FIELD.casefold() for part in items[0]):
        return items
    return [[piece for part in parts for piece in _year_apart(part)] for parts in items]


def _year_apart(part: Part) -> list[Part]:
    match = _YEARED.match(part.text) if part.main else None
    if match is None:
        return [part]
    year = Part(f"{part.slot}/year", YEAR_FIELD, match.group(2))
    return [replace(part, text=match.group(1)), year]


def _named(parts: Sequence[Part], shared: dict[str, int], *, alone: bool) -> list[tuple[str, str]]:
    fields: list[tuple[str, str]] = []
    seen: dict[str, int] = {}
    for part in parts:
        name, text = part.name, part.text
        if part.raw and not alone and shared[name] < 2:
            name, text = "", part.raw
        name = name or (MAIN_FIELD if part.main else OTHER_FIELD)
        seen[name] = seen.get(name, 0) + 1
        fields.append((name if seen[name] == 1 else f"{name} {seen[name]}", text))
    return fields
