"""The page of one item: fields in a dl, in a table of two columns, in microdata, or an article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.response.addresses import Addresses, clean_url
from hiwe.response.document import HEADINGS, Document, Node
from hiwe.response.linked import linked_items
from hiwe.response.names import MAIN_FIELD, is_made_up, readable
from hiwe.response.reader import parse, read
from hiwe.response.response import Record, Region
from hiwe.response.significant import Mask, digest_of, template_of
from hiwe.response.zones import AWAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.page import Page
    from hiwe.response.significant import Template

LEAST_FIELDS = 2
LONGEST_TEXT = 2000  # characters of an article's text that are kept
LONGEST_NAME = 40
_FRAMES = ("WebPage", "BreadcrumbList", "WebSite", "Organization")  # kinds that are no item


def detail_region(
    document: Document, template: Template, url: str, addresses: Addresses
) -> Region | None:
    """The one item that the page describes, None when it describes none.

    `score` is 0.7 with named fields, 0.3 for a heading with text under it.
    """
    heading = _heading(document, template)
    fields = _microdata(document) or _linked(document) or _pairs(document, template)
    if len(fields) < LEAST_FIELDS:
        fields = []
    if heading and not any(value == heading for _, value in fields):
        fields.insert(0, (MAIN_FIELD, heading))
    if not fields:
        return None
    named = len(fields) > LEAST_FIELDS - (0 if heading else 1)
    if not named:
        text = _body_text(document, heading)
        if not text:
            return None
        fields.append(("Text", text))
    key = addresses.identity(url)
    record = Record(tuple(fields), clean_url(url), key)
    return Region(
        "detail:" + ",".join(name for name, _ in fields[:8]),
        "detail",
        0.7 if named else 0.3,
        (record,),
    )


def detail_fields(page: Page, other: Page | None) -> tuple[tuple[str, str], ...]:
    """The fields of the one item that a page describes; () when it describes none.

    `other` is another page of the site: what both show tells nothing of the item.
    """
    document = read(parse(page.html))
    addresses = Addresses(page.base_url or page.url, ())
    region = detail_region(document, template_of(other), page.url, addresses)
    return region.records[0].fields if region is not None else ()


def completed(
    fields: Sequence[tuple[str, str]], more: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """The fields of a record with those of its own page: what is known already is not repeated.

    A name that we made up gives way to the page's own for the same value.
    """
    better = {_plain(value): name for name, value in more if not is_made_up(name)}
    taken = {_plain(name) for name, _ in fields}
    named = []
    for name, value in fields:
        own = better.get(_plain(value), name) if is_made_up(name) else name
        named.append((name if _plain(own) in taken else own, value))
    names = {_plain(name) for name, _ in named}
    values = {_plain(value) for _, value in named}
    fresh = [
        (name, value)
        for name, value in more
        if _plain(name) not in names and not (is_made_up(name) and _plain(value) in values)
    ]
    return (*named, *fresh)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(":： ")


def _heading(document: Document, template: Template) -> str:
    """The text of the first heading that the form page does not show."""
    plain = Mask(())
    for wanted in ("h1", "h2"):
        for node in document.nodes:
            if node.tag == wanted and not node.zone & AWAY:
                text = document.text(node)
                if text and digest_of(plain(text)) not in template.lines:
                    return text
    return ""


def _microdata(document: Document) -> list[tuple[str, str]]:
    """Properties of the one thing that microdata or RDFa describe; [] for none or several."""
    scopes = [n for n in document.nodes if _kind_of(n)]
    outer = [n for n in scopes if not _property_of(n) and not _kind_of(n).endswith(_FRAMES)]
    if len(outer) != 1:
        return []
    fields: list[tuple[str, str]] = []
    for node in document.below(outer[0]):
        name = readable(_property_of(node))
        if name and name not in (n for n, _ in fields):
            value = node.get("content") or document.text(node)
            if value:
                fields.append((name, value[:LONGEST_TEXT]))
    return fields


def _kind_of(node: Node) -> str:
    """What kind of thing an element describes (microdata, RDFa); '' for none."""
    return node.get("itemtype") if "itemscope" in node.attrs else node.get("typeof")


def _property_of(node: Node) -> str:
    names = (node.get("itemprop") or node.get("property")).split()
    return names[0] if names else ""


def _linked(document: Document) -> list[tuple[str, str]]:
    """The one item that the page's JSON-LD describes; [] for none or several."""
    items = linked_items(document)
    if len(items) != 1:
        return []
    return [(name, value[:LONGEST_TEXT]) for name, value in items[0].items() if name != "url"]


