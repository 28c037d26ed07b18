"""What each stage costs at each size: processor seconds, so that a busy machine does not count."""

from __future__ import annotations

import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.frontier import DELAY_S, address
from hiwe.crawl.frontier import Frontier
from hiwe.form.find import find_forms
from hiwe.lvs.element_view import ElementView
from hiwe.lvs.row import Row
from hiwe.lvs.table import LvsTable
from hiwe.lvs.value import Provenance
from hiwe.page.browser import Browser
from hiwe.page.chromium import find_chromium
from hiwe.repository.database import Database
from hiwe.repository.export import export
from hiwe.repository.records import Records
from hiwe.response.response import Record
from hiwe.submission.rank import RANK_FUNCTIONS
from hiwe.submission.ranked import ranked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.page.page import Page

ROUNDS = 3  # the least of so many counts
VALUES_A_ROW = 1_000
LINKS_A_SITE = 5
FORM = """<form action="/find{n}"><table><tr><td>Title {n}</td><td><input name="t"></td></tr>
<tr><td>Author</td><td><input name="a"></td></tr><tr><td>Language</td><td><select name="l">
<option>English</option><option>French</option></select></td></tr></table>
<button>Search</button></form><p>List {n} holds what the library has of its shelf.</p>"""


async def sites(sizes: tuple[int, ...]) -> dict[int, float]:
    """Fill a frontier with a few addresses of each site and give every site one out."""
    return {size: _sites(size) for size in sizes}


def _sites(number: int) -> float:
    with tempfile.TemporaryDirectory() as directory, Database(Path(directory) / "f.sqlite") as db:
        began = time.process_time()
        frontier = Frontier(db)
        for first in range(0, LINKS_A_SITE * number, 50):
            last = min(first + 50, LINKS_A_SITE * number)
            frontier.add_all(address(at, number) for at in range(first, last))
        for at in range(number):
            action = frontier.claim(at * DELAY_S)
            if action is None:
                raise LookupError("the frontier has work for every site, yet gives none out")
            frontier.done(action.id)
        return time.process_time() - began


async def forms(sizes: tuple[int, ...]) -> dict[int, float]:
    """Understand a page that holds so many forms of three elements each."""
    browser = await Browser.launch(executable=find_chromium())
    try:
        return {size: _least(lambda page: find_forms(page), await _page(browser, size))
                for size in sizes}  # fmt: skip
    finally:
        await browser.close()


async def _page(browser: Browser, number: int) -> Page:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "forms.html"
        path.write_text("\n".join(FORM.format(n=n) for n in range(number)), encoding="utf-8")
        session = await browser.session("forms")
        try:
            tab = await session.open(path.as_uri())
            return await tab.snapshot()
        finally:
            await session.close()


def _least(work: Callable[[Page], object], page: Page) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work(page)
        times.append(time.process_time() - began)
    return min(times)


async def assignments(sizes: tuple[int, ...]) -> dict[int, float]:
    """Take so many of the best value assignments of four elements, under each function."""
    sets = [[_Weighted(f"{e}.{v}", 1.0 / (1 + v % 97)) for v in range(1_000)] for e in range(4)]
    found = {}
    for size in sizes:
        began = time.process_time()
        for function in RANK_FUNCTIONS:
            for _ in islice(ranked(sets, function, 0.0), size):
                pass
        found[size] = time.process_time() - began
    return found


class _Weighted:
    """A value and its weight."""

    __slots__ = ("text", "weight")

    def __init__(self, text: str, weight: float) -> None:
        self.text = text
        self.weight = weight


async def records(sizes: tuple[int, ...]) -> dict[int, float]:
    """Keep so many records, find each once more, and export them."""
    return {size: _records(size) for size in sizes}


def _records(number: int) -> float:
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory)
        with Database(out / "hiwe.sqlite") as db:
            began = time.process_time()
            stored = Records(db)
            db.execute("PRAGMA foreign_keys = OFF")  # no form and submission stand behind them
            for finder in (1, 2):
                for first in range(0, number, 50):
                    with db.atomic():
                        for at in range(first, min(first + 50, number)):
                            stored.add(_record(at), site="s", submission=finder, at=1.0, warc="w#0")
        export(out, "jsonl", out / "records.jsonl")
        return time.process_time() - began


def _record(number: int) -> Record:
    fields = (("Title", f"Title number {number}"), ("Year", str(1900 + number % 120)))
    return Record(fields, f"http://h.example/item/{number}", f"key {number}")


async def lvs(sizes: tuple[int, ...]) -> dict[int, float]:
    """Build a table of so many values, match a label and take the values of its row."""
    return {size: _lvs(size) for size in sizes}


def _lvs(number: int) -> float:
    began = time.process_time()
    rows = [Row(f"Label {at}") for at in range(max(1, number // VALUES_A_ROW))]
    for at in range(number):
        rows[at % len(rows)].values.add(f"value number {at}", 1.0, Provenance.EXPLICIT)
    table = LvsTable(rows)
    element = ElementView(f"Label {len(rows) - 1}", "f")
    table.value_set(element, table.match(element))
    return time.process_time() - began


# What grows -> the sizes, and what measures them.
MEASURES: dict[
    str, tuple[tuple[int, ...], Callable[[tuple[int, ...]], Awaitable[dict[int, float]]]]
] = {
    "sites": ((100, 1_000, 10_000, 100_000), sites),
    "forms": ((1, 10, 100, 300), forms),
    "assignments": ((100, 1_000, 10_000, 100_000, 1_000_000), assignments),
    "records": ((100, 1_000, 10_000, 100_000), records),
    "LVS values": ((100, 1_000, 10_000, 100_000, 1_000_000), lvs),
}
