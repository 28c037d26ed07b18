"""Relevance of a link: does it promise a search form, does it lead on, does it do something?

Form likelihood after the crawling seeds' best-first search: what the link says and where it leads,
in the words of the form analyser, so that no language is favoured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.crawl.action import Priority
from hiwe.form.words import name_speaks_of, speaks_of

if TYPE_CHECKING:
    from hiwe.page.page import Link

UNLIKELY = ("login", "register", "cart", "contact", "subscribe", "recover")
WRITING = ("logout", "cart")  # following such a link changes something
WRITING_WORDS = frozenset({"delete", "edit", "remove", "unsubscribe", "logout", "signout", "vote"})


def priority(link: Link) -> Priority:
    """Front queue of a link: likely to show a search form, unlikely, or neither."""
    path = _path(link.url)
    if speaks_of("search", link.text) or name_speaks_of("search", path):
        return Priority.LIKELY
    if any(speaks_of(meaning, link.text) for meaning in UNLIKELY):
        return Priority.UNLIKELY
    return Priority.VISIT


def score(link: Link, depth: int, *, strategy: str) -> float:
    """Place within a front queue, least first, by strategy (`crawl.strategy`).

    breadth: by depth; depth: deepest first; best: what is seen and says something first, then
    by depth, plain paths before queries.
    """
    if strategy == "depth":
        return -float(depth)
    if strategy == "breadth":
        return float(depth)
    hidden = 0.0 if link.visible and link.text else 0.5
    query = 0.3 if urlsplit(link.url).query else 0.0
    return depth + hidden + query


def writes(link: Link) -> bool:
    """Whether following the link would change something: log out, delete, put into a cart."""
    parts = urlsplit(link.url)
    tokens = set(parts.path.lower().strip("/").split("/"))
    for pair in parts.query.lower().split("&"):
        tokens.add(pair.partition("=")[2])
    if tokens & WRITING_WORDS:
        return True
    return speaks_of("logout", link.text)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path} {parts.query}"
