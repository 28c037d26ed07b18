"""A configuration to start from is made for a site: its forms' labels and domains."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import dataclass

import pytest
import yaml

from hiwe.answer import Opened
from hiwe.cli import main
from hiwe.commands.init import ask, search_forms
from hiwe.init import Wishes, starter_config
from hiwe.lvs.load import parse_rows
from hiwe.page.page import Link
from hiwe.proposal import propose
from hiwe.task import load_task
from hiwe.task.loading import parse_task
from tests.served import Served
from tests.submission.film_library import element, form, select

START = """<h1>Library</h1><a href="/about">About</a> <a href="/search">Advanced search</a>
<a href="/logout">Log out</a>"""
SEARCH = """<form action="/find"><label>Author <input name="a"></label>
<label>Genre <select name="g"><option value="">Any</option><option>Poetry</option>
<option>Science fiction</option></select></label>
<label>Keywords <input name="q"></label><button>Search</button></form>"""


def uncommented(table):
    """The table once a person has taken the '# ' away before every line of its lists."""
    lines = table.splitlines()
    rows = [re.sub(r"^# (- label:|  )", r"\1", line) for line in lines]
    return yaml.safe_load("\n".join(rows))


def test_a_label_becomes_a_row_and_a_list_sleeps():
    a_form = form(element("author"), select("genre", ["Poetry", "History"]), element("keywords"))
    found = propose("http://books/", [a_form])
    assert yaml.safe_load(found.table) == [{"label": "Author", "values": []}]
    assert uncommented(found.table) == [
        {"label": "Author", "values": []},
        {"label": "Genre", "values": ["Poetry", "History"]},
    ]
    assert "values: [] # any text: write values here" in found.table
    assert "Every value in this file is searched for" in found.table
    assert found.table.count("uncomment the label") == 1
    assert found.alpha == 3


def test_a_list_is_a_row_whatever_its_label():
    a_form = form(select("keyword", ["zlib", "openssh"]), element("search"))
    table = propose("http://bugs/", [a_form]).table
    assert parse_rows(table) == []
    assert uncommented(table) == [{"label": "Keyword", "values": ["zlib", "openssh"]}]


def test_a_long_list_says_how_much_of_it_is_there():
    choices = ["no", "a: b", "- x # y", *(f"package {'long ' * 40}{i}" for i in range(100))]
    table = propose("http://bugs/", [form(select("package", choices))]).table
    (row,) = uncommented(table)
    assert row["values"] == [" ".join(c.split()) for c in choices[:60]]
    assert "# the first 60 of 103 choices" in table


def test_a_box_and_a_list_of_one_label_are_both_told():
    first = form(select("genre", ["Poetry"]))
    table = propose("http://books/", [first, form(element("genre"))]).table
    assert yaml.safe_load(table) == [{"label": "Genre", "values": []}]
    assert len(uncommented(table)) == 2


def test_suggestions_of_a_box_are_named():
    table = propose("http://books/", [form(element("author", suggestions=("Eco", "Levi")))]).table
    assert "write values here (it suggests Eco, Levi)" in table
    assert yaml.safe_load(table) == [{"label": "Author", "values": []}]


def test_a_label_that_two_forms_have_is_one_row():
    found = propose("http://books/", [form(element("author")), form(element("Author"))])
    assert len(yaml.safe_load(found.table)) == 1
    assert found.alpha == 1


def test_wishes_stand_in_the_configuration():
    text = starter_config("t.yaml", Wishes(("http://a.org/",), 1, "me@b.org"), "library")
    task = parse_task(text.replace('tables: ["t.yaml"]', "tables: []"))
    assert (task.task, task.forms.alpha, task.politeness.contact) == ("library", 1, "me@b.org")
    assert [site.url for site in task.sites] == ["http://a.org/"]


def test_what_is_no_default_is_told_as_such():
    text = starter_config("t.yaml", Wishes(("http://a.org/",), 1, "me@b.org"), "library")
    plain = starter_config().splitlines()
    changed = [line for line in text.splitlines() if line not in plain]
    required = ("task: ", "  - http://a.org/")
    assert all(line.startswith(required) or "# default: " in line for line in changed), changed
    assert "forms: {alpha: 1} # default: 3; the smallest search form found has 1" in changed
    same = starter_config("t.yaml", Wishes(("http://a.org/",), 3), "library")
    assert "forms: {alpha: 3}\n" in same


def test_questions_may_stay_unanswered():
    answers = iter(["", ""])
    assert ask(lambda _: next(answers), "") == ("", "")
    assert ask(lambda _: "www.site.org", "me@b.org") == ("http://www.site.org", "me@b.org")


def test_a_site_is_looked_at_and_nothing_is_sent(tmp_path, capsys, chromium):
    with Served({"/": START, "/search": SEARCH}) as site:
        assert main(["init", site.url, str(tmp_path / "library.yaml")]) == 0
        asked = {request.path for request in site.log}
    assert "/find" not in asked
    assert "/logout" not in asked
    task = load_task(tmp_path / "library.yaml")
    assert [s.url for s in task.sites] == [site.url]
    rows = uncommented((tmp_path / "library-lvs.yaml").read_text())
    assert rows == [
        {"label": "Author", "values": []},
        {"label": "Genre", "values": ["Poetry", "Science fiction"]},
    ]
    assert "Author, Genre, Keywords" in capsys.readouterr().err


@pytest.mark.parametrize("what", [["http://a.org/", "http://b.org/"], ["a.yaml", "b.yaml"]])
def test_one_site_and_one_file_are_taken(what, capsys):
    assert main(["init", *what]) == 2
    assert "give one address and one file" in capsys.readouterr().err


@pytest.mark.parametrize("status", [404, 500])
def test_a_start_page_that_answers_an_error_is_said_and_nothing_written(
    status, tmp_path, capsys, monkeypatch
):
    opened = Opened("http://a.org/", "", (), (), status)
    monkeypatch.setattr("hiwe.explorer.Explorer", lambda **_: nullcontext(Opening(opened)))
    assert main(["init", "a.org", str(tmp_path / "a.yaml")]) == 1
    assert f"http://a.org: answers {status}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@dataclass(frozen=True)
class Opening:
    """An explorer for which every address is one page."""

    page: Opened

    def open(self, url):
        return self.page


def test_a_host_may_stand_without_a_scheme(tmp_path, monkeypatch):
    opened = Opened("http://a.org/", "", (form(element("author")),), ())
    monkeypatch.setattr("hiwe.explorer.Explorer", lambda **_: nullcontext(Opening(opened)))
    assert main(["init", "a.org/search", str(tmp_path / "a.yaml")]) == 0
    assert [site.url for site in load_task(tmp_path / "a.yaml").sites] == ["http://a.org/search"]
    assert main(["init", "ftp://a.org/", str(tmp_path / "b.yaml")]) == 2


class Followed:
    """Stands in for an explorer: pages of links alone, and which were opened."""

    def __init__(self, *links):
        self.opened = []
        self._links = tuple(Link(f"http://a.org/{url}", text) for url, text in links)

    def open(self, url):
        self.opened.append(url.removeprefix("http://a.org/"))
        return Opened(url, "", (), self._links)


def test_links_that_change_something_are_not_followed():
    site = Followed(("logout", "Log out"), ("item?action=delete", "Search"), ("about", "About"))
    assert search_forms(site, "http://a.org/") == ()
    assert site.opened == ["", "about"]


def test_links_that_promise_a_search_come_first_and_few_are_followed():
    site = Followed(*((f"p{n}", f"Page {n}") for n in range(9)), ("find", "Advanced search"))
    search_forms(site, "http://a.org/")
    assert site.opened[:2] == ["", "find"]
    assert len(site.opened) == 6
