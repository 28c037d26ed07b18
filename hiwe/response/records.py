"""Records: the items of a group as named fields, each with its own address and key."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus, urlencode, urljoin, urlsplit

from hiwe.address import PATH_SESSION, canonical_url, identity_url, is_visit_mark
from hiwe.response.document import HEADINGS
from hiwe.response.fields import aligned, cells_of, parts_of
from hiwe.response.images import IMAGE_FIELD, item_images
from hiwe.response.response import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.response.document import Document, Node
    from hiwe.response.regions import Group

# Parameters that tell how a visitor came to an item, not which item it is.
_ROUTE_NAMES = frozenset(
    [
        "q",
        "query",
        "search",
        "keyword",
        "keywords",
        "pos",
        "position",
        "rank",
        "from",
        "ref",
        "src",
        "source",
        "highlight",
        "hl",
        "sort",
        "order",
        "page",
        "offset",
        "start",
        "back",
        "return",
        "returnurl",
        "referer",
        "list",
        "idx",
    ]
)


class Addresses:
    """Resolves the links of one page; knows which parameters only echo the query."""

    def __init__(self, base: str, values: Iterable[str]) -> None:
        """`base` is what links are relative to, `values` are the texts that were asked for."""
        self._base = base
        self._values = {_plain(value) for value in values}
        self._identities: dict[str, str] = {}

    def resolve(self, href: str) -> str | None:
        """The address a link leads to; None when it is a script or no page."""
        href = href.strip()
        if not href or href.startswith(("javascript:", "mailto:", "tel:", "data:")):
            return None
        if href.startswith("#") and not href.startswith(("#/", "#!")):
            return None
        try:
            url = urljoin(self._base, href)
            parts = urlsplit(url)
        except ValueError:
            return None
        return url if parts.scheme in ("http", "https") and parts.netloc else None

    def identity(self, url: str) -> str:
        """What tells one item's address from another's, whatever the query or session was."""
        known = self._identities.get(url)
        if known is None:
            known = self._identities[url] = self._identity(url)
        return known

    def _echoes(self, value: str) -> bool:
        """Whether a parameter is the query itself, or an address to go back to that holds it."""
        plain = _plain(value)
        if plain in self._values:
            return True
        if "=" not in plain:
            return False
        return any(f"={asked}" in plain for asked in self._values if asked)

    def _identity(self, url: str) -> str:
        head, mark, fragment = url.partition("#")
        try:
            parts = urlsplit(identity_url(head))
        except ValueError:
            return url
        kept = [
            (name, value)
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
            if name.lower() not in _ROUTE_NAMES and not self._echoes(value)
        ]
        route = f"#{fragment}" if mark and fragment.startswith(("/", "!")) else ""
        return parts._replace(query=urlencode(kept)).geturl() + route


def _plain(value: str) -> str:
    return unquote_plus(unquote_plus(value)).casefold().strip()


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


@lru_cache(maxsize=8192)
def clean_url(url: str | None) -> str | None:
    """The address as the page links it, without session ids and tracking marks."""
    if url is None:
        return None
    head, mark, fragment = url.partition("#")
    try:
        parts = urlsplit(canonical_url(head))
    except ValueError:
        return url
    pairs = [pair for pair in parts.query.split("&") if pair and not _marks_visit(pair)]
    path = PATH_SESSION.sub("", parts.path) or "/"
    kept = parts._replace(path=path, query="&".join(pairs)).geturl()
    return kept + (mark + fragment if fragment.startswith(("/", "!")) else "")


def _marks_visit(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return is_visit_mark(unquote_plus(name), unquote_plus(value), frozenset())


def digest_key(fields: Iterable[tuple[str, str]]) -> str:
    """A key of a record without an address: digest of its values."""
    text = "\x1f".join(" ".join(value.split()).casefold() for _, value in fields)
    return "sha1:" + hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _url_keys(urls: Sequence[str | None], addresses: Addresses) -> list[str | None]:
    """Identities of the items' addresses; plain addresses where identities would fall together."""
    given = {url for url in urls if url}
    short = {url: addresses.identity(url) for url in given}
    whole = {url: _whole_identity(url) for url in given}
    if len(set(short.values())) < len(set(whole.values())):
        short = whole
    return [short[url] if url else None for url in urls]


def _whole_identity(url: str) -> str:
    """What an address is compared by when every parameter but the visit's marks counts."""
    head, mark, fragment = url.partition("#")
    try:
        return identity_url(head) + (mark + fragment if fragment.startswith(("/", "!")) else "")
    except ValueError:
        return url


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
