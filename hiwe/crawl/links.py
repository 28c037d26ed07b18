"""Links: addresses that a page or a signpost names become visits, if nothing speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl import relevance
from hiwe.crawl.action import NewAction
from hiwe.crawl.relevance import NO_PROMISE, Promise
from hiwe.crawl.shapes import unordered
from hiwe.crawl.traps import TRAP, Traps

if TYPE_CHECKING:
    from hiwe.crawl.action import ActionRow, Priority
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.neighbours import Neighbours
    from hiwe.crawl.site import Site
    from hiwe.crawl.topic import Topic
    from hiwe.crawl.traps import Refusal
    from hiwe.engine.action import Visited
    from hiwe.page.page import Link
    from hiwe.repository.database import Database

TOPIC = "topic"  # a visit's payload: how much the way to it spoke of the topic


class Links:
    """Adds visits to the frontier: within scope, in no trap, placed by the site's strategy."""

    def __init__(
        self, db: Database, frontier: Frontier, topic: Topic, neighbours: Neighbours
    ) -> None:
        self.traps = Traps(db)
        self._neighbours = neighbours
        self._frontier = frontier
        self._topic = topic

    def follow(self, site: Site, row: ActionRow, page: Visited, links: list[Link]) -> int:
        """Add links of a visited page; how many are new."""
        likeness = self._topic.of_page(page.terms)
        inherited = float(row.payload.get(TOPIC, likeness))
        added = 0
        for link in links:
            where = f"{link.text} {relevance.path_words(link.url)}"
            topic = self._topic.of_link(where, likeness, inherited)
            promise = Promise(topic, len(links))
            added += self.add(site, row, link, depth=row.depth + 1, promise=promise)
        return added

    def add(
        self, site: Site, row: ActionRow, link: Link, *,
        depth: int,
        promise: Promise = NO_PROMISE,
        priority: Priority | None = None,
    ) -> bool:  # fmt: skip
        """Add one link found by `row`; whether it is new and to be visited."""
        if not link.url.startswith("http") or relevance.writes(link):
            return False
        if site.scope.refusal(link.url, depth):
            return False
        strategy = site.settings.crawl.strategy
        action = NewAction(
            "visit",
            site.key,
            link.url,
            depth=depth,
            priority=relevance.priority(link) if priority is None else priority,
            score=relevance.score(link, depth, strategy=strategy, promise=promise),
            anchor=link.text[:200],
            parent=row.id,
            payload={TOPIC: round(promise.topic, 3)} if promise.topic else {},
            gain=relevance.gain(strategy),
        )
        if not self._neighbours.owns(action.url):
            return self._neighbours.hand_over(action)
        return self.admit(action)

    def admit(self, action: NewAction) -> bool:
        """Add a visit unless it lies in a trap; the first that do are remembered as skipped."""
        if self._frontier.knows(action):
            return self._frontier.add(action)
        refused = self._other_order(action) or self.traps.refusal(action.url)
        if refused is None:
            return self._frontier.add(action)
        if refused.is_kept:
            self._frontier.add_skipped(action, TRAP)
        return False

    def _other_order(self, action: NewAction) -> Refusal | None:
        """Turn away another order of a list that is known: it shows the same."""
        plain = unordered(action.url)
        if plain == action.url or not self._frontier.knows(NewAction("visit", "", plain)):
            return None
        return self.traps.refuse_order(action.url)
