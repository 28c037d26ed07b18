"""Visits: what a page brings, links for the frontier and forms for the desk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.address import canonical_url, host_of
from hiwe.crawl.action import NewAction, Priority
from hiwe.crawl.doubles import Doubles
from hiwe.crawl.politeness import Outcome, outcome_of, retry_after_seconds
from hiwe.crawl.robots import directives
from hiwe.crawl.sessions import Sessions
from hiwe.page.file import is_html
from hiwe.page.page import Link
from hiwe.repository.hosts import Hosts
from hiwe.repository.pages import StoredPage
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.form_desk import FormDesk
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.links import Links
    from hiwe.crawl.neighbours import Neighbours
    from hiwe.crawl.signposts import Signposts
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Failure, Visited
    from hiwe.form.form import Form

FAILURES = {
    "timeout": "did not answer in time",
    "unreachable": "does not answer",
    "not_html": "is no web page",
}
REFUSALS = {
    401: "asks for a log-in (401); give user and password in `credentials` of the site",
    407: "asks for a log-in at a proxy (407)",
}
NOT_MODIFIED = 304
UNFOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})


class Visits:
    """Takes the observations of visited pages."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        stores: Stores,
        frontier: Frontier,
        desk: FormDesk,
        dispatch: Dispatch,
        signposts: Signposts,
        links: Links,
        clock: Callable[[], float],
        neighbours: Neighbours,
    ) -> None:
        self._sites = sites
        self._neighbours = neighbours
        self._stores = stores
        self._frontier = frontier
        self._desk = desk
        self._dispatch = dispatch
        self._signposts = signposts
        self._clock = clock
        self._links = links
        self._doubles = Doubles(stores, frontier, links.traps)
        self._sessions = Sessions(Hosts(stores.db), frontier)

    def seed(self) -> None:
        """Put the start pages into the frontier; those known already stay as they are."""
        for site in self._sites.values():
            if self._neighbours.owns(site.start):
                url = canonical_url(site.start)
                self._frontier.add(NewAction("visit", site.key, url, priority=Priority.LIKELY))

    def admit(self, action: NewAction) -> bool:
        """Add what another shard found for this one; whether it is new."""
        if action.site not in self._sites:
            return False
        self._stores.run.set_sites({action.site: list(self._sites).index(action.site)})
        return self._links.admit(action) if action.kind == "visit" else self._frontier.add(action)

    def take(self, row: ActionRow, page: Visited) -> None:
        """Keep a page; follow its links and meet its forms if it is a page of the site."""
        site = self._sites[row.site]
        retry_after_s = _retry_after(page, self._clock())
        outcome = outcome_of(page.status, retry_after=retry_after_s is not None)
        if page.status == 0:  # a circle of redirects, say: the host was not silent
            outcome = Outcome.OK
        self._dispatch.asked(row, outcome, page.duration_s, retry_after_s)
        if outcome is Outcome.THROTTLED:
            when = self._clock() + (retry_after_s or 0.0)
            self._frontier.give_back(row.id, "throttled", when=when)
            return
        if page.status == NOT_MODIFIED:
            self._unchanged(row, page)
            return
        useless = self._why_useless(site, page)
        if self._lead_elsewhere(site, row, page) and page.status == 0:
            self._frontier.done(row.id)
            return
        twin = None if useless else self._doubles.of(row, page)
        page_id = self._keep(row, page)
        self._frontier.done(row.id)
        if useless:
            self._links.traps.observe(row.url, fresh=False)
            self._fault(row, useless)
            return
        manners = site.settings.politeness
        rules = directives(page.meta_robots, page.headers, user_agent=manners.user_agent)
        obeyed = manners.obeys_robots_meta
        new = sum([self._desk.meet(site, form, parent=row.id) for form in page.forms])
        if twin is None and (rules.follow or not obeyed):
            self._follow(site, row, page, obeyed=obeyed)
            for what, url in page.signposts:
                self._signposts.ask(row, url, what)
        if twin is not None and not new:
            self._doubles.close_soft(row, page, twin)
        says_more = twin is None and not self._doubles.is_variant(row, page)
        self._links.traps.observe(row.url, fresh=bool(new) or says_more)
        told = f"like {twin}" if twin else f"{count(len(page.forms), 'form')}, {new} new"
        self._stores.run.add_event(
            "page", f"{page.title or page.url}: {told}",
            site=site.key, data={"page": page_id, "url": page.url},
        )  # fmt: skip

    def _lead_elsewhere(self, site: Site, row: ActionRow, page: Visited) -> int:
        """Hand over where a page leads to hosts of other shards by itself: redirects, its forms.

        How many addresses there are.
        """
        actions = (_action_of(form) for form in page.forms if form.searchable)
        targets = dict.fromkeys(actions, row.depth + 1) | dict.fromkeys(page.barred, row.depth)
        found = [url for url in targets if self._is_elsewhere(site, url)]
        for url in found:
            link = Link(url, "")
            self._links.add(site, row, link, depth=targets[url], priority=Priority.LIKELY)
            self._stores.run.add_event(
                "page", f"{row.url} leads to {url}, which another shard visits", site=site.key
            )
        return len(found)

    def _is_elsewhere(self, site: Site, url: str) -> bool:
        is_page = url.startswith("http") and site.scope.holds_host(url)
        return is_page and not self._neighbours.owns(url)

    def _why_useless(self, site: Site, page: Visited) -> str:
        """Why nothing can be read from a page; '' if it can."""
        if page.status >= 400 or page.status == 0:
            return REFUSALS.get(page.status, f"answers {page.status}")
        if not site.scope.holds_host(page.url):
            return f"leads out of the site, to {host_of(page.url)}"
        if page.content_type and not is_html(page.content_type):
            return f"is no web page ({page.content_type})"
        return ""

    def _unchanged(self, row: ActionRow, page: Visited) -> None:
        """A revisit's page that is as it was: what was known of it holds on."""
        known = self._stores.pages.latest(row.url)
        assert known is not None, "a conditional request names what was known"
        archived = page.archived
        self._stores.pages.add(
            replace(
                known,
                status=page.status,
                fetched_at=self._clock(),
                action=row.id,
                duration_s=page.duration_s,
                archived=archived,
                warc=known.warc,
            )
        )
        self._frontier.done(row.id)
        self._stores.run.add_event(
            "page", f"{known.title or row.url}: not modified", site=row.site, data={"url": row.url}
        )

    def _keep(self, row: ActionRow, page: Visited) -> int:
        """Keep a page; one that came without a browser keeps the rendered one that is known."""
        known = self._stores.pages.latest(page.url) if page.plain else None
        rendered = page.archived[-1] if page.archived and not page.plain else ""
        headers = {name.lower(): value for name, value in page.headers}
        return self._stores.pages.add(
            StoredPage(
                site=row.site,
                url=page.url,
                purpose="visit",
                status=page.status,
                fetched_at=self._clock(),
                action=row.id,
                content_type=page.content_type,
                title=page.title,
                language=page.language,
                digest=page.digest,
                etag=headers.get("etag", ""),
                last_modified=headers.get("last-modified", ""),
                depth=row.depth,
                links=len(page.links),
                duration_s=page.duration_s,
                warc=known.warc if known else rendered,
                archived=page.archived,
            )
        )

    def _follow(self, site: Site, row: ActionRow, page: Visited, *, obeyed: bool) -> None:
        """Add the page's links to the frontier, session ids among their parameters left out."""
        links = {link.url: link for link in page.links if not (obeyed and _is_unfollowed(link))}
        self._sessions.observe(page.url, links)
        self._links.follow(site, row, page, list(links.values()))

    def take_failure(self, row: ActionRow, failure: Failure) -> None:
        """A page that did not come: asked again later, a few times."""
        again = failure.is_silence and self._frontier.retry_at(
            row.id, self._clock() + 1.0, failure.kind, last=True
        )
        if not again:
            self._frontier.failed(row.id, failure.message)
            self._fault(row, FAILURES.get(failure.kind, failure.message))

    def _fault(self, row: ActionRow, what: str) -> None:
        """Tell a person of a page that could not be used; a start page ends its site."""
        self._stores.run.add_event(
            "error", f"{row.url} {what}", level="error", site=row.site, data={"url": row.url}
        )
        if row.depth == 0:
            self._dispatch.stop_site(row.site, f"start page {what}", failed=True)


def _action_of(form: Form) -> str:
    """Where a form sends by the button that is pressed."""
    return (form.submitters[0].action if form.submitters else "") or form.action


def _is_unfollowed(link: Link) -> bool:
    return bool(UNFOLLOWED.intersection(link.rel))


def _retry_after(page: Visited, now: float) -> float | None:
    """Seconds of the page's Retry-After field, None without one."""
    value = next((v for n, v in page.headers if n.lower() == "retry-after"), "")
    return retry_after_seconds(value, now) if value else None
