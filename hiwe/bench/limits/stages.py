"""All measures: the raw ones and hiwe's stages, on the same pages and the same answers."""

from __future__ import annotations

from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urljoin

from hiwe.bench.limits import raw
from hiwe.bench.limits.kept import archive_write, database_write
from hiwe.bench.limits.sending import plain_submit, submit_in_browser
from hiwe.bench.limits.stage import Measure, now
from hiwe.bench.limits.web import TIMEOUT_S
from hiwe.engine.action import SiteTerms
from hiwe.engine.plain import PlainSite
from hiwe.explorer import plan
from hiwe.form.find import find_forms
from hiwe.lvs.table import LvsTable
from hiwe.page.request import Request
from hiwe.response.addresses import Addresses
from hiwe.response.analyse import analyse
from hiwe.response.knowledge import FormKnowledge
from hiwe.response.reader import parse, read
from hiwe.response.records import records_of
from hiwe.response.regions import Finder
from hiwe.response.significant import template_of
from hiwe.response.verdict import judge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from hiwe.bench.limits.stage import Work
    from hiwe.bench.limits.web import Web
    from hiwe.form.form import Form
    from hiwe.page.browser import Tab
    from hiwe.page.page import Page
    from hiwe.response.response import ResponseFeatures

NAMES = ("Allen", "Scott", "Lee", "Coen", "Mann", "Stone", "Lucas", "Pollack", "Howard", "Eastwood")
FIELD, RESULTS = "regista", "/risultati.asp"
TABLE = Path(__file__).parents[3] / "lvs" / "movies.yaml"
TAKEN = 10  # assignments of a form


@dataclass(frozen=True, slots=True)
class Material:
    """What the pure stages work on: rendered pages and their forms, a form, and its answers."""

    pages: tuple[Page, ...]
    forms: tuple[Form, ...]
    form_page: Page
    form: Form
    answers: tuple[Page, ...]


@asynccontextmanager
async def measures(web: Web) -> AsyncIterator[list[Measure]]:
    """Everything that is measured, raw things first."""
    tabs = [await web.session.open(url) for url in web.pages]
    with ExitStack() as until:
        found = await _material(web, tabs)
        ours = _stages(web, found, tabs, until)
        yield [*await raw.measures(web, found.answers, until), *ours]
    for tab in tabs:
        await tab.close()


async def _material(web: Web, tabs: Sequence[Tab]) -> Material:
    pages = tuple([await tab.snapshot() for tab in tabs])
    tab = await web.session.open(web.form_url)
    form_page = await tab.snapshot()
    await tab.close()
    form = next(form for form in find_forms(form_page) if form.searchable)
    forms = tuple(form for page in pages for form in find_forms(page))
    terms = SiteTerms("limits", 0.0, TIMEOUT_S)
    site = PlainSite(terms)
    answers = []
    for name in NAMES:
        url = urljoin(web.form_url, RESULTS) + "?" + urlencode({FIELD: name})
        answers.append(await site.fetch(Request("GET", url, ()), terms))
    site.close()
    return Material(pages, forms, form_page, form, tuple(answers))


def _stages(web: Web, found: Material, tabs: Sequence[Tab], until: ExitStack) -> list[Measure]:
    fixture = "navigation, fixture page"
    by_browser = submit_in_browser(web, found.form, FIELD, NAMES)
    by_http = plain_submit(web, found.form, found.form_page, FIELD, NAMES)
    archived = archive_write(web.directory / "warc", found.answers, until)
    read_answers = [_features(found, *pair) for pair in zip(NAMES, found.answers, strict=True)]
    kept = database_write(web.directory, found.form, read_answers, until)
    return [
        Measure("page snapshot", "page", _snapshots(tabs), "DOM snapshot"),
        Measure("form analysis", "page", now(lambda: _forms(found.pages)), "parse, page"),
        Measure("match and plan", "form", now(_planner(found)), "parse, page"),
        Measure("submit in the browser", "submission", by_browser, fixture, each=2),
        Measure("submit by HTTP", "submission", by_http, "HTTP, one connection"),
        Measure("judging, records included", "answer", now(_judging(found)), "parse, answer"),
        Measure("records alone", "answer", now(_records(found)), "parse, answer"),
        Measure("database write", "answer", now(kept), "bare transaction"),
        Measure("archive write", "answer", now(archived), "gzip, answer"),
    ]


def _snapshots(tabs: Sequence[Tab]) -> Work:
    async def work() -> int:
        for tab in tabs:
            await tab.snapshot()
        return len(tabs)

    return work


def _forms(pages: Sequence[Page]) -> int:
    for page in pages:
        find_forms(page)
    return len(pages)


def _planner(found: Material) -> Callable[[], int]:
    """From the labels of a form to its first assignments."""
    lvs = LvsTable.load([TABLE], builtin=("months", "countries"))
    forms = [form for form in (*found.forms, found.form) if form.searchable]

    def work() -> int:
        for form in forms:
            plan(form, lvs).next(TAKEN)
        return len(forms)

    return work


def _judging(found: Material) -> Callable[[], int]:
    """All that is done with the page of an answer: records, count, pager, verdict."""

    def work() -> int:
        for name, page in zip(NAMES, found.answers, strict=True):
            judge(_features(found, name, page), FormKnowledge())
        return len(found.answers)

    return work


def _features(found: Material, name: str, page: Page) -> ResponseFeatures:
    return analyse(page, form_page=found.form_page, form=found.form, landed="page", values=(name,))


def _records(found: Material) -> Callable[[], int]:
    """The list of hits and its records, in a page that was read already."""
    template = template_of(found.form_page)
    documents = [(page, read(parse(page.html))) for page in found.answers]

    def work() -> int:
        for page, document in documents:
            best = Finder(document, template, page.url).best(frozenset())
            if best is not None:
                records_of(document, best, Addresses(page.url, ()))
        return len(documents)

    return work