def _pairs(document: Document, template: Template) -> list[tuple[str, str]]:
    """Name and value from the longest dl or two-column table in the page's own part."""
    best: list[tuple[str, str]] = []
    plain = Mask(())
    for node in document.nodes:
        if node.zone & AWAY or node.tag not in ("dl", "table", "tbody", "ul"):
            continue
        found = {"dl": _from_dl, "ul": _from_list}.get(node.tag, _from_table)(document, node)
        fresh = [v for _, v in found if digest_of(plain(v)) not in template.lines]
        if len(found) > len(best) and len(fresh) * 2 >= len(found):
            best = found
    return best


def _from_dl(document: Document, node: Node) -> list[tuple[str, str]]:
    fields: list[tuple[str, str]] = []
    name = ""
    entries = [
        c
        for child in node.children
        for c in ([child] if child.tag in ("dt", "dd") else child.children)
    ]
    for entry in entries:
        text = document.text(entry)
        if entry.tag == "dt":
            name = text.rstrip(":： ")
        elif entry.tag == "dd" and name and text:
            fields.append((name, text[:LONGEST_TEXT]))
    return fields if _are_names([name for name, _ in fields]) else []


def _from_table(document: Document, node: Node) -> list[tuple[str, str]]:
    fields: list[tuple[str, str]] = []
    rows = [child for child in node.children if child.tag == "tr"]
    for row in rows:
        cells = [cell for cell in row.children if cell.tag in ("td", "th")]
        if len(cells) == 2:
            name, value = document.text(cells[0]).rstrip(":： "), document.text(cells[1])
            if name and value:
                fields.append((name, value[:LONGEST_TEXT]))
    heads = sum(row.children[0].tag == "th" for row in rows if row.children)
    labelled = sum(document.text(row.children[0]).endswith(":") for row in rows if row.children)
    enough = len(fields) * 2 > len(rows) and (heads * 2 > len(rows) or labelled * 2 > len(rows))
    return fields if enough and _are_names([name for name, _ in fields]) else []


def _from_list(document: Document, node: Node) -> list[tuple[str, str]]:
    """Items such as 'Director: Jane Campion'."""
    fields: list[tuple[str, str]] = []
    for child in node.children:
        name, mark, value = document.text(child).partition(":")
        if mark and value.strip() and len(name.split()) <= 4:
            fields.append((name.strip(), value.strip()[:LONGEST_TEXT]))
    return (
        fields if len(fields) == len(node.children) and _are_names([n for n, _ in fields]) else []
    )


def _are_names(names: list[str]) -> bool:
    """Short and different: names of fields rather than texts."""
    return (
        bool(names)
        and len(set(names)) * 2 > len(names)
        and all(len(name) <= LONGEST_NAME for name in names)
    )


def _body_text(document: Document, heading: str) -> str:
    """The running text after the heading, to the length that is kept."""
    texts: list[str] = []
    started = not heading
    for line in document.lines:
        if line.text == heading:
            started = True
        elif started and not line.node.zone & AWAY and line.node.tag not in HEADINGS:
            texts.append(line.text)
    text = " ".join(texts)
    return text[:LONGEST_TEXT] if len(text.split()) >= 5 else ""
