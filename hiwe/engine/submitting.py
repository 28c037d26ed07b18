"""Submitting: one assignment to the site and its answer read, in the browser or by plain HTTP."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from hiwe.engine.check import THROTTLED, Check
from hiwe.engine.plain_forms import PlainForms
from hiwe.engine.reading import NEXT_PART, Reading
from hiwe.engine.turner import Turner
from hiwe.errors import PageError
from hiwe.response.response import Verdict
from hiwe.submission.call import Call
from hiwe.submission.outcome import COUNT_SLACK
from hiwe.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from hiwe.engine.action import Archive, SiteTerms, Submit, Submitted
    from hiwe.engine.plain import PlainSite
    from hiwe.engine.road import Way
    from hiwe.page.browser import Session, Tab
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.submission.submission import Submission

MADE_UP = "zqxvkj-zqxvkj"  # a path that no site has


class Submitting:
    """Carries assignments out. `forms` is what is kept of the forms that were seen."""

    def __init__(
        self,
        archive: Archive,
        session: Callable[[SiteTerms], Awaitable[Session]],
        plain: Callable[[SiteTerms], PlainSite],
    ) -> None:
        """`session` is the browser's session of a site, ready to be used; `plain` its visitor."""
        self._archive = archive
        self._session = session
        self._plain = plain
        self.forms = PlainForms(archive)

    async def perform(self, action: Submit) -> Submitted:
        """Carry an assignment out on the road that the crawl has chosen for it."""
        began = time.monotonic()
        by_browser = ""
        if action.road.form == "http":
            answer = await self._by_plain_http(action, began)
            if not isinstance(answer, str):
                return answer
            by_browser = answer
            action = replace(action, road=replace(action.road, form=_then(action)))
            await asyncio.sleep(action.terms.delay_s)
        return replace(await self._by_browser(action, began), by_browser=by_browser)

    async def _by_plain_http(self, action: Submit, began: float) -> Submitted | str:
        """The answer by plain HTTP; why the browser is needed, when it is."""
        if not self.forms.is_shown(action):
            await self._show(action)
        sent = await self.forms.send(action, self._plain(action.terms), beside=False)
        if isinstance(sent, str):
            return sent
        answer = replace(await self._read_answer(action, None, sent, began), transport="http")
        return answer if action.terms.unchecked else _doubt(action, answer) or answer

    async def _show(self, action: Submit) -> None:
        """Look at the form's page in the browser: this worker has not seen it yet."""
        session = await self._session(action.terms)
        tab = await session.open(action.page_url)
        try:
            self.forms.keep(action, await tab.snapshot())
        finally:
            await tab.close()
        await asyncio.sleep(action.terms.delay_s)

    async def _by_browser(self, action: Submit, began: float) -> Submitted:
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

    async def _read_answer(
        self, action: Submit, tab: Tab | None, sent: Submission, began: float
    ) -> Submitted:
        """Archive and analyse the answer, turn its pages while they bring new records.

        `tab` is None for an answer by plain HTTP.
        """
        form_ref = self.forms.keep(action, sent.form_page)
        response_s = sent.duration_s
        reading = Reading(action, sent)
        plain = self._plain(action.terms)

        async def open_tab(url: str, referer: str) -> Tab:
            session = await self._session(action.terms)
            return await session.open(url, referer=referer)

        turner = Turner(action, reading, plain, self._archive, tab=tab, open_tab=open_tab)
        try:
            if sent.page is not None:
                turner.arrived(sent.page, plain=tab is None)
                await self._read_pages(action, sent.page, reading, turner, form_ref)
        finally:
            await turner.close()
        told = reading.observation(time.monotonic() - began, response_s)
        told = replace(told, checks=tuple(turner.checks), plain_pages=turner.plain_pages)
        return await self._checked(action, sent, reading, told, turner.fetched)

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
                if step is None or step is NEXT_PART:
                    page = await self._next_part(action, reading)
                else:
                    page = await turner.turn(step)
            except PageError:
                break  # what was read so far stands; more is left

    async def _next_part(self, action: Submit, reading: Reading) -> Page | None:
        """The next part of an answer that was asked for in a script's place, if there is more."""
        call = action.road.call
        if action.road.form != "http" or call is None or call.turn is None:
            return None
        if not reading.wants_part():
            return None
        await asyncio.sleep(action.terms.delay_s)
        plain = self._plain(action.terms)
        page = await self.forms.part(action, plain, reading.size, beside=False)
        if page is None or page.status != 200:
            return None
        return page

    async def _checked(
        self,
        action: Submit,
        sent: Submission,
        reading: Reading,
        told: Submitted,
        fetched: Sequence[Exchange],
    ) -> Submitted:
        """With what plain HTTP tells of the same assignment, where the crawl wants to know."""
        is_told = told.judgement is not None and told.judgement.verdict.is_valid
        if action.road.form != "check" or not is_told:
            return told
        recipe = self.forms.record(action, sent, fetched)
        if recipe is None or isinstance(recipe, Check):
            return told if recipe is None else replace(told, checks=(*told.checks, recipe))
        plain = self._plain(action.terms)
        check = await self.forms.check(action, recipe, reading, plain)
        if check is None:
            return told
        told = replace(told, checks=(*told.checks, check))
        if isinstance(recipe, Call):
            return replace(told, call=recipe)
        return replace(told, recipe=recipe)

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


def _then(action: Submit) -> Way:
    """How an assignment goes in the browser that plain HTTP could not carry."""
    return "browser" if action.terms.unchecked else "check"


def _doubt(action: Submit, answer: Submitted) -> str:
    """Why an answer by plain HTTP is not taken for the site's: the browser is asked, too.

    A site that asks for patience is given it.
    """
    judgement = answer.judgement
    if judgement is None:
        return "" if answer.reason == "robots" else f"no answer by plain HTTP: {answer.reason}"
    status = answer.pages[0].features.status
    if judgement.verdict is Verdict.BLOCKED and (
        status in THROTTLED or judgement.reason == "throttled"
    ):
        return ""
    if not judgement.verdict.is_valid:
        return f"plain HTTP was answered with {judgement.verdict}"
    count = answer.pages[0].features.count
    called = action.road.call is not None and len(answer.pages) < action.max_pages
    if called and count is not None and len(answer.records) + 1 < COUNT_SLACK * (count.total or 0):
        return f"{len(answer.records)} of {count.total} records by plain HTTP"
    lost = next((check.reason for check in answer.checks if check.reason), "")
    return lost if lost.startswith("the pager cannot") else ""
