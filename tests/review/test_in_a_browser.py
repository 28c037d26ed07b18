"""The review pages in a real browser: by keyboard, beside a running crawl, by day and night."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from playwright.sync_api import sync_playwright

from hiwe.crawl.run import run_task
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from hiwe.review.application import application
from hiwe.review.guard import Keys
from hiwe.review.reviewed import Reviewed
from hiwe.task import load_task
from hiwe.task.assist import read_assist
from tests.axe import faults
from tests.catalogue import having, list_page
from tests.crawling import CRAWL_DEADLINE_S, write_config
from tests.report.a_run import ONE
from tests.review.a_reviewed_run import build
from tests.served import Served

pytestmark = pytest.mark.browser
DEADLINE_S = 20
WIDE, PHONE = {"width": 1200, "height": 800}, {"width": 360, "height": 800}
PATHS = ("/", "/forms", "/forms/1", "/forms/1/elements/0", "/answers/1", "/judge",
         "/rows?row=Director", "/corrections")  # fmt: skip
TABLE = {"Author": ["Ida Fenwick", "Omar Velt", "Claire Aubry"], "Title": ["Glass", "Salt"]}
# What is called Title is asked for by author.
PAGE = """<title>Books</title><h1>Search books</h1>
<form action="/find"><label>Title <input name="a"></label><button>Find</button></form>"""
LOOKED_AT_S = 1.1  # the crawl looks for changes once a second


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return build(tmp_path_factory.mktemp("review") / "run")


@pytest.fixture(scope="module")
def address(out):
    """The address that `hiwe review` prints; the command ends well on Ctrl-C."""
    command = [sys.executable, "-m", "hiwe", "review", str(out), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(DEADLINE_S) == 0


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


class Said(list[str]):
    """What pages complain of, and requests that leave for another place."""

    def __init__(self, view, base):
        super().__init__()
        view.on("console", lambda message: self.append(message.text))
        view.on("pageerror", lambda error: self.append(str(error)))
        view.on("request", lambda request: self._note(request.url, base))

    def _note(self, url, base):
        if not url.startswith((base, "data:")):
            self.append(url)


def test_pages_are_accessible_fit_and_ask_nobody_else(address, browser):
    base = address.partition("/?")[0]
    view = browser.new_page(viewport=WIDE, color_scheme="light")
    said = Said(view, base)
    view.goto(address)
    for path in PATHS:
        view.goto(base + path)
        view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert faults(view) == [], path
        view.emulate_media(color_scheme="dark")
        view.set_viewport_size(PHONE)
        assert faults(view, "color-contrast") == [], path
        assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        view.emulate_media(color_scheme="light")
        view.set_viewport_size(WIDE)
    view.close()
    assert said == []


def test_a_person_corrects_a_label_with_the_keyboard_alone(address, browser, out):
    view = browser.new_page()
    said = Said(view, address.partition("/?")[0])
    view.goto(address)
    assert "token" not in view.url
    view.goto(address.partition("/?")[0] + "/forms/1")
    view.get_by_role("link", name="Element 1: Regisseur").focus()  # in the picture
    view.keyboard.press("Enter")
    assert view.url.endswith("/forms/1#element-0")
    view.get_by_role("link", name="Correct element 1, Regisseur").focus()
    view.keyboard.press("Enter")
    view.get_by_label("Label").focus()
    view.keyboard.press("Control+A")
    view.keyboard.type("Director")
    view.keyboard.press("Tab")
    view.keyboard.type("Gen")  # chooses the row
    view.keyboard.press("Enter")
    view.get_by_role("button", name="Save").focus()
    view.keyboard.press("Enter")
    view.get_by_text("Saved. It holds from the crawl's next action on.").wait_for()
    assert view.get_by_role("row", name="Director").first.get_by_text("by a person").count() == 2
    hints = read_assist(out.parent / "assist.yaml").site(ONE).form("wide").elements["d"]
    assert (hints.label, hints.row) == ("Director", "Genre")
    assert said == []


def test_the_overview_follows_the_run(address, browser, out):
    view = browser.new_page()
    said = Said(view, address.partition("/?")[0])
    view.goto(address)
    with Database(out / FILE_NAME) as db:
        db.execute("UPDATE submissions SET verdict = 'results' WHERE id = 2")
        Run(db).add_event("form", "<b>met</b> a form", site=ONE)
    view.locator("[data-live='run.strict']", has_text="0.67").wait_for(timeout=DEADLINE_S * 1000)
    assert view.locator("[data-events] li").first.inner_text() == f"{ONE} <b>met</b> a form"
    assert said == []


class Pause:
    """Holds the answer to the first search back until a person has corrected something."""

    def __init__(self):
        self.asked, self.corrected = threading.Event(), threading.Event()

    def answer(self, request):
        if not self.asked.is_set():
            self.asked.set()
            assert self.corrected.wait(CRAWL_DEADLINE_S)
            time.sleep(LOOKED_AT_S)
        return list_page(having(author=request.value("a")))


@contextmanager
def served(out):
    """The address of the review pages of a run."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        keys = Keys.fresh(listener.getsockname()[1])
        app = application(Reviewed.of(out), keys)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield keys.address
        finally:
            server.should_exit = True
            thread.join()


def test_a_label_corrected_in_the_page_changes_the_next_submissions(browsing, browser, tmp_path):
    view, pause, out = browser.new_page(), Pause(), tmp_path / "run"
    with Served({"/": PAGE, "/find": pause.answer}) as site:
        task = load_task(write_config(tmp_path, (site.url,), TABLE))
        work = run_task(task, out, browser=browsing.browser, assist=tmp_path / "assist.yaml")
        crawl = threading.Thread(
            target=browsing.run, args=(work,), kwargs={"deadline_s": CRAWL_DEADLINE_S}
        )
        crawl.start()
        assert pause.asked.wait(CRAWL_DEADLINE_S)
        with served(out) as address:
            view.goto(address)
            assert view.get_by_role("button", name="Pause").is_visible()
            view.get_by_role("link", name="Forms").click()
            view.get_by_role("link", name="/find").click()
            view.get_by_role("link", name="Correct element 1, Title").click()
            view.get_by_label("Label").fill("Author")
            view.get_by_role("button", name="Save").click()
            view.get_by_text("Saved.").wait_for()
            pause.corrected.set()
            crawl.join()
            view.reload()
            assert view.get_by_role("row", name="Author").first.get_by_text("by a person").count()
        asked = [request.value("a") for request in site.to("/find")]
    assert asked[0] in TABLE["Title"]
    assert asked[1:] == TABLE["Author"]
