"""Details: the page of each record is opened and what it says is added (`records.details: true`).

It goes the way of every page: through the frontier, at the host's pace, within scope, robots.txt
and a budget of its own, after everything that may bring records not known yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.address import canonical_url
from hiwe.crawl.action import DETAIL, NewAction, Priority
from hiwe.crawl.politeness import Outcome, outcome_of, retry_after_seconds
from hiwe.page.file import is_html
from hiwe.repository.archive_place import archive_of
from hiwe.repository.pages import StoredPage
from hiwe.repository.warc_reader import read_page
from hiwe.response.detail import detail_fields
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.neighbours import Neighbours
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Failure, Visited
    from hiwe.page.page import Page
    from hiwe.response.response import Record

RETRY_S = 1.0


class Details:
    """Asks for the pages of records and takes what comes."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        stores: Stores,
        frontier: Frontier,
        dispatch: Dispatch,
        clock: Callable[[], float],
        neighbours: Neighbours,
    ) -> None:
        self._sites = sites
        self._neighbours = neighbours
        self._stores = stores
        self._frontier = frontier
        self._dispatch = dispatch
        self._clock = clock
        self._starts: dict[str, Page | None] = {}

    def ask(self, site: Site, record: Record, *, parent: int | None) -> None:
        """Put the page of a record into the frontier, once, if the task wants it and scope allows.

        Not for a record that is the page of its item already.
        """
        if not site.settings.records.details or not record.url:
            return
        try:
            refused = site.scope.refusal(canonical_url(record.url))
        except ValueError:
            return
        if refused:
            return
        page = NewAction(
            DETAIL, site.key, record.url,
            priority=Priority.DETAIL, payload={"record": record.key}, parent=parent, depth=1,
            identity=f"{site.key} {record.key}",
        )  # fmt: skip
        if self._neighbours.owns(record.url):
            self._frontier.add(page)
        else:
            self._neighbours.hand_over(page)

    def take(self, row: ActionRow, page: Visited) -> None:
        """Keep the page of a record and merge its fields into the record."""
        value = next((v for n, v in page.headers if n.lower() == "retry-after"), "")
        wait_s = retry_after_seconds(value, self._clock()) if value else None
        outcome = outcome_of(page.status, retry_after=wait_s is not None)
        self._dispatch.asked(row, outcome, page.duration_s, wait_s)
        if outcome is Outcome.THROTTLED:
            when = self._clock() + (wait_s or 0.0)
            self._frontier.give_back(row.id, "throttled", when=when)
            return
        self._frontier.done(row.id)
        self._keep(row, page)
        why = self._why_useless(row, page)
        if why:
            self._tell(row, f"{row.url} {why}", level="warning")
            return
        snapshot = self._page_at(page.archived[-1])
        fields = detail_fields(snapshot, self._start_page(row.site)) if snapshot else ()
        added = self._stores.records.add_fields(row.site, row.payload["record"], fields)
        self._tell(row, f"{page.title or page.url}: {count(added, 'field')} added")

    def _why_useless(self, row: ActionRow, page: Visited) -> str:
        """Why a page tells nothing of its record; '' if it may."""
        if not 200 <= page.status < 300:
            return f"answers {page.status}"
        if not self._sites[row.site].scope.holds_host(page.url):
            return "leads out of the site"
        if page.content_type and not is_html(page.content_type):
            return f"is no web page ({page.content_type})"
        return "" if page.archived else "is not in the archive"

    def _keep(self, row: ActionRow, page: Visited) -> None:
        self._stores.pages.add(
            StoredPage(
                site=row.site,
                url=page.url,
                purpose=DETAIL,
                status=page.status,
                fetched_at=self._clock(),
                action=row.id,
                content_type=page.content_type,
                title=page.title,
                language=page.language,
                digest=page.digest,
                depth=row.depth,
                duration_s=page.duration_s,
                warc=page.archived[-1] if page.archived else "",
                archived=page.archived,
            )
        )

    def _start_page(self, site: str) -> Page | None:
        """The site's start page: what it shows, each page of the site may show."""
        if site not in self._starts:
            stored = self._stores.pages.latest(canonical_url(self._sites[site].start))
            self._starts[site] = self._page_at(stored.warc) if stored and stored.warc else None
        return self._starts[site]

    def _page_at(self, ref: str) -> Page | None:
        """The page as the worker saw it, from the archive; None for a database without one."""
        path = self._stores.db.path
        return None if path is None else read_page(archive_of(path.parent), ref).page

    def take_failure(self, row: ActionRow, failure: Failure) -> None:
        """The page of a record that did not come is asked for again later, a few times."""
        later = self._clock() + RETRY_S
        if not (failure.is_silence and self._frontier.retry_at(row.id, later, failure.kind)):
            self._frontier.failed(row.id, failure.message)
            self._tell(row, f"{row.url}: {failure.message}", level="warning")

    def _tell(self, row: ActionRow, text: str, *, level: str = "info") -> None:
        self._stores.run.add_event(
            DETAIL, text, level=level, site=row.site, data={"url": row.url}
        )  # fmt: skip
