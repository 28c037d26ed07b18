"""Addresses of items: resolved, freed from what marks a visit, and what tells them apart."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus, urlencode, urljoin, urlsplit

from hiwe.address import PATH_SESSION, canonical_url, identity_url, is_visit_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

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
            parts = urlsplit(_canonical_identity(head))
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


@lru_cache(maxsize=8192)
def _canonical_identity(url: str) -> str:
    """What is compared of an address; the same ones come again on page after page."""
    return identity_url(url)


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


def whole_identity(url: str) -> str:
    """What an address is compared by when every parameter but the visit's marks counts."""
    head, mark, fragment = url.partition("#")
    try:
        return _canonical_identity(head) + (
            mark + fragment if fragment.startswith(("/", "!")) else ""
        )
    except ValueError:
        return url
