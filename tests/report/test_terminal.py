"""The report on the terminal: the figures that matter, on 80 columns, whatever sites write."""

from __future__ import annotations

import io
import re
import shlex

import pytest
from rich.console import Console

from hiwe.errors import RunError
from hiwe.report.terminal import print_report
from hiwe.repository.run import TIME_SPENT
from tests.report.a_run import ONE, TWO, Builder, build, element, form


def printed(out, width=80, *, terminal=False):
    """What the report prints into a pipe, or on a terminal of this width."""
    file = io.StringIO()
    print_report(out, Console(file=file, width=width, force_terminal=terminal))
    return file.getvalue()


def row_of(text, start):
    """The words of the line that begins so."""
    return next(line for line in text.splitlines() if line.strip().startswith(start)).split()


@pytest.fixture
def out(tmp_path):
    return build(tmp_path / "run")


def test_it_begins_with_the_run_and_the_three_numbers(out):
    first, second, third = printed(out).splitlines()[:3]
    assert first == "films finished after 7.0 s, started 2026-05-28 20:26:40 UTC"
    assert second == "SE-strict 0.50   SE-lenient 0.67   distinct records 4"
    assert third == "6 submissions: 3 results, 1 no results, 1 invalid, 1 unanswered"


def test_each_chosen_form_has_its_figures(out):
    text = printed(out)
    assert row_of(text, "GET /cgi/find") == ["GET", "/cgi/find", "3", "0.67", "1.00", "4", "4"]
    assert row_of(text, "GET /search") == ["GET", "/search", "3", "0.33", "0.33", "1", "0"]
    assert row_of(text, ONE) == [ONE, "6", "0.50", "0.67", "4"]
    for line in ("Director, Genre, [q]", "Search = Director", "stopped: exhausted"):
        assert line in text


def test_it_tells_what_was_left_alone_and_why(out):
    text = printed(out)
    assert "1 login: e.g. POST /login on http://127.0.0.1:8701/" in text
    assert "http://127.0.0.1:8702/: unreachable: the host does not answer" in text
    assert "127.0.0.1:8701 /calendar?m=N: stale, 12 turned away" in text
    assert "http://127.0.0.1:8702/ does not answer" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_window(out, width):
    lines = printed(out, width).splitlines()
    lines = lines[: lines.index("next")]  # commands are printed whole
    assert max(len(line) for line in lines) <= width
    below = lines[lines.index("skipped forms") :]
    assert not [line for line in below if line.endswith(" ")]


def test_a_pipe_gets_no_escape_codes(out):
    assert "\x1b" not in printed(out)
    assert "\x1b[1m" in printed(out, terminal=True)


@pytest.mark.parametrize(
    ("status", "commands"),
    [
        ("finished", [["hiwe", "report"], ["hiwe", "export"]]),
        ("interrupted", [["hiwe", "run"], ["hiwe", "report"]]),
        (None, [["hiwe", "run"], ["hiwe", "report"]]),
    ],
)
def test_the_next_two_commands_fit_how_the_run_ended(tmp_path, status, commands):
    out = build(tmp_path / "a run", status=status)
    lines = printed(out, 200).split("next\n")[1].strip().splitlines()
    words = [shlex.split(line) for line in lines]
    assert [line[:2] for line in words] == commands
    assert all(str(out) in " ".join(line) and str(out) in line for line in words)


def next_lines(out):
    """The commands that the report ends with."""
    return [line.strip() for line in printed(out, 200).split("next\n")[1].strip().splitlines()]


def test_a_command_is_printed_whole_however_narrow_the_window(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.visit(ONE)
    made.close()
    wide, narrow = (printed(tmp_path, width).split("next\n")[1] for width in (400, 40))
    assert narrow == wide
    assert all(line.startswith("  hiwe ") for line in narrow.splitlines())


def test_after_a_site_that_could_not_be_reached_the_address_is_looked_at(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE, TWO)
    made.run.stop_site(TWO, "start page answers 404")
    made.run.end("failed")
    made.close()
    first, second = next_lines(tmp_path)
    assert first == f"hiwe inspect {TWO}"
    assert second.startswith("hiwe run")


def test_a_run_that_is_out_of_time_says_so_and_how_to_go_on(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.visit(ONE)
    made.now += 119
    made.db.execute("INSERT INTO hosts (key) VALUES ('h')")
    made.db.execute(
        "INSERT INTO actions (host, site, kind, method, url, fingerprint, depth, priority, score,"
        " state, added_at) VALUES (1, ?, 'visit', 'GET', ?, 'f', 0, 0, 0, 'open', 0)", (ONE, ONE),
    )  # fmt: skip
    made.run.stop_site(ONE, f"{TIME_SPENT}: 119 s of 60 s used; raise it to go on")
    made.run.end("finished")
    made.close()
    assert printed(tmp_path).startswith("films out of time after 1 min 59 s")
    assert "119 s of 60 s used; raise it to go on" in printed(tmp_path, 200)
    assert next_lines(tmp_path)[0].endswith("--set budget.duration_s=240")


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (f"{ONE}{'a-long-path/' * 20}list.csv is no web page (text/csv)",
         "list.csv is no web page (text/csv)"),
        (f"leads from {ONE}{'x' * 200} to {TWO}{'y' * 200}, out of the site", "out of the site"),
        ("keyword: " + ", ".join(f"openshh-{n}" for n in range(9)) + " cannot be chosen there",
         "cannot be chosen there"),
    ],
)  # fmt: skip
def test_what_is_notable_is_told_to_its_end_on_as_many_lines_as_it_takes(tmp_path, text, end):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.run.add_event("error", text, level="error", site=ONE)
    made.run.end("finished")
    made.close()
    shown_text = " ".join(printed(tmp_path).split("notable\n")[1].split("results\n")[0].split())
    assert shown_text.endswith(end)
    assert len(shown_text) < 250


def test_forms_that_send_to_one_place_are_told_apart(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    for at, name in enumerate(("id", "words", "owner")):
        action = f"{ONE}bugs/issue" if at < 2 else f"{ONE}users"
        seen = form(f"f{at}", [element(name, name.title())], url=f"{ONE}page{at}", action=action)
        made.meet(seen, rows=(name.title(),))
    made.run.end("finished")
    made.close()
    text = printed(tmp_path)
    assert "form 1 on http://127.0.0.1:8701/page0" in text
    assert "form 2 on http://127.0.0.1:8701/page1" in text
    assert "form 3 on" not in text, "its address tells it from the others"


def test_text_of_a_site_is_neither_markup_nor_an_escape_code(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    label = "[red]Title[/red] \x1b[2J\u202eevil [/]"
    made.meet(form("w", [element("t", label)]), rows=("Title",))
    made.close()
    text = printed(tmp_path, 120, terminal=True)
    assert "[red]Title[/red] [2J evil [/]" in re.sub(r"\x1b\[[\d;]*m", "", text)
    assert "\x1b[2J" not in text


def test_a_directory_without_a_run_is_one_clear_line(tmp_path):
    with pytest.raises(RunError, match="holds no run") as caught:
        printed(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_run_that_found_nothing_yet_can_be_printed(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.close()
    text = printed(tmp_path)
    assert text.startswith("films still running or killed after 0.0 s")
    assert "SE-strict -   SE-lenient -   distinct records 0" in text
