"""Forms by plain HTTP: their pages as the browser shows them, their recipes, how one is sent."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.engine.check import THROTTLED, Check, difference
from hiwe.form.find import find_forms
from hiwe.page.network import BLOCKED
from hiwe.page.request import Request
from hiwe.submission import recipe as recipes
from hiwe.submission.again import find_again, match_elements
from hiwe.submission.call import Call, borrow_turn, call_of, fill_call, with_turn
from hiwe.submission.item import levels_for
from hiwe.submission.recipe import Recipe
from hiwe.submission.submission import Fill, Submission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.engine.action import Archive, Submit
    from hiwe.engine.plain import PlainSite
    from hiwe.engine.reading import Reading
    from hiwe.form.form import Form
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.submission.item import Item

PATIENCE = "the site asks for patience"


class PlainForms:
    """What a worker keeps of the forms it has seen, by the form's identity in the run."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._refs: dict[str, str] = {}
        self._shown: dict[str, Page] = {}
        self._recipes: dict[str, Recipe | str] = {}

    def see(self, page: Page, forms: tuple[Form, ...], ref: str) -> None:
        """Keep the forms of a visited page, which lies at `ref` in the archive."""
        for form in forms:
            if form.searchable and form.fingerprint not in self._refs:
                self._refs[form.fingerprint] = ref
                self._keep_shown(form.fingerprint, form, page)

    def keep(self, action: Submit, page: Page) -> str:
        """Archive a form page; its rendering once a form. Returns where the rendering lies."""
        known = self._refs.get(action.identity)
        archived = self._archive.store(page.exchanges, None if known else page)
        if known is None:
            known = self._refs[action.identity] = archived[-1]
        if action.road.form != "browser" and action.identity not in self._shown:
            self._keep_shown(action.identity, action.form, page)
        return known

    def _keep_shown(self, identity: str, form: Form, page: Page) -> None:
        self._shown[identity] = replace(page, exchanges=())
        found = find_again(form, find_forms(page))
        recipe = recipes.recipe_of(page, found) if found else "the form is gone"
        came = next((e for e in reversed(page.exchanges) if e.kind == "document"), None)
        if isinstance(recipe, Recipe) and came is not None:
            recipe = recipes.with_headers(recipe, came)
        self._recipes[identity] = recipe

    def is_shown(self, action: Submit) -> bool:
        """Whether the form's page was seen in the browser by this worker."""
        return action.identity in self._shown

    async def send(self, action: Submit, plain: PlainSite, *, beside: bool) -> Submission | str:
        """Send an assignment by plain HTTP; else why the browser has to.

        `beside`: a tab is at work on the site. The page of the form must have been kept.
        """
        items = _items(action)
        if isinstance(items, str):
            return items
        began = time.monotonic()
        if action.road.call is not None:
            request = fill_call(action.road.call, items)
        else:
            request = await self._request(action, items, plain, beside=beside)
        if isinstance(request, str):
            return request
        page = await plain.fetch(request, action.terms, beside=beside)
        return self._submission(action, page, items, began)

    async def part(
        self, action: Submit, plain: PlainSite, number: int, *, beside: bool
    ) -> Page | None:
        """Part `number` (0: the first) of the answer to a call; None where there is none."""
        items, call = _items(action), action.road.call
        if isinstance(items, str) or call is None:
            return None
        request = fill_call(call, items, part=number)
        return (
            None
            if isinstance(request, str)
            else await plain.fetch(request, action.terms, beside=beside)
        )

    async def _request(
        self, action: Submit, items: list[Item], plain: PlainSite, *, beside: bool
    ) -> Request | str:
        """What the form's recipe sends for the items, with fresh tokens."""
        known = action.road.recipe or self._recipes[action.identity]
        if isinstance(known, str):
            return known
        known = recipes.wake(known, recipes.template_of(items))
        if isinstance(known, str):
            return known
        filled = recipes.fill_recipe(known, action.form, items)
        if isinstance(filled, str):
            return filled
        fresh = await self._tokens(action, known, plain, beside=beside)
        return fresh if isinstance(fresh, str) else recipes.request_of(filled, fresh)

    async def _tokens(
        self, action: Submit, recipe: Recipe, plain: PlainSite, *, beside: bool
    ) -> dict[str, tuple[str, ...]] | str:
        """Fresh tokens from the form's page, if there are any."""
        if not recipe.tokens:
            return {}
        asked = Request("GET", recipe.page_url, recipe.headers)
        page = await plain.fetch(asked, action.terms, beside=beside)
        self._archive.store(page.exchanges)
        await asyncio.sleep(action.terms.delay_s)
        if page.status in THROTTLED:
            return PATIENCE
        if page.status != 200:
            return f"its page answers {page.status} by plain HTTP"
        return recipes.tokens_in(recipe, page)

    def _submission(
        self, action: Submit, page: Page, items: list[Item], began: float
    ) -> Submission:
        last = page.exchanges[-1]
        outcome, reason = ("sent", "") if page.status else ("failed", last.error)
        if last.error == BLOCKED:
            outcome, reason = "not_sent", "robots"
        wanted = [(i.element, "\n".join(label for label, _, _ in i.values)) for i in items]
        return Submission(
            outcome=outcome,  # type: ignore[arg-type]
            reason=reason,
            landed="page",
            fills=tuple(Fill(element, text, text, ok=True, note="") for element, text in wanted),
            form_page=self._shown[action.identity],
            page=page if outcome == "sent" else None,
            request=page.exchanges[0],
            duration_s=time.monotonic() - began,
        )

    def record(
        self, action: Submit, sent: Submission, fetched: Sequence[Exchange]
    ) -> Recipe | Call | Check | None:
        """What the browser was seen to send; a Check that says why it cannot be sent without it.

        `fetched` is what scripts asked for, further parts of the answer included. None: not of
        this assignment, though perhaps of others.
        """
        found = find_again(action.form, find_forms(sent.form_page))
        if sent.request is None or found is None:
            return None
        if len(found.elements) != len(action.form.elements):
            return Check("form", "its elements differ from page to page")
        elements = match_elements(action.form, found)
        levels, lost = levels_for(action.form, elements, action.assignment)
        items = [item for level in levels for item in level]
        if lost:
            return None
        if sent.request.kind in ("xhr", "fetch"):
            return _call(action, sent.request, items, fetched)
        recipe = recipes.recipe_of(sent.form_page, found)
        if isinstance(recipe, str):
            return Check("form", recipe)
        filled = recipes.fill_recipe(recipe, found, items)
        if isinstance(filled, str):
            return None
        template = recipes.template_of(items)
        recipe = recipes.recorded(recipe, filled, template, sent.request)
        if isinstance(recipe, str):
            return Check("form", recipe)
        return recipe.joined(action.road.recipe) if action.road.recipe else recipe

    async def check(
        self, action: Submit, recipe: Recipe | Call, reading: Reading, plain: PlainSite
    ) -> Check | None:
        """Send the assignment once more by plain HTTP and compare the first page of the answer.

        None: the site asks for patience, so nothing is told.
        """
        await asyncio.sleep(action.terms.delay_s)
        call = recipe if isinstance(recipe, Call) else None
        known = None if isinstance(recipe, Call) else recipe
        again = replace(action, road=replace(action.road, recipe=known, call=call))
        sent = await self.send(again, plain, beside=True)
        if isinstance(sent, str):
            return None if sent == PATIENCE else Check("form", sent)
        if sent.page is None:
            return Check("form", f"no answer by plain HTTP: {sent.reason}")
        note = {"purpose": "check", "key": action.key, "form": action.identity}
        archived = self._archive.store(sent.page.exchanges, sent.page, note)
        if sent.page.status in THROTTLED:
            return None
        browser, http, features = reading.compare(sent.page, "page", 0)
        goes_on = browser.further not in ("", "link")
        if call is not None and call.turn is not None:
            browser, http, goes_on = replace(browser, further=""), replace(http, further=""), False
        reason = difference(browser, http)
        if not reason and goes_on:
            reason = f"its pages are turned by {browser.further}"
        return Check("form", reason, bool(browser.keys), features, archived)


def _items(action: Submit) -> list[Item] | str:
    """What an assignment sets in the form as it was found; why it cannot be set."""
    elements = dict(enumerate(action.form.elements))
    levels, lost = levels_for(action.form, elements, action.assignment)
    if lost:
        return f"{lost[0].note}: {lost[0].wanted}"
    return [item for level in levels for item in level]


def _call(
    action: Submit, seen: Exchange, items: list[Item], fetched: Sequence[Exchange]
) -> Call | Check | None:
    """The call that a script made for the items, and how it asks for the next part."""
    known = action.road.call
    if known is not None:
        expected = fill_call(known, items)
        written = seen.url, seen.request_body
        if not isinstance(expected, str) and (expected.url, expected.body) != written:
            return Check("form", "the request of its script changes by itself")
    call = call_of(seen, items)
    if isinstance(call, str):
        return None if known is None else Check("form", call)
    for exchange in fetched:
        call = with_turn(call, exchange) if call.turn is None else call
    return borrow_turn(call, (known,)) if known is not None else call
