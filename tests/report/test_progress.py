"""Progress: live on a terminal, lines on a pipe, nothing when quiet; the terminal comes back."""

from __future__ import annotations

import io
import logging
import re
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from hiwe.report.pace import Pace
from hiwe.report.picture import picture
from hiwe.report.progress import PlainProgress, progress_for
from hiwe.response.response import Verdict
from tests.report.a_run import BEGAN, ONE, TWO, Builder, element, form

if TYPE_CHECKING:
    from hiwe.repository.database import Database

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"


@dataclass
class Stores:
    """As much of the crawl's stores as progress asks for."""

    db: Database


@pytest.fixture
def made(tmp_path):
    built = Builder(tmp_path)
    built.begin(ONE, TWO)
    yield built
    built.close()


def console(*, terminal, width=80, height=24):
    file = io.StringIO()
    return Console(file=file, force_terminal=terminal, width=width, height=height), file


def wait_for(file, text):
    """Wait until something is printed; what was printed so far."""
    until = time.monotonic() + 10
    while text not in file.getvalue() and time.monotonic() < until:
        time.sleep(0.02)
    return file.getvalue()


def drawn(moment, width=80, height=24):
    """The picture as lines of text."""
    shown, file = console(terminal=False, width=width, height=height)
    shown.print(picture(moment, shown.size))
    return file.getvalue().splitlines()


def add_action(made, kind, state, *, host="h", site=ONE, next_allowed_at=0.0, backoff=0):
    """Put an action into the frontier as the crawl leaves it."""
    made.db.execute(
        "INSERT INTO hosts (key, next_allowed_at, backoff) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET next_allowed_at = excluded.next_allowed_at",
        (host, next_allowed_at, backoff),
    )
    made.db.execute(
        "INSERT INTO actions (host, site, kind, method, url, fingerprint, depth, priority, score,"
        " state, added_at) SELECT id, ?, ?, 'GET', ?, ?, 0, 0, 0, ?, 0 FROM hosts WHERE key = ?",
        (site, kind, f"{site}find", f"{kind} {state} {host}", state, host),
    )


def test_quiet_shows_nothing(made):
    shown, file = console(terminal=True)
    progress = progress_for(shown, quiet=True)
    progress.start(Stores(made.db))
    progress.stop()
    assert file.getvalue() == ""


def test_a_pipe_gets_a_line_for_each_form_and_site_and_totals(made):
    shown, file = console(terminal=False)
    progress = progress_for(shown, quiet=False)
    progress.start(Stores(made.db))
    wait_for(file, "0 records")
    number = made.meet(form("w", [element("d", "Director")]))
    made.submit(number, "Ida Fenwick", Verdict.RESULTS, ("a", "b"))
    made.run.add_event("form", "chosen GET /cgi/find", site=ONE)
    made.run.add_event("page", "Films: 1 forms", site=ONE)
    made.run.add_event("submission", "Ida Fenwick: results", site=ONE)
    made.run.add_event("site_stopped", "[b]gone[/b]\x1b[2J", level="warning", site=TWO)
    progress.stop()
    lines = [re.sub(r"^\[ *\d+\.\d s\] ", "", line) for line in file.getvalue().splitlines()]
    assert lines[1:3] == ["127.0.0.1:8701: chosen GET /cgi/find",
                          "127.0.0.1:8702: [b]gone[/b] [2J"]  # fmt: skip
    assert lines[-1].startswith("2 records, 1 sent, SE 1.00 strict, 1.00 lenient")
    assert len(lines) == 4
    assert "\x1b" not in file.getvalue()


def plain_lines(made, moments):
    """The lines that a pipe gets for what happens in `moments`, without their times."""
    shown, file = console(terminal=False)
    progress = PlainProgress(shown)
    pace = Pace(made.db, clock=lambda: BEGAN)
    for happens in moments:
        happens()
        progress._show(pace.look())
    progress._stopping.set()
    progress._show(pace.look())
    return [re.sub(r"^\[ *\d+\.\d s\] ", "", line) for line in file.getvalue().splitlines()]


def test_forms_skipped_alike_are_told_of_once_and_counted(made):
    def skip(number, reason, site=ONE):
        text = f"skipped POST {site}issue{number} ({reason})"
        made.run.add_event("form", text, site=site, data={"form": number, "skipped": reason})

    def meet_many():
        for number in range(1, 17):
            skip(number, "no_fields")
        skip(17, "login")
        skip(18, "login")
        skip(19, "no_fields", TWO)

    lines = plain_lines(made, [lambda: None, meet_many])
    told = [line for line in lines if "skipped" in line]
    assert told == [
        "127.0.0.1:8701: skipped POST http://127.0.0.1:8701/issue1 (no_fields)",
        "127.0.0.1:8701: skipped POST http://127.0.0.1:8701/issue17 (login)",
        "127.0.0.1:8702: skipped POST http://127.0.0.1:8702/issue19 (no_fields)",
        "127.0.0.1:8701: skipped 15 more forms (no_fields)",
        "127.0.0.1:8701: skipped 1 more form (login)",
    ]


