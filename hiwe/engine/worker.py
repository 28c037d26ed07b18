"""The worker: hands that fetch, render, fill, submit, archive and run the pure analysis.

It keeps a browser with one session a site and decides nothing that outlives an action. Every
exchange is in the archive before anything is judged.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from hiwe.engine.action import (
    Failure,
    ReadRobots,
    RobotsRead,
    Submitted,
    Visit,
    Visited,
)
from hiwe.engine.plain import PlainSite
from hiwe.engine.reading import Reading
from hiwe.engine.turner import Turner
from hiwe.errors import BrowserError, PageError, SiteUnreachable
from hiwe.form.find import find_forms
from hiwe.page.lists import open_lists
from hiwe.page.sketch import sketch_of
from hiwe.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.engine.action import Action, Archive, Observation, SiteTerms, Submit
    from hiwe.page.browser import Browser, Session, Tab
    from hiwe.page.http import HttpClient
    from hiwe.page.page import Page
    from hiwe.submission.submission import Submission

MADE_UP = "zqxvkj-zqxvkj"  # a path that no site has


class Worker:
    """Performs actions one by one or several at once; each site has a session of its own."""

    def __init__(
        self, browser: Browser, http: HttpClient, archive: Archive, *, owns_browser: bool = True
    ) -> None:
        self._browser = browser
        self._owns_browser = owns_browser
        self._http = http
        self._archive = archive
        self._sessions: dict[str, Session] = {}
        self._plain: dict[str, PlainSite] = {}
        self._form_pages: dict[str, str] = {}

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
        """Carry one action out; what goes wrong on the way to a site comes back as a Failure."""
        began = time.monotonic()
        try:
            if isinstance(action, ReadRobots):
                return await self._read_robots(action)
            if isinstance(action, Visit):
                return await self._visit(action)
            return await self._submit(action)
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
                terms.key, http_credentials=terms.credentials, blocked=_blocked(terms)
            )
        session = self._sessions[terms.key]
        await self._plain_site(terms).hand_over(session)
        return session

    def _plain_site(self, terms: SiteTerms) -> PlainSite:
        if terms.key not in self._plain:
            self._plain[terms.key] = PlainSite(terms)
        return self._plain[terms.key]

    async def _read_robots(self, action: ReadRobots) -> RobotsRead:
        began = time.monotonic()
        terms = action.terms
        answer = await asyncio.to_thread(
            self._http.get, action.url, terms.timeout_s, credentials=terms.credentials
        )
        if answer.status:
            self._archive.store((answer,), None)
        text = answer.body.decode("utf-8", "replace")
        return RobotsRead(action.id, answer.status, text, time.monotonic() - began)

    async def _visit(self, action: Visit) -> Visited:
        began = time.monotonic()
        session = await self._session(action.terms)
        tab = await session.open(action.url, referer=action.referer)
        try:
            await open_lists(tab.call)
            page = await tab.snapshot(html=True)
        finally:
            await tab.close()
        archived = self._archive.store(page.exchanges, page)
        return Visited(
            action_id=action.id,
            url=page.url,
            status=page.status,
            title=page.title,
            language=page.language,
            content_type=page.content_type,
            digest=hashlib.sha256(page.html.encode("utf-8", "replace")).hexdigest()[:32],
            headers=page.headers,
            meta_robots=_meta_robots(page),
            links=page.links,
            forms=find_forms(page),
            archived=archived,
            duration_s=time.monotonic() - began,
            sketch=sketch_of(page),
        )

    async def _submit(self, action: Submit) -> Submitted:
        began = time.monotonic()
        session = await self._session(action.terms)
        tab = await session.open(action.page_url)
        try:
            await asyncio.sleep(action.terms.delay_s)
            sent, here = await self._carry(action, tab)
            return await self._read_answer(action, here, sent, began)
        finally:
            await tab.close()

    async def _carry(self, action: Submit, tab: Tab) -> tuple[Submission, Tab]:
        """Send the steps and then the form; the last that was sent, and where its answer is."""
        for step in action.steps:
            sent = await submit(tab, step.form, step.assignment, timeout_s=action.terms.timeout_s)
            if sent.page is None:
                return sent, tab
            self._archive.store(sent.form_page.exchanges)
            self._archive.store(sent.page.exchanges, sent.page, {"purpose": "step"})
            tab = tab.answer
            await asyncio.sleep(action.terms.delay_s)
        timeout_s = action.terms.timeout_s
        return await submit(tab, action.form, action.assignment, timeout_s=timeout_s), tab

    def _keep_form_page(self, action: Submit, page: Page) -> str:
        """Archive the form page; its rendering once a form, not once an assignment."""
        known = self._form_pages.get(action.identity)
        refs = self._archive.store(page.exchanges, None if known else page)
        if known is None:
            known = self._form_pages[action.identity] = refs[-1]
        return known

    async def _read_answer(
        self, action: Submit, tab: Tab | None, sent: Submission, began: float
    ) -> Submitted:
        """Archive and analyse the answer, turn its pages while they bring new records."""
        form_ref = self._keep_form_page(action, sent.form_page)
        response_s = sent.duration_s
        reading = Reading(action, sent)
        turner = self._turner(action, reading, tab)
        try:
            if sent.page is not None:
                turner.arrived(sent.page, plain=tab is None)
                await self._read_pages(action, sent.page, reading, turner, form_ref)
        finally:
            await turner.close()
        told = reading.observation(time.monotonic() - began, response_s)
        return replace(told, checks=tuple(turner.checks), plain_pages=turner.plain_pages)

    def _turner(self, action: Submit, reading: Reading, tab: Tab | None) -> Turner:
        terms = action.terms

        async def open_tab(url: str, referer: str) -> Tab:
            session = await self._session(terms)
            return await session.open(url, referer=referer)

        plain = self._plain_site(terms)
        return Turner(action, reading, plain, self._archive, tab=tab, open_tab=open_tab)

    async def _read_pages(
        self, action: Submit, first: Page, reading: Reading, turner: Turner, form_ref: str
    ) -> None:
        page: Page | None = first
        while page is not None:
            note = reading.note(form_ref)
            reading.add(page, self._archive.store(page.exchanges, page, note))
            if action.may_ask_missing and reading.is_doubtful:
                await self._ask_missing(action, reading, form_ref)
            try:
                await turner.check()
                step = reading.next_step()
                page = None if step is None else await turner.turn(step)
            except PageError:
                break  # what was read so far stands; more is left

    async def _ask_missing(self, action: Submit, reading: Reading, form_ref: str) -> None:
        """Ask for a path that cannot exist: a site may answer it with status 200, too."""
        url = urljoin(action.page_url, f"/{MADE_UP}")
        if action.terms.permits is not None and not action.terms.permits(url):
            return
        await asyncio.sleep(action.terms.delay_s)
        session = await self._session(action.terms)
        try:
            tab = await session.open(url)
        except PageError:
            return  # nothing to compare with
        try:
            page = await tab.snapshot(html=True)
        finally:
            await tab.close()
        about = {"purpose": "missing", "values": [MADE_UP], "landed": "page"}
        note = reading.note(form_ref) | about
        archived = self._archive.store(page.exchanges, page, note)
        reading.compare_with_missing(page, MADE_UP, archived)


def _blocked(terms: SiteTerms) -> Callable[[str], bool] | None:
    """What the browser must not ask for: what robots.txt forbids."""
    permits = terms.permits
    return None if permits is None else (lambda url: not permits(url))


def _meta_robots(page: Page) -> tuple[str, ...]:
    """Contents of the page's robots METAs, those addressed to us included."""
    return tuple(
        meta.get("content") or ""
        for meta in page.tree.iter("meta")
        if (meta.get("name") or "").strip().lower() in ("robots", "hiwe")
    )
