"""The report on the terminal: the figures that matter, on 80 columns, whatever sites write."""

from __future__ import annotations

import io
import re
import shlex

import pytest
from rich.console import Console

from hiwe.errors import RunError
from hiwe.report.terminal import print_report
from tests.report.a_run import ONE, Builder, build, element, form


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
    assert max(len(line) for line in printed(out, width).splitlines()) <= width


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
