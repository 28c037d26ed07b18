"""One assignment to the site: in the browser, and by plain HTTP."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from hiwe.bench.limits.web import TIMEOUT_S
from hiwe.engine.action import SiteTerms, Submit
from hiwe.engine.no_archive import NoArchive
from hiwe.engine.plain import PlainSite
from hiwe.engine.plain_forms import PlainForms
from hiwe.engine.road import Road
from hiwe.response.knowledge import FormKnowledge
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.recipe import Recipe, recipe_of
from hiwe.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.bench.limits.stage import Work
    from hiwe.bench.limits.web import Web
    from hiwe.form.form import Form
    from hiwe.page.page import Page

IN_BROWSER, PLAIN = 4, 40  # submissions in a round


def submit_in_browser(web: Web, form: Form, field: str, names: Sequence[str]) -> Work:
    """Open the form, fill it, send it, read the answer; one after another in one tab at a time."""
    numbers = count()

    async def work() -> int:
        for _ in range(IN_BROWSER):
            tab = await web.session.open(web.form_url)
            try:
                assignment = _assignment(form, field, names[next(numbers) % len(names)])
                sent = await submit(tab, form, assignment, timeout_s=TIMEOUT_S)
                if sent.page is None:
                    raise LookupError(f"nothing came back: {sent.reason}")
            finally:
                await tab.close()
        return IN_BROWSER

    return work


def plain_submit(web: Web, form: Form, page: Page, field: str, names: Sequence[str]) -> Work:
    """Fill the form's recipe, send it, read the answer; one after another."""
    recipe = recipe_of(page, form)
    if not isinstance(recipe, Recipe):
        raise LookupError(f"{web.form_url} has no form for plain HTTP: {recipe}")
    terms = SiteTerms("limits", 0.0, TIMEOUT_S)
    forms, site, numbers = PlainForms(NoArchive()), PlainSite(terms), count()

    async def work() -> int:
        for _ in range(PLAIN):
            action = Submit(
                0, web.form_url, form, _assignment(form, field, names[next(numbers) % len(names)]),
                "", form.fingerprint, FormKnowledge(), terms, 1, road=Road("http", "http", recipe),
            )  # fmt: skip
            if not forms.is_shown(action):
                forms.keep(action, page)
            sent = await forms.send(action, site, beside=False)
            if isinstance(sent, str) or sent.page is None:
                raise LookupError(f"nothing came back: {sent}")
        return PLAIN

    return work


def _assignment(form: Form, field: str, value: str) -> ValueAssignment:
    place = next(at for at, element in enumerate(form.elements) if element.name == field)
    return ValueAssignment((Binding(place, value, 1.0),), 1.0)