@pytest.mark.parametrize(
    ("streak", "backoff", "wait_s", "told"),
    [
        (3, 3, 52, ["127.0.0.1:8701: waits 52 s (the host does not answer, then tries again),"
                    " 1 to do"]),
        (0, 2, 40, ["127.0.0.1:8701: waits 40 s (the host is slow or asked for less), 1 to do"]),
        (3, 3, 2, []),
        (0, 0, 52, []),
    ],
)  # fmt: skip
def test_a_pipe_is_told_once_why_a_host_is_waited_for(made, streak, backoff, wait_s, told):
    add_action(made, "visit", "open", next_allowed_at=BEGAN + wait_s, backoff=backoff)
    made.db.execute("UPDATE hosts SET failure_streak = ?", (streak,))
    lines = plain_lines(made, [lambda: None] * 3)
    assert [line for line in lines if "waits" in line] == told


def test_a_terminal_gets_a_picture_and_its_cursor_back(made):
    shown, file = console(terminal=True)
    progress = progress_for(shown, quiet=False)
    progress.start(Stores(made.db))
    text = wait_for(file, "0 records")
    assert HIDE in text
    assert SHOW not in text
    progress.stop()
    progress.stop()
    text = file.getvalue()
    assert text.count(HIDE) == text.count(SHOW) == 1
    assert text.rindex(SHOW) > text.rindex("0 records")


def test_what_is_logged_meanwhile_goes_through_the_picture(made, monkeypatch):
    shown, file = console(terminal=True)
    before = io.StringIO()
    monkeypatch.setattr(sys, "stderr", before)
    handler = logging.StreamHandler()
    logger = logging.getLogger("hiwe")
    logger.addHandler(handler)
    try:
        progress = progress_for(shown, quiet=False)
        progress.start(Stores(made.db))
        logger.warning("a word of warning")
        progress.stop()
        assert "a word of warning" in file.getvalue()
        assert before.getvalue() == ""
        assert handler.stream is before
    finally:
        logger.removeHandler(handler)


def test_old_events_are_not_told_again(made):
    made.run.add_event("form", "of yesterday", site=ONE)
    shown, file = console(terminal=False)
    progress = progress_for(shown, quiet=False)
    progress.start(Stores(made.db))
    progress.stop()
    assert "of yesterday" not in file.getvalue()


@pytest.mark.parametrize(
    ("action", "state", "said"),
    [
        ({"kind": "visit", "state": "claimed"}, "working", "visits /find"),
        ({"kind": "submit", "state": "claimed"}, "working", "submits to /find"),
        ({"kind": "visit", "state": "open"}, "waiting", "waits for a free tab, 1 to do"),
        (
            {"kind": "visit", "state": "open", "next_allowed_at": BEGAN + 2.5},
            "waiting", "waits 2.5 s (politeness), 1 to do",
        ),
        (
            {"kind": "visit", "state": "open", "next_allowed_at": BEGAN + 40, "backoff": 2},
            "waiting", "waits 40 s (the host is slow or asked for less), 1 to do",
        ),
    ],
)  # fmt: skip
def test_a_site_says_what_it_does_or_waits_for(made, action, state, said):
    add_action(made, **action)
    first, second = Pace(made.db, clock=lambda: BEGAN).look().sites
    assert (first.state, first.now) == (state, said)
    assert second.now == "waits to begin"


def test_a_stopped_site_says_why_and_a_finished_one_that_it_is_done(made):
    made.visit(ONE)
    made.run.stop_site(TWO, "unreachable")
    first, second = Pace(made.db, clock=lambda: BEGAN).look().sites
    assert (first.now, second.now) == ("done", "stopped: unreachable")


def test_the_rate_is_that_of_the_last_minute(made):
    now = BEGAN
    pace = Pace(made.db, clock=lambda: now)
    number = made.meet(form("w", [element("d", "Director")]))
    assert pace.look().rate is None
    for second in range(1, 101):
        now = BEGAN + second
        if second <= 40:
            made.submit(number, f"v{second}", Verdict.RESULTS)
        moment = pace.look()
        if second == 40:
            assert moment.rate == pytest.approx(60.0)
    assert moment.rate == pytest.approx(0.0)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12), (160, 50), (80, 6)])
def test_the_picture_fits_the_window(tmp_path, width, height):
    made = Builder(tmp_path)
    sites = [f"http://host-with-a-long-name-{number}.example/" for number in range(30)]
    made.begin(*sites)
    for number in range(8):
        made.run.add_event("page", "x" * 200, site=sites[number])
    lines = drawn(Pace(made.db).look(), width, height)
    made.close()
    assert len(lines) < height
    assert max(map(len, lines)) <= width
    assert any(re.search(r"\.\.\. and \d+ more site", line) for line in lines) == (height < 35)


def test_the_picture_shows_each_site_the_totals_and_the_last_events(made):
    number = made.meet(form("w", [element("d", "Director")]))
    made.visit(ONE)
    made.submit(number, "Ida Fenwick", Verdict.RESULTS, ("a", "b"))
    for at in range(8):
        made.run.add_event("submission", f"event {at}", site=ONE)
    lines = drawn(Pace(made.db, clock=lambda: BEGAN).look())
    assert lines[0].split() == ["site", "pages", "forms", "sent", "SE", "records", "/min", "now"]
    assert lines[1].split() == ["127.0.0.1:8701", "1", "1", "1", "1.00", "2", "-", "done"]
    assert lines[3].startswith("2 records, 1 sent, SE 1.00 strict, 1.00 lenient, 0 to do")
    assert [line.split(": ")[1] for line in lines[4:]] == [f"event {at}" for at in range(3, 8)]
