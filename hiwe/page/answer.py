"""An HTTP answer as a Page: no layout, but address, text and links as a browser would see them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lxml import etree

from hiwe.page.page import Link, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.html import HtmlElement


def page_from_html(
    url: str,
    html: str,
    status: int,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    *,
    fetched_at: str = "",
) -> Page:
    """Make a Page of a decoded HTML body; its layout fields stay empty.

    Links are resolved against `<base href>`; an address that cannot be read is left out.
    """
    pairs = tuple(headers.items() if hasattr(headers, "items") else headers)
    kind = next((v for k, v in pairs if k.lower() == "content-type"), "text/html")
    page = Page(
        url=url,
        status=status,
        html=html,
        content_type=kind.split(";")[0].strip().lower(),
        headers=pairs,
        fetched_at=fetched_at,
    )
    if not html.strip():
        return replace(page, base_url=url)
    try:
        tree = page.tree
    except (etree.ParserError, ValueError):
        # only comments or an XML declaration with an encoding: there is no document to read
        return replace(page, base_url=url, html="")
    return _with_document_facts(page, tree)


def _with_document_facts(page: Page, tree: HtmlElement) -> Page:
    base = next(iter(tree.xpath("//base/@href")), "")
    base_url = _resolved(page.url, base) or page.url
    title = tree.find(".//title")
    done = replace(
        page,
        base_url=base_url,
        title=" ".join(title.text_content().split()) if title is not None else "",
        language=tree.get("lang") or "",
        links=tuple(_links(tree, base_url)),
    )
    done.__dict__["tree"] = tree
    return done


def _links(tree: HtmlElement, base_url: str) -> Iterable[Link]:
    for anchor in tree.iter("a", "area"):
        href = anchor.get("href")
        address = _resolved(base_url, href) if href is not None else None
        if address:
            rel = tuple((anchor.get("rel") or "").lower().split())
            yield Link(address, _shown(anchor), rel)


def _shown(anchor: HtmlElement) -> str:
    text = " ".join(anchor.text_content().split())
    if not text:
        text = next(iter(anchor.xpath(".//img/@alt")), "") or anchor.get("title") or ""
    return text[:300]


def _resolved(base: str, href: str) -> str | None:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return None
