"""Records: the items of a group as named fields, each with its own address and key."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from hiwe.response.addresses import clean_url, whole_identity
from hiwe.response.document import HEADINGS
from hiwe.response.fields import aligned, cells_of, parts_of
from hiwe.response.images import IMAGE_FIELD, item_images
from hiwe.response.response import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.response.addresses import Addresses
    from hiwe.response.document import Document, Node
    from hiwe.response.regions import Group


def records_of(document: Document, group: Group, addresses: Addresses) -> tuple[Record, ...]:
    """The records of a group, in page order, one a distinct item."""
    if group.kind == "table":
        named = [cells_of(document, row, group.header) for row in group.items]
    else:
        named = aligned([parts_of(document, item) for item in group.items])
    urls = item_urls(document, group.items, addresses)
    keys = _url_keys(urls, addresses)
    images = item_images(document, group.items, addresses)
    found: dict[str, Record] = {}
    for fields, url, key, image in zip(named, urls, keys, images, strict=True):
        kept = tuple((name, value) for name, value in fields if value)
        if kept:
            key = key or digest_key(kept)
            if image and IMAGE_FIELD not in dict(kept):
                kept += ((IMAGE_FIELD, image),)
            found.setdefault(key, Record(kept, clean_url(url), key))
    return tuple(found.values())


def digest_key(fields: Iterable[tuple[str, str]]) -> str:
    """A key of a record without an address: digest of its values."""
    text = "\x1f".join(" ".join(value.split()).casefold() for _, value in fields)
    return "sha1:" + hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _url_keys(urls: Sequence[str | None], addresses: Addresses) -> list[str | None]:
    """Identities of the items' addresses; plain addresses where identities would fall together."""
    given = {url for url in urls if url}
    short = {url: addresses.identity(url) for url in given}
    if len(set(short.values())) < len(given):
        whole = {url: whole_identity(url) for url in given}
        if len(set(short.values())) < len(set(whole.values())):
            short = whole
    return [short[url] if url else None for url in urls]


def item_urls(document: Document, items: Sequence[Node], addresses: Addresses) -> list[str | None]:
    """Each item's own address: the link slot whose addresses differ most from item to item."""
    slots: dict[str, dict[int, str]] = {}
    weights: dict[str, float] = {}
    for number, item in enumerate(items):
        for place, link in enumerate(document.links_in(item)):
            url = addresses.resolve(link.get("href"))
            if url is None:
                continue
            slot = _slot(item, link)
            taken = slots.setdefault(slot, {})
            if number not in taken:
                taken[number] = url
                weights[slot] = weights.get(slot, 0.0) + _weight(document, link, place)
    best = max(slots, key=lambda slot: _merit(slots[slot], weights[slot], len(items)), default=None)
    if best is None:
        return [None] * len(items)
    chosen = slots[best]
    if len(items) > 2 and len({addresses.identity(u) for u in chosen.values()}) * 2 < len(chosen):
        return [None] * len(items)
    return [chosen.get(number) or _first(slots, number) for number in range(len(items))]


def _merit(taken: dict[int, str], weight: float, items: int) -> float:
    distinct = len(set(taken.values()))
    return distinct / items * 2.0 + weight / max(len(taken), 1)


def _weight(document: Document, link: Node, place: int) -> float:
    """How much a link looks like the item's own: in a heading, early, with a text of its own."""
    weight = 0.3 / (1 + place)
    weight += 0.4 if link.parent is not None and link.parent.tag in HEADINGS else 0.0
    text = document.text(link)
    return weight + (0.2 if re.search(r"\w", text) else 0.0) + min(len(text), 40) / 200


def _first(slots: dict[str, dict[int, str]], number: int) -> str | None:
    return next((taken[number] for taken in slots.values() if number in taken), None)


def _slot(item: Node, link: Node) -> str:
    """Where in its item a link stands: tags and, for a table's cells, their numbers."""
    steps: list[str] = []
    node = link
    while node is not item and node.parent is not None:
        if node.parent is item.parent:  # the item is a run of siblings
            steps.append(node.tag)
            break
        same = [n for n in node.parent.children if n.tag == node.tag]
        steps.append(f"{node.tag}{same.index(node) if node.tag != 'a' or len(same) < 9 else ''}")
        node = node.parent
    return "/".join(reversed(steps))
