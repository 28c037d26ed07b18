"""OpenSearch descriptions (1.1): the address of a site's own search, with a place for the words."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from lxml import etree

PARAMETER = re.compile(r"\{([^{}?]+)(\??)\}")


def search_pages(body: bytes, url: str) -> tuple[str, ...]:
    """Addresses of the search pages that a description names, asked for nothing.

    `url` is the description's own. Such a page shows the search form, filled with the empty query;
    templates that need more than words, and those that are sent by POST, are left out.
    """
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root: etree._Element | None = etree.fromstring(body, parser) if body.strip() else None
    if root is None:
        return ()
    pages = []
    for entry in root.iter("{*}Url"):
        template = entry.get("template") or ""
        html = (entry.get("type") or "").lower() in ("text/html", "application/xhtml+xml")
        get = (entry.get("method") or "get").lower() == "get"
        if html and get and _needs_words_alone(template):
            pages.append(urljoin(url, PARAMETER.sub("", template)))
    return tuple(dict.fromkeys(pages))


def _needs_words_alone(template: str) -> bool:
    names = {name for name, optional in PARAMETER.findall(template) if not optional}
    return "searchTerms" in {name for name, _ in PARAMETER.findall(template)} and names <= {
        "searchTerms", "startPage", "startIndex", "count", "language", "inputEncoding",
        "outputEncoding",
    }  # fmt: skip
