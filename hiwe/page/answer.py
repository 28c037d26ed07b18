"""An HTTP answer as a Page: no layout, but address, text and links as a browser would see them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lxml import etree
from selectolax.lexbor import LexborHTMLParser
from w3lib.encoding import html_to_unicode

from hiwe.page.file import is_html, page_of_file, page_without_document
from hiwe.page.page import Link, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lxml.html import HtmlElement

    from hiwe.page.exchange import Exchange


def page_of_answer(exchanges: Sequence[Exchange]) -> Page:
    """Make a Page of what plain HTTP brought: the last exchange, after its redirects.

    Markup is put in order by the HTML standard's parsing rules, so that its tree is the one that
    a browser builds. A file is read as `hiwe.page.file` does; status 0 where no answer came.
    """
    last = exchanges[-1]
    at = last.started_at.isoformat(timespec="milliseconds")
    if last.status == 0 or not last.body:
        return page_without_document(last.url, exchanges=exchanges, fetched_at=at)
    if not is_html(last.content_type):
        return page_of_file(last, exchanges=exchanges, fetched_at=at)
    charset, text = decoded(last)
    html = LexborHTMLParser(text).html or ""
    page = page_from_html(last.url, html, last.status, last.response_headers, fetched_at=at)
    kept = page.__dict__.get("tree")
    page = replace(page, charset=charset, exchanges=tuple(exchanges))
    if kept is not None:
        page.__dict__["tree"] = kept
    return page


def decoded(exchange: Exchange) -> tuple[str, str]:
    """Charset and text of a document: byte order mark, header, meta, else UTF-8 if it is that."""
    return html_to_unicode(
        exchange.header("content-type") or None, exchange.body, auto_detect_fun=_likely_charset
    )


def _likely_charset(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


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
