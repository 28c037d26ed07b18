"""What a visited page tells besides its forms."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hiwe.engine.action import Visited
from hiwe.page.head import canonical_of, leads_of, signposts_of
from hiwe.page.network import BLOCKED
from hiwe.page.sketch import sketch_of
from hiwe.page.terms import terms_of

if TYPE_CHECKING:
    from hiwe.page.page import Page


def visited(action: int, page: Page, archived: tuple[str, ...], duration_s: float) -> Visited:
    """The observation of a page, its forms left out."""
    return Visited(
        action_id=action,
        url=page.url,
        status=page.status,
        title=page.title,
        language=page.language,
        content_type=page.content_type,
        digest=hashlib.sha256(page.html.encode("utf-8", "replace")).hexdigest()[:32],
        headers=page.headers,
        meta_robots=_meta_robots(page),
        links=page.links + leads_of(page),
        forms=(),
        archived=archived,
        duration_s=duration_s,
        sketch=sketch_of(page),
        canonical=canonical_of(page),
        signposts=signposts_of(page),
        terms=terms_of(page),
        barred=tuple(
            one.url for one in page.exchanges if one.error == BLOCKED and one.kind == "document"
        ),
    )


def _meta_robots(page: Page) -> tuple[str, ...]:
    """Contents of the page's robots METAs, those addressed to us included."""
    return tuple(
        meta.get("content") or ""
        for meta in page.tree.iter("meta")
        if (meta.get("name") or "").strip().lower() in ("robots", "hiwe")
    )
