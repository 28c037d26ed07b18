"""Outline of a document as it came over the wire: what a browser would make something of.

Its controls, scripts and frames, not its words. While they are as they were, a browser would show
the same forms, and the words and links can be read without one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page

CONTROLS = ("form", "input", "select", "textarea", "button", "option", "iframe", "frame")
NAMED = ("name", "type", "action", "method", "src")
UNSTEADY = frozenset({"hidden"})  # kinds of inputs whose values and number tell nothing
DATA_KINDS = frozenset({"xhr", "fetch"})


def outline_of(page: Page) -> str:
    """Return the outline of a page that came by plain HTTP, 32 hex digits."""
    parts = []
    for element in page.tree.iter(*CONTROLS, "script"):
        tag = str(element.tag)
        if tag == "script" and not element.get("src"):
            parts.append("script")
        elif tag == "option":
            parts.append(f"option {' '.join((element.text or '').split())}")
        elif (element.get("type") or "").lower() not in UNSTEADY:
            named = (f"{name}={element.get(name)}" for name in NAMED if element.get(name))
            parts.append(f"{tag} {' '.join(named)}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def document_of(page: Page) -> Exchange | None:
    """Return the exchange that brought a rendered page; None for an answer to a POST."""
    documents = (e for e in page.exchanges if e.kind == "document" and e.url == page.url)
    return next((e for e in documents if e.status == 200 and e.body and e.method == "GET"), None)


def fetches_data(page: Page) -> bool:
    """Return whether a rendered page's script fetched data: more than came over the wire first."""
    return any(exchange.kind in DATA_KINDS for exchange in page.exchanges)
