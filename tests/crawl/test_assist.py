"""A person corrects a crawl: what it sends next has changed, and what the next process sends."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from hiwe.crawl.assistance import APPLIED
from hiwe.crawl.run import run_task
from hiwe.crawl.stores import Stores
from hiwe.form.corrected import SAID_SO
from hiwe.repository.database import FILE_NAME, Database
from hiwe.task import load_task
from hiwe.task.assist import read_assist, write_assist
from hiwe.task.control import read_running, write_control
from tests.catalogue import having, list_page
from tests.crawling import CRAWL_DEADLINE_S, read_back, write_config
from tests.served import Served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiwe.task.assist import Assist
    from tests.browsing import Browsing
    from tests.crawling import Crawled
    from tests.served import Request

pytestmark = pytest.mark.browser

AUTHORS = ["Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm"]
TABLE = {"Author": AUTHORS, "Title": ["Glass", "Salt", "Moons", "Brass"]}
LOOKED_AT_S = 1.1  # the crawl looks for changes once a second
# What is called Title is asked for by author; the second form asks for an address.
PAGE = """<title>Books</title><h1>Search books</h1><form action="/find"><label>Title
<input name="a"></label><button name="go" value="1">Find</button>
<button name="all" value="1">All editions</button></form>
<form action="/letters" method="post"><label>Author <input name="l"></label>
<label>Your e-mail <input type="email" name="e"></label><button>Subscribe</button></form>"""

SHELF = """<title>Books</title><h1>Search books</h1><form action="/find"><label>Author
<input name="a"></label><label>Imprint <input name="p" value="Unknown"></label>
<button name="go" value="1">Find</button><button name="all" value="1">All editions</button>"""


class Person:
    """A person beside a crawl: when so many searches have arrived, something is corrected."""

    def __init__(self, folder: Path, site: str = "") -> None:
        self.run = folder / "run"
        self.file = folder / "assist.yaml"
        self.site = site
        self.steps: dict[int, Callable[[], object]] = {}
        self.searches: list[str] = []

    def answer(self, request: Request) -> str:
        """Answer a search; what is to be done then is done before the answer goes out."""
        author = request.value("a") or request.value("l")
        self.searches.append(author)
        step = self.steps.get(len(self.searches))
        if step is not None:
            step()
            time.sleep(LOOKED_AT_S)
        return list_page(having(author=author))

    def correct(self, change: Callable[[Assist], Assist]) -> None:
        """Change the corrections, as the review page would."""
        write_assist(self.file, change(read_assist(self.file)))

    def element(self, action: str, key: str, **changes: object) -> Callable[[], None]:
        """A step: correct an element."""
        return lambda: self.correct(
            lambda known: known.with_element(self.site, self.form(action), "", key, **changes)
        )

    def decide(self, action: str, **changes: object) -> Callable[[], None]:
        """A step: correct a form."""
        return lambda: self.correct(
            lambda known: known.with_form(self.site, self.form(action), "", **changes)
        )

    def form(self, action: str) -> str:
        """The fingerprint of a form, as the run's database has it."""
        with Database(self.run / FILE_NAME, read_only=True) as db:
            forms = Stores.of(db).forms.all()
        return next(f.found.fingerprint for f in forms if f.form.action.endswith(action))


def crawl(browsing: Browsing, folder: Path, site: Served, **settings: object) -> Crawled:
    """Run the task in a folder whose `assist.yaml` a person may change."""
    config = write_config(folder, (site.url,), TABLE, settings)
    work = run_task(
        load_task(config), folder / "run", browser=browsing.browser, assist=folder / "assist.yaml"
    )
    return read_back(folder / "run", browsing.run(work, deadline_s=CRAWL_DEADLINE_S))


