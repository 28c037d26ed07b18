"""Relevance of a link: does it promise a search form, does it lead on, does it do something?

Form likelihood after the crawling seeds' best-first search: what the link says and where it leads,
in the words of the form analyser, so that no language is favoured. Behind it come likeness to the
task's topic and the structure of links: how many lead there, among how many others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.crawl.action import Priority
from hiwe.form.words import name_speaks_of, speaks_of

if TYPE_CHECKING:
    from hiwe.page.page import Link

UNLIKELY = ("login", "register", "cart", "contact", "subscribe", "recover")
TOPIC = 4.0  # links that a page about the topic, and named so, is nearer than one that is not
CROWD = 0.2  # for each power of ten of links on the page
IN_LINK = 0.2
WRITING = ("logout", "cart")  # following such a link changes something
WRITING_WORDS = frozenset({"delete", "edit", "remove", "unsubscribe", "logout", "signout", "vote"})


@dataclass(frozen=True, slots=True)
class Promise:
    """What speaks for a link besides itself: its likeness to the topic, its page's other links.

    `topic` is from 0 to 1; `siblings` is the page's out-degree, among which its worth is shared.
    """

    topic: float = 0.0
    siblings: int = 1


NO_PROMISE = Promise()


def priority(link: Link) -> Priority:
    """Front queue of a link: likely to show a search form, unlikely, or neither."""
    path = path_words(link.url)
    if speaks_of("search", link.text) or name_speaks_of("search", path):
        return Priority.LIKELY
    if any(speaks_of(meaning, link.text) for meaning in UNLIKELY):
        return Priority.UNLIKELY
    return Priority.VISIT


def score(link: Link, depth: int, *, strategy: str, promise: Promise = NO_PROMISE) -> float:
    """Place within a front queue, least first, by strategy (`crawl.strategy`).

    breadth: by depth; depth: deepest first; best: what speaks of the topic first, then what is
    seen and says something, by depth, plain paths before queries, few links before many.
    """
    if strategy == "depth":
        return -float(depth)
    if strategy == "breadth":
        return float(depth)
    hidden = 0.0 if link.visible and link.text else 0.5
    query = 0.3 if urlsplit(link.url).query else 0.0
    crowd = CROWD * math.log10(max(1, promise.siblings))
    return depth + hidden + query + crowd - TOPIC * promise.topic


def gain(strategy: str) -> float:
    """How far the second link to a page moves it forward; the n-th does by 1/n of that."""
    return IN_LINK if strategy == "best" else 0.0


def writes(link: Link) -> bool:
    """Whether following the link would change something: log out, delete, put into a cart."""
    parts = urlsplit(link.url)
    tokens = set(parts.path.lower().strip("/").split("/"))
    for pair in parts.query.lower().split("&"):
        tokens.add(pair.partition("=")[2])
    if tokens & WRITING_WORDS:
        return True
    return speaks_of("logout", link.text)


def path_words(url: str) -> str:
    """Path and query of an address: what its name says."""
    parts = urlsplit(url)
    return f"{parts.path} {parts.query}"
