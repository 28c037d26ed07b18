"""What a page's head says of it: the address it calls its own, files that lead further."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.page.page import Page

OPENSEARCH_TYPE = "application/opensearchdescription+xml"


def canonical_of(page: Page) -> str:
    """The address the page calls its own (RFC 6596), '' if it names none."""
    named = (address for rel, _, address in _links(page) if "canonical" in rel)
    return next(named, "")


def signposts_of(page: Page) -> tuple[tuple[str, str], ...]:
    """(kind, address) of the sitemaps and descriptions of a search that the page points to."""
    found = []
    for rel, kind, address in _links(page):
        if "sitemap" in rel:
            found.append(("sitemap", address))
        elif "search" in rel and kind == OPENSEARCH_TYPE:
            found.append(("opensearch", address))
    return tuple(dict.fromkeys(found))


def _links(page: Page) -> Iterator[tuple[list[str], str, str]]:
    """Words of `rel`, type and resolved address of the page's `link` elements."""
    base = page.base_url or page.url
    for link in page.tree.iter("link"):
        href = (link.get("href") or "").strip()
        if href:
            rel = (link.get("rel") or "").lower().split()
            yield rel, (link.get("type") or "").lower().strip(), urljoin(base, href)
