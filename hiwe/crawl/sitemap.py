"""Sitemaps (sitemaps.org 0.9): the addresses a site names itself, in XML, text or gzipped."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from lxml import etree

MOST_BYTES = 50_000_000  # unpacked (the protocol's own limit)
MOST_ADDRESSES = 50_000
GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Addresses of pages, and of further sitemaps if it is an index."""

    pages: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()


def read_sitemap(body: bytes) -> Sitemap:
    """Read a sitemap; what cannot be read of it is left out."""
    text = _unpacked(body)
    if text.lstrip()[:1] != b"<":
        lines = text.decode("utf-8", "replace").splitlines()[:MOST_ADDRESSES]
        return Sitemap(tuple(line.strip() for line in lines if line.strip().startswith("http")))
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root: etree._Element | None = etree.fromstring(text, parser)
    if root is None:
        return Sitemap()
    found = tuple(_locations(root))[:MOST_ADDRESSES]
    is_index = etree.QName(root).localname == "sitemapindex"
    return Sitemap(maps=found) if is_index else Sitemap(pages=found)


def _locations(root: etree._Element) -> list[str]:
    """The `loc` of each entry, and of RSS or Atom feeds (allowed as sitemaps) the `link`."""
    found = []
    for element in root.iter("{*}loc", "{*}link"):
        parent = element.getparent()
        if parent is None or etree.QName(parent).localname == "image":
            continue
        address = (element.text or element.get("href") or "").strip()
        if address.startswith("http"):
            found.append(address)
    return found


def _unpacked(body: bytes) -> bytes:
    """The text of a gzipped file, up to a limit: a small file may hold endless zeros."""
    if not body.startswith(GZIP):
        return body[:MOST_BYTES]
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(body, MOST_BYTES)
    except zlib.error:
        return b""
