"""Pictures of items: the one image of each that differs from item to item."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.response.addresses import Addresses
    from hiwe.response.document import Document, Node

IMAGE_FIELD = "Image"
_SOURCES = ("data-src", "data-original", "data-lazy-src", "src")  # the first wins: lazy loading


def item_images(
    document: Document, items: Sequence[Node], addresses: Addresses
) -> list[str | None]:
    """The address of each item's picture; None for all when most items show the same one.

    A picture that many items share is an icon.
    """
    found = [_first_image(document, item, addresses) for item in items]
    given = [url for url in found if url]
    if not given or len(set(given)) * 2 <= len(given):
        return [None] * len(items)
    shared = {url for url in given if given.count(url) > 1} if len(given) < 500 else set()
    return [None if url in shared else url for url in found]


def _first_image(document: Document, item: Node, addresses: Addresses) -> str | None:
    for node in document.below(item):
        if node.tag != "img":
            continue
        url = next((url for name in _SOURCES if (url := node.get(name))), "")
        if url and not url.startswith("data:"):
            return addresses.resolve(url)
    return None
