"""Session ids by evidence: parameters that differ from visit to visit though nothing else does.

Their names may be anything. What gives them away: a page links to the same places with another
value each time it is seen, or all links of one page carry one value that looks made by a machine,
and all links of the next page another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit

from hiwe.address import has_token_shape, host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.crawl.frontier import Frontier
    from hiwe.repository.hosts import Hosts

LEAST_LINKS = 2  # links on each of two pages that are evidence enough
LEAST_CARRIED = 0.8  # share of a page's own links that carry its session


def unstable_parameters(first: Iterable[str], second: Iterable[str]) -> frozenset[str]:
    """Return the parameters that differ between two visits to *one* page, given its links.

    A name is unstable when each visit shows one value for it, another one on the second visit,
    and links that agree in everything else carry it: two such links, or one with a value that
    looks made by a machine.
    """
    before, after = _values_in_context(first), _values_in_context(second)
    unstable: set[str] = set()
    for name in before.keys() & after.keys():
        old, new = set(before[name].values()), set(after[name].values())
        shared = before[name].keys() & after[name].keys()
        differs = len(old) == 1 == len(new) and old != new
        if differs and (len(shared) >= LEAST_LINKS or (shared and all(map(has_token_shape, new)))):
            unstable.add(name)
    return frozenset(unstable)


def carried_parameters(first: Sequence[str], second: Sequence[str]) -> frozenset[str]:
    """Return the parameters that two *different* pages put on all their links, one value a page.

    Weaker evidence than two visits to one page (all links of a category name the category), so
    the values must look made by a machine on both.
    """
    before, after = _values_in_context(first), _values_in_context(second)
    carried: set[str] = set()
    for name in before.keys() & after.keys():
        old, new = set(before[name].values()), set(after[name].values())
        if len(old) != 1 or len(new) != 1 or old == new:
            continue
        if not all(map(has_token_shape, old | new)):
            continue
        if all(
            len(values[name]) >= max(LEAST_LINKS, LEAST_CARRIED * len(links))
            for values, links in ((before, set(first)), (after, set(second)))
        ):
            carried.add(name)
    return frozenset(carried)


def _values_in_context(urls: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return parameter name -> address without it -> its value there."""
    values: dict[str, dict[str, str]] = {}
    for url in urls:
        parts = urlsplit(url)
        pairs = [pair.partition("=") for pair in parts.query.split("&") if pair]
        for name, _, value in pairs:
            rest = "&".join(sorted(f"{n}={v}" for n, _, v in pairs if n != name))
            context = f"{parts.netloc}{parts.path}?{rest}"
            values.setdefault(unquote_plus(name).lower(), {})[context] = value
    return values


class Sessions:
    """Watches the links of pages as they are visited and tells the frontier what to leave out."""

    def __init__(self, hosts: Hosts, frontier: Frontier) -> None:
        self._hosts = hosts
        self._frontier = frontier
        self._last: dict[str, tuple[str, tuple[str, ...]]] = {}  # host -> page, its own links

    def observe(self, page_url: str, links: Iterable[str]) -> frozenset[str]:
        """Take the links of a visited page; return the session parameters newly found by it.

        They are kept for the host, and what the frontier holds of it is compared anew. To be
        called before the links are added.
        """
        host = host_of(page_url)
        own = tuple(sorted({url for url in links if urlsplit(url).netloc == host}))
        before = self._last.get(host)
        self._last[host] = (page_url, own)
        if before is None:
            return frozenset()
        same_page = urlsplit(before[0])[:3] == urlsplit(page_url)[:3]
        found = carried_parameters(before[1], own)
        if same_page:
            found |= unstable_parameters(before[1], own)
        known = self._hosts.session_names(host)
        if found - known:
            self._hosts.save_session_names(host, known | found)
            self._frontier.leave_out(host, known | found)
        return found - known