def test_corrections_change_the_next_submissions_of_a_running_crawl(browsing, tmp_path):
    person = Person(tmp_path)

    def call_letters_the_search_form() -> None:
        person.decide("/letters", search=True)()
        person.decide("/find", search=False)()

    with Served({"/": PAGE, "/find": person.answer, "POST /letters": person.answer}) as site:
        person.site = site.url
        person.steps = {
            2: person.element("/find", "a", label="Author"),
            4: person.element("/find", "a", pin=["Kai Morrow"], ban=["Claire Aubry"]),
            5: call_letters_the_search_form,
        }
        result = crawl(browsing, tmp_path, site)
        asked = [(r.path, r.value("a") or r.value("l")) for r in site.log if r.values]
    assert asked == [
        ("/find", "Glass"),
        ("/find", "Salt"),
        ("/find", "Ida Fenwick"),
        ("/find", "Omar Velt"),
        ("/find", "Kai Morrow"),
        *(("/letters", author) for author in AUTHORS),
    ]
    books, letters = result.forms
    assert (books.decision, books.reason) == ("skipped", SAID_SO)
    assert (letters.decision, letters.reason) == ("chosen", SAID_SO)
    element = books.form.elements[0]
    assert (element.label, element.label_source) == ("Author", "person")
    assert books.found.elements[0].label == "Title"


def test_another_button_and_default_are_sent_by_plain_http_too(browsing, tmp_path):
    person = Person(tmp_path)

    def press_another() -> None:
        person.decide("/find", submitter="all")()
        person.element("/find", "p", ban=["Unknown"])()
        person.correct(lambda known: known.with_row("Author", ["Kai Morrow"]))

    with Served({"/": SHELF, "/find": person.answer}) as site:
        person.site = site.url
        person.steps = {2: press_another}
        result = crawl(browsing, tmp_path, site, transport="http")
        asked = [r.query.replace("+", " ") for r in site.to("/find")]
    assert asked == [
        *(f"a={author}&p=Unknown&go=1" for author in AUTHORS[:2]),
        *(f"a={author}&p=&all=1" for author in [*AUTHORS, "Kai Morrow"]),
    ]
    assert {s.transport for s in result.sent} == {"http"}
    assert result.forms[0].form.submitters[0].chosen


def test_a_person_pauses_resumes_and_stops_a_crawl_and_the_next_ones_heed_it(browsing, tmp_path):
    person, quiet = Person(tmp_path), []

    def pause() -> None:
        write_control(person.run, "pause")
        assert read_running(person.run).pid == os.getpid()
        timer.start()

    def resume() -> None:
        time.sleep(3 * LOOKED_AT_S)
        quiet.append(len(person.searches))
        write_control(person.run, "run")

    timer = threading.Thread(target=resume)
    with Served({"/": SHELF, "/find": person.answer}) as site:
        person.site = site.url
        person.steps = {1: pause, 2: lambda: write_control(person.run, "stop")}
        stopped = crawl(browsing, tmp_path, site)
        timer.join()
        assert stopped.status == "interrupted"
        assert quiet == [1], "nothing is sent in a pause"
        assert read_running(person.run) is None
        person.element("/find", "a", ban=["Claire Aubry"])()
        person.element("/find", "p", ban=["Unknown"])()
        person.decide("/find", submitter="All editions")()
        rest = crawl(browsing, tmp_path, site)
        allowed = [a for a in AUTHORS if a != "Claire Aubry"]
        asked = [r.query.replace("+", " ") for r in site.to("/find")]
        assert asked[2:] == [f"a={author}&p=&all=1" for author in allowed]
        person.element("/find", "a", ban=["Claire Aubry", "Ida Fenwick"])()
        revisit = crawl(browsing, tmp_path, site)
    assert (rest.status, revisit.status) == ("finished", "finished")
    assert sorted(person.searches[5:]) == ["Lena Storm", "Omar Velt"]
    told = [event for event in rest.events if event.startswith("control")]
    assert told == [f"control: {word} by a person" for word in ("paused", "resumed", "stopped")]
    with Database(person.run / FILE_NAME, read_only=True) as db:
        assert Stores.of(db).run.get(APPLIED) == read_assist(person.file).written()
