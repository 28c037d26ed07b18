"""A configuration to start from is made for a site: its forms' labels and domains."""

from __future__ import annotations

import pytest
import yaml

from hiwe.cli import main
from hiwe.commands.init import ask
from hiwe.init import Wishes, starter_config
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


def test_a_label_becomes_a_row_and_a_list_its_values():
    a_form = form(element("author"), select("genre", ["Poetry", "History"]), element("keywords"))
    found = propose("http://books/", [a_form])
    assert yaml.safe_load(found.table) == [
        {"label": "Author", "values": []},
        {"label": "Genre", "values": ["Poetry", "History"]},
    ]
    assert "values: [] # any text: write values here" in found.table
    assert found.alpha == 3


def test_a_label_that_two_forms_have_is_one_row():
    found = propose("http://books/", [form(element("author")), form(element("Author"))])
    assert len(yaml.safe_load(found.table)) == 1
    assert found.alpha == 1


def test_wishes_stand_in_the_configuration():
    text = starter_config("t.yaml", Wishes(("http://a.org/",), 1, "me@b.org"), "library")
    task = parse_task(text.replace('tables: ["t.yaml"]', "tables: []"))
    assert (task.task, task.forms.alpha, task.politeness.contact) == ("library", 1, "me@b.org")
    assert [site.url for site in task.sites] == ["http://a.org/"]


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
    rows = yaml.safe_load((tmp_path / "library-lvs.yaml").read_text())
    assert rows == [
        {"label": "Author", "values": []},
        {"label": "Genre", "values": ["Poetry", "Science fiction"]},
    ]
    assert "Author, Genre, Keywords" in capsys.readouterr().err


@pytest.mark.parametrize("what", [["http://a.org/", "http://b.org/"], ["a.yaml", "b.yaml"]])
def test_one_site_and_one_file_are_taken(what, capsys):
    assert main(["init", *what]) == 2
    assert "give one address and one file" in capsys.readouterr().err
