"""Doubles: pages that say what another address said, and what follows for other addresses.

A double is kept, its links are not followed. What its address shows is remembered: of a host where
a final slash or an index page made no difference once, such addresses are compared without it; and
directories that answer whatever is asked below them are closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.address import host_of, ignorable_ends
from hiwe.crawl.action import NewAction
from hiwe.crawl.shapes import groups
from hiwe.crawl.traps import SOFT
from hiwe.repository.hosts import Hosts
from hiwe.repository.sketches import Sketches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.stores import Stores
    from hiwe.crawl.traps import Traps
    from hiwe.engine.action import Visited

VARIANT = 0.7  # resemblance of a list with itself, filtered or sorted
LISTED_ANEW = frozenset({"facets", "sorting"})
ALIKE = 0.5  # resemblance of two pages of which one names the other as its own address


class Doubles:
    """Knows what the pages of a run say."""

    def __init__(self, stores: Stores, frontier: Frontier, traps: Traps) -> None:
        self._stores = stores
        self._frontier = frontier
        self._traps = traps
        self._sketches = Sketches(stores.db)
        self._hosts = Hosts(stores.db)

    def of(self, row: ActionRow, page: Visited) -> str | None:
        """The address of an earlier page that says the same; None if there is none.

        To be asked before the page is kept. A page that calls another address its own is believed
        sooner, but not on its word alone: on many sites every page calls the start page so.
        """
        landed = self._landed_on_known(row, page)
        twin = self._sketches.add(row.site, page.url, page.sketch) or landed
        if twin is None:
            same = self._stores.pages.same_content(row.site, page.digest)
            twin = same.url if same is not None and same.url != page.url else None
        if twin is None and page.canonical and page.canonical != page.url:
            alike = self._sketches.resemblance(row.site, page.canonical, page.sketch)
            twin = page.canonical if alike >= ALIKE else None
        if twin is not None:
            self._learn(twin, page.url)
        return twin

    def _landed_on_known(self, row: ActionRow, page: Visited) -> str | None:
        """The address that a redirect led to, if it was visited; else it need not be any more."""
        if page.url == row.url:
            return None
        self._learn(row.url, page.url)
        landing = NewAction("visit", row.site, page.url, depth=row.depth, parent=row.id)
        known = self._frontier.find(landing)
        if known is None:
            self._frontier.add_skipped(landing, "duplicate")
        elif known.state == "open":
            self._frontier.skip(known.id, "duplicate")
        elif known.state == "done" and known.id != row.id:
            return page.url
        return None

    def _learn(self, one: str, other: str) -> None:
        """Leave out the slight ends of addresses by which two that show one page differ."""
        ends = ignorable_ends(one, other)
        host = host_of(other)
        known = self._hosts.session_names(host)
        if ends - known:
            self._hosts.save_session_names(host, known | ends)
            self._frontier.leave_out(host, known | ends)

    def is_variant(self, row: ActionRow, page: Visited) -> bool:
        """Whether a filter or another order shows little but the list that it was set on."""
        if row.parent is None or not {g.reason for g in groups(row.url)} & LISTED_ANEW:
            return False
        parent = self._frontier.get(row.parent)
        if urlsplit(parent.url).path != urlsplit(row.url).path:
            return False
        return self._sketches.resemblance(row.site, parent.url, page.sketch) >= VARIANT

    def close_soft(self, row: ActionRow, page: Visited, twin: str) -> None:
        """Close what lies below a directory in which every address shows the page that led to it.

        What proves it: the page says what the one that linked to it says, and links in the same
        words, but from another directory, so that all it names is new. One page is proof enough
        where none below the directory has said anything of its own.
        """
        parent = None if row.parent is None else self._frontier.get(row.parent)
        if parent is None or parent.depth == 0 or twin != parent.url:
            return
        above, here = _directory(parent.url), _directory(page.url)
        if above == here or not here.startswith(above):
            return
        led = _within(above, self._children(parent))
        leads = _within(here, (link.url for link in page.links))
        if not led or not led <= leads or self._sketches.any_below(row.site, above):
            return
        if any(self._frontier.knows(NewAction("visit", row.site, here + to)) for to in leads):
            return
        self._traps.close(page.url, f"{urlsplit(above).path}**", SOFT)

    def _children(self, row: ActionRow) -> list[str]:
        """Addresses of the visits that a page was the first to name."""
        rows = self._stores.db.rows(
            "SELECT url FROM actions WHERE parent = ? AND kind = 'visit'", (row.id,)
        )
        return [child["url"] for child in rows]


def _directory(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[0] + "/"


def _within(directory: str, urls: Iterable[str]) -> set[str]:
    """What addresses below a directory are called there."""
    return {url.removeprefix(directory) for url in urls if url.startswith(directory)} - {""}
