"""The worker: hands that fetch, render, fill, submit, archive and run the pure analysis.

It keeps a browser with one session a site and decides nothing that outlives an action. Every
exchange is in the archive before anything is judged.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.engine.action import Failure, Fetch, Fetched, ReadRobots, RobotsRead, Visit
from hiwe.engine.plain import PlainSite
from hiwe.engine.submitting import Submitting
from hiwe.engine.visited import visited
from hiwe.errors import BrowserError, PageError, SiteUnreachable
from hiwe.form.find import find_forms
from hiwe.page.lists import open_lists
from hiwe.page.outline import outline_of
from hiwe.page.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.engine.action import (
        Action,
        Archive,
        Known,
        Observation,
        Permission,
        SiteTerms,
        Visited,
    )
    from hiwe.page.browser import Browser, Session
    from hiwe.page.exchange import Exchange
    from hiwe.page.http import HttpClient

CONCLUSIVE = frozenset({304, 429, 503})  # not modified; not now


class Worker:
    """Performs actions one by one or several at once; each site has a session of its own."""

    def __init__(
        self, browser: Browser, http: HttpClient, archive: Archive, *,
        owns_browser: bool = True,
        bounds: Permission | None = None,
    ) -> None:  # fmt: skip
        """`bounds` say which addresses may be asked for at all, whatever the site (None: all)."""
        self._bounds = bounds
        self._browser = browser
        self._owns_browser = owns_browser
        self._http = http
        self._archive = archive
        self._sessions: dict[str, Session] = {}
        self._plain: dict[str, PlainSite] = {}
        self._submitting = Submitting(archive, self._session, self._plain_site)

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self._browser.alive

    async def close(self) -> None:
        """Close sessions, browser (if it is the worker's own) and archive; never hangs."""
        if self._owns_browser:
            await self._browser.close()
        else:
            for session in self._sessions.values():
                await session.close()
        for plain in self._plain.values():
            plain.close()
        self._archive.close()

    async def perform(self, action: Action) -> Observation:
        """Carry one action out; what goes wrong on the way to a site comes back as a Failure.

        What was archived on the way outlives the worker before it returns.
        """
        async with self._archive.keeping():
            return await self._perform(action)

    async def _perform(self, action: Action) -> Observation:
        began = time.monotonic()
        if self._bounds is not None:
            permits = Bounded(self._bounds, action.terms.permits)
            action = replace(action, terms=replace(action.terms, permits=permits))
        try:
            if isinstance(action, ReadRobots):
                return await self._read_robots(action)
            if isinstance(action, Fetch):
                return await self._fetch(action)
            if isinstance(action, Visit):
                return await self._visit(action)
            return await self._submitting.perform(action)
        except PageError as error:
            kind, why = error.kind, str(error)
        except SiteUnreachable as error:
            kind, why = "unreachable", str(error)
        except BrowserError as error:
            kind, why = "crash", str(error)
        return Failure(action.id, kind, why, time.monotonic() - began)

    async def _session(self, terms: SiteTerms) -> Session:
        """The browser's session of a site, with all cookies that are known; it is used now."""
        if terms.key not in self._sessions:
            self._sessions[terms.key] = await self._browser.session(
                terms.key,
                http_credentials=terms.credentials,
                storage_state=terms.storage_state,
                proxy=terms.proxy,
                blocked=_blocked(terms),
            )
        session = self._sessions[terms.key]
        await self._plain_site(terms).hand_over(session)
        return session

    def _plain_site(self, terms: SiteTerms) -> PlainSite:
        if terms.key not in self._plain:
            self._plain[terms.key] = PlainSite(terms)
        return self._plain[terms.key]

    async def _get(self, action: ReadRobots | Fetch) -> tuple[Exchange, tuple[str, ...]]:
        """What an address answers by plain HTTP, and where it lies in the archive."""
        terms = action.terms
        answer = await asyncio.to_thread(
            self._http.get, action.url, terms.timeout_s,
            credentials=terms.credentials, proxy=terms.proxy,
        )  # fmt: skip
        return answer, self._archive.store((answer,), None) if answer.status else ()

    async def _read_robots(self, action: ReadRobots) -> RobotsRead:
        began = time.monotonic()
        answer, _ = await self._get(action)
        text = answer.body.decode("utf-8", "replace")
        duration_s = time.monotonic() - began
        return RobotsRead(action.id, answer.status, text, duration_s, answer.error)

    async def _fetch(self, action: Fetch) -> Fetched:
        began = time.monotonic()
        answer, _ = await self._get(action)
        duration_s = time.monotonic() - began
        return Fetched(action.id, answer.url, answer.status, answer.body, duration_s)

    async def _visit(self, action: Visit) -> Visited:
        began = time.monotonic()
        if action.known is not None:
            same = await self._ask_plainly(action, action.known)
            if same is not None:
                return replace(same, duration_s=time.monotonic() - began)
        session = await self._session(action.terms)
        tab = await session.open(action.url, referer=action.referer)
        try:
            await open_lists(tab.call)
            page = await tab.snapshot(html=True)
        finally:
            await tab.close()
        archived = self._archive.store(page.exchanges, page)
        forms = find_forms(page)
        if action.terms.unchecked:
            self._submitting.forms.see(page, forms, archived[-1])
        seen = visited(action.id, page, archived, time.monotonic() - began)
        return replace(seen, forms=forms)

    async def _ask_plainly(self, action: Visit, known: Known) -> Visited | None:
        """What plain HTTP tells of a known page; None if the browser has to look.

        A host that asks for patience is not asked by the browser either, nor for a page that is
        gone.
        """
        request = Request("GET", action.url, (*known.headers, *known.validators))
        page = await self._plain_site(action.terms).fetch(request, action.terms)
        told = page.status in CONCLUSIVE or page.status >= 400
        same = page.status == 200 and known.outline and outline_of(page) == known.outline
        if not told and not same:
            await asyncio.sleep(action.terms.delay_s)  # it is asked for again, in the browser
            return None
        archived = self._archive.store(page.exchanges, None)
        return replace(visited(action.id, page, archived, 0.0), plain=True)


@dataclass(frozen=True, slots=True)
class Bounded:
    """What a site's terms permit, within the bounds of the worker."""

    bounds: Permission
    permits: Permission | None

    def __call__(self, url: str) -> bool:
        """Whether an address may be requested."""
        return self.bounds(url) and (self.permits is None or self.permits(url))


def _blocked(terms: SiteTerms) -> Callable[[str], bool] | None:
    """What the browser must not ask for: what robots.txt forbids."""
    permits = terms.permits
    return None if permits is None else (lambda url: not permits(url))
