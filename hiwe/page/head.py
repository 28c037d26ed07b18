"""What a page says besides its links: the address it calls its own, where it leads further."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from hiwe.address import resolve
from hiwe.page.page import Link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.page.page import Page

REFRESH = re.compile(r"[\d.\s]*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)
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


def leads_of(page: Page) -> tuple[Link, ...]:
    """Where the page leads by itself: a refresh that was not waited for, frames not loaded."""
    base = page.base_url or page.url
    found = [resolve(base, target) for target in _refreshes(page)]
    if page.frames:  # rendered: what the frames show is part of the page
        sources = (frame.get("src") or "" for frame in page.tree.iter("frame", "iframe"))
        addresses = (resolve(base, source) for source in sources if source.strip())
        found += [url for url in addresses if url not in page.frames]
    known = {link.url for link in page.links} | {page.url, None}
    return tuple(Link(url, "") for url in dict.fromkeys(found) if url and url not in known)


def _refreshes(page: Page) -> Iterator[str]:
    for meta in page.tree.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            found = REFRESH.match((meta.get("content") or "").strip())
            if found and found.group(1).strip():
                yield found.group(1).strip()


def _links(page: Page) -> Iterator[tuple[list[str], str, str]]:
    """Words of `rel`, type and resolved address of the page's `link` elements."""
    base = page.base_url or page.url
    for link in page.tree.iter("link"):
        href = (link.get("href") or "").strip()
        if href:
            rel = (link.get("rel") or "").lower().split()
            yield rel, (link.get("type") or "").lower().strip(), urljoin(base, href)
