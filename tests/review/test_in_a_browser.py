"""The review pages in a real browser, served by the command: a label corrected, by keyboard."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from hiwe.task.assist import read_assist
from tests.axe import faults
from tests.report.a_run import ONE
from tests.review.a_reviewed_run import build

pytestmark = pytest.mark.browser
DEADLINE_S = 20
WIDE, PHONE = {"width": 1200, "height": 800}, {"width": 360, "height": 800}
PATHS = ("/", "/forms", "/forms/1", "/forms/1/elements/0", "/answers/1", "/judge",
         "/rows?row=Director", "/corrections")  # fmt: skip


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
        view.on("request", lambda request: request.url.startswith((base, "data:"))
                or self.append(request.url))  # fmt: skip


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
