"""How fast assignments travel: in our browser, by plain HTTP, and by loops written by hand.

One fixture site without pace, in a process of its own; the same form, the same values, the same
number of submissions at a time. Each path ends where an answer can be read: with a settled page in
a browser, with a parsed tree by plain HTTP. Ratios of medians; the paths take turns in each round.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from rich.table import Table

from hiwe.bench.result import BenchResult
from hiwe.engine.action import SiteTerms, Submit
from hiwe.engine.no_archive import NoArchive
from hiwe.engine.plain import PlainSite
from hiwe.engine.plain_forms import PlainForms
from hiwe.engine.road import Road
from hiwe.form.find import find_forms
from hiwe.page.browser import Browser
from hiwe.page.chromium import find_chromium
from hiwe.response.knowledge import FormKnowledge
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.recipe import Recipe, recipe_of
from hiwe.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from hiwe.form.form import Form
    from hiwe.page.browser import Session
    from hiwe.page.page import Page

SITE, FORM_PATH, FIELD = "cineteca", "/ricerca.asp", "regista"
NAMES = ("Allen", "Scott", "Lee", "Coen", "Mann", "Stone", "Lucas", "Pollack", "Howard", "Eastwood")
ROUNDS = 5
TABS, THREADS = 4, 8  # submissions at a time, in a browser and by plain HTTP
IN_BROWSER, PLAIN = 16, 160  # submissions in a round
TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Submissions a second of one path, by round."""

    name: str
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median round."""
        return statistics.median(self.rounds)


async def run(
    rounds: int = ROUNDS, *, in_browser: int = IN_BROWSER, plain: int = PLAIN
) -> BenchResult:
    """Measure the four paths in `rounds` rounds of so many submissions each."""
    with _served() as url:
        browser = await Browser.launch(executable=find_chromium(), timeout_s=TIMEOUT_S)
        try:
            session = await browser.session("bench")
            paths = await _paths(url, session)
            found: dict[str, list[float]] = {name: [] for name in paths}
            for path in paths.values():
                await path(TABS)  # once before, unmeasured: caches, connections, code
            for _ in range(rounds):
                for name, path in paths.items():
                    count = plain if name in ("plain", "requests") else in_browser
                    began = time.perf_counter()
                    await path(count)
                    found[name].append(count / (time.perf_counter() - began))
        finally:
            await browser.close()
    return _result([Rates(name, tuple(rates)) for name, rates in found.items()])


def _result(rates: list[Rates]) -> BenchResult:
    median = {rate.name: rate.median for rate in rates}
    ratios = {
        "browser / playwright": median["browser"] / median["playwright"],
        "plain / browser": median["plain"] / median["browser"],
        "plain / requests": median["plain"] / median["requests"],
    }
    table = Table("path", "submissions a second", title="submit")
    for rate in rates:
        table.add_row(rate.name, f"{rate.median:.1f}")
    for name, ratio in ratios.items():
        table.add_row(name, f"{ratio:.2f}")
    figures = {
        "per_s": median,
        "rounds": {rate.name: list(rate.rounds) for rate in rates},
        "ratios": ratios,
    }
    return BenchResult(table, figures)


@contextmanager
def _served() -> Iterator[str]:
    """Yield the address of the site's form, served by another process."""
    command = [sys.executable, "-m", "hiwe_fixtures", SITE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield urljoin(server.stdout.readline().split()[-1], FORM_PATH)
        finally:
            server.terminate()


async def _paths(url: str, session: Session) -> dict[str, Callable[[int], Awaitable[None]]]:
    """The four paths; each takes the number of submissions."""
    tab = await session.open(url)
    page = await tab.snapshot()
    await tab.close()
    form = next(f for f in find_forms(page) if f.searchable)
    recipe = recipe_of(page, form)
    if not isinstance(recipe, Recipe):
        raise LookupError(f"{url} has no form for plain HTTP: {recipe}")
    return {
        "browser": lambda count: _browser(session, url, form, count),
        "playwright": _by_hand_in_a_browser(await session.bare(), url),
        "plain": _plain(url, form, recipe, page),
        "requests": lambda count: _by_hand(form.action, count),
    }


def _assignment(form: Form, number: int) -> ValueAssignment:
    place = next(at for at, element in enumerate(form.elements) if element.name == FIELD)
    return ValueAssignment((Binding(place, NAMES[number % len(NAMES)], 1.0),), 1.0)


async def _at_a_time(limit: int, count: int, one: Callable[[int], Awaitable[None]]) -> None:
    """Do `one` for each number below `count`, `limit` at a time."""
    numbers = iter(range(count))

    async def lane() -> None:
        for number in numbers:
            await one(number)

    await asyncio.gather(*(lane() for _ in range(limit)))


async def _browser(session: Session, url: str, form: Form, count: int) -> None:
    async def one(number: int) -> None:
        tab = await session.open(url)
        try:
            sent = await submit(tab, form, _assignment(form, number), timeout_s=TIMEOUT_S)
            if sent.page is None:
                raise LookupError(f"nothing came back: {sent.reason}")
        finally:
            await tab.close()

    await _at_a_time(TABS, count, one)


def _by_hand_in_a_browser(
    new_page: Callable[[], Awaitable[Any]], url: str
) -> Callable[[int], Awaitable[None]]:
    """What one writes with Playwright: open, fill, click, wait, take the page's text."""

    async def one(number: int) -> None:
        page = await new_page()
        await page.goto(url)
        await page.fill(f"[name={FIELD}]", NAMES[number % len(NAMES)])
        async with page.expect_navigation():
            await page.click("[type=submit]")
        await page.content()
        await page.close()

    return lambda count: _at_a_time(TABS, count, one)


def _plain(url: str, form: Form, recipe: Recipe, page: Page) -> Callable[[int], Awaitable[None]]:
    terms = SiteTerms("bench", 0.0, TIMEOUT_S)
    forms, site = PlainForms(NoArchive()), PlainSite(terms)
    road = Road("http", "http", recipe)

    async def one(number: int) -> None:
        assignment = _assignment(form, number)
        action = Submit(
            0, url, form, assignment, "", form.fingerprint, FormKnowledge(), terms, 1, road=road
        )
        if not forms.is_shown(action):
            forms.keep(action, page)
        sent = await forms.send(action, site, beside=False)
        if isinstance(sent, str) or sent.page is None:
            raise LookupError(f"nothing came back: {sent}")
        assert sent.page.tree is not None

    return lambda count: _at_a_time(THREADS, count, one)


async def _by_hand(action: str, count: int) -> None:
    """What one writes with requests and lxml, on as many threads."""
    # By name: this is the loop that others write, no second door to the library for us.
    requests, parser = import_module("requests"), import_module("lxml.html")
    http = requests.Session()

    async def one(number: int) -> None:
        fields = {"titolo": "", FIELD: NAMES[number % len(NAMES)], "genere": "", "supporto": ""}

        def ask() -> None:
            answer = http.get(action, params=fields, timeout=TIMEOUT_S)
            parser.fromstring(answer.content).xpath("//table//tr//td//text()")

        await asyncio.to_thread(ask)

    await _at_a_time(THREADS, count, one)
    http.close()
