"""Signposts: files in which a site says itself where its pages are (sitemaps) and its search.

What they name is visited like what links name: within scope, robots.txt and budget. A sitemap may
name every item of a catalogue, which is what the forms are for: of addresses of one shape a few are
enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl import relevance
from hiwe.crawl.action import SIGNPOST, NewAction, Priority
from hiwe.crawl.opensearch import search_pages
from hiwe.crawl.politeness import Outcome, outcome_of
from hiwe.crawl.shapes import groups
from hiwe.crawl.sitemap import read_sitemap
from hiwe.page.page import Link
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.links import Links
    from hiwe.crawl.neighbours import Neighbours
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Failure, Fetched

SITEMAP, OPENSEARCH = "sitemap", "opensearch"
MOST_FILES = 20  # sitemaps read of one site
MOST_OF_A_SHAPE = 3
MOST_PLAIN = 30  # pages beside the start page
MOST_PAGES = 200  # visits that one sitemap may ask for
RETRY_S = 1.0


class Signposts:
    """Asks for the files that robots.txt and pages point to, and takes what they say."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        stores: Stores,
        frontier: Frontier,
        dispatch: Dispatch,
        links: Links,
        clock: Callable[[], float],
        neighbours: Neighbours,
    ) -> None:
        self._sites = sites
        self._neighbours = neighbours
        self._stores = stores
        self._frontier = frontier
        self._dispatch = dispatch
        self._clock = clock
        self._links = links

    def ask_sitemaps(self, row: ActionRow) -> None:
        """Put the sitemaps that a host's robots.txt names into the frontier."""
        policy = self._dispatch.policy(row.host, self._sites[row.site])
        for url in policy.sitemaps if policy else ():
            self.ask(row, url, SITEMAP)

    def ask(self, row: ActionRow, url: str, what: str) -> None:
        """Put a file into the frontier, once, if it lies within the site."""
        site = self._sites[row.site]
        known = self._frontier.count(None, site=site.key, kind=SIGNPOST)
        if known >= MOST_FILES or not url.startswith("http") or not site.scope.holds_host(url):
            return
        file = NewAction(
            SIGNPOST, site.key, url,
            priority=Priority.LIKELY, payload={"what": what}, parent=row.id, depth=row.depth,
        )  # fmt: skip
        if self._neighbours.owns(url):
            self._frontier.add(file)
        else:
            self._neighbours.hand_over(file)

    def take(self, row: ActionRow, file: Fetched) -> None:
        """Add what a file names to the frontier."""
        outcome = outcome_of(file.status, retry_after=False)
        self._dispatch.asked(row, outcome, file.duration_s)
        if outcome is Outcome.THROTTLED:
            self._frontier.give_back(row.id, "throttled", when=self._clock())
            return
        self._frontier.done(row.id)
        if not 200 <= file.status < 300:
            self._tell(row, f"answers {file.status}")
            return
        if row.payload["what"] == OPENSEARCH:
            pages = search_pages(file.body, file.url)
            added = sum(self._add(row, url, Priority.LIKELY) for url in pages)
        else:
            named = read_sitemap(file.body)
            for url in named.maps:
                self.ask(row, url, SITEMAP)
            added = self._add_some(row, named.pages)
        self._tell(row, f"{count(added, 'page')} to visit")

    def _add_some(self, row: ActionRow, urls: tuple[str, ...]) -> int:
        """Add the pages that promise a search form, and a few of each shape of the others."""
        seen: dict[str, int] = {}
        added = 0
        for url in urls:
            priority = relevance.priority(Link(url, ""))
            if priority is not Priority.LIKELY:
                shape = next((group.shape for group in groups(url)), "")
                seen[shape] = seen.get(shape, 0) + 1
                if seen[shape] > (MOST_OF_A_SHAPE if shape else MOST_PLAIN):
                    continue
                priority = Priority.UNLIKELY
            added += self._add(row, url, priority)
            if added >= MOST_PAGES:
                break
        return added

    def _add(self, row: ActionRow, url: str, priority: Priority) -> bool:
        """Add one page; whether it is new and allowed."""
        return self._links.add(
            self._sites[row.site], row, Link(url, ""), depth=1, priority=priority
        )

    def take_failure(self, row: ActionRow, failure: Failure) -> None:
        """A file that did not come is asked for again later, a few times."""
        if not self._frontier.retry_at(row.id, self._clock() + RETRY_S, failure.kind):
            self._frontier.failed(row.id, failure.message)

    def _tell(self, row: ActionRow, text: str) -> None:
        what = row.payload["what"]
        self._stores.run.add_event(
            SIGNPOST, f"{what} {row.url}: {text}", site=row.site, data={"url": row.url}
        )
