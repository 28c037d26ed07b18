"""What a person changes is kept: corrections in assist.yaml, verdicts in the database."""

from __future__ import annotations

import json
import os

import pytest

from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.judged import Judged
from hiwe.repository.run import Run
from hiwe.response.response import Verdict
from hiwe.review.rows import parse_values
from hiwe.task.assist import read_assist
from hiwe.task.control import RUNNING_FILE, announced, read_control
from tests.report.a_run import ONE
from tests.review.a_reviewed_run import EVIL, build, client

AS_IT_IS = {"label": "Regisseur", "row": "matched", "pin": "", "ban": ""}
ELEMENT = "/forms/1/elements/0"


@pytest.fixture
def out(tmp_path):
    return build(tmp_path / "run")


@pytest.fixture
def asks(out):
    return client(out)


def kept(out):
    """The corrections of the one form."""
    return read_assist(out.parent / "assist.yaml").site(ONE).form("wide")


def test_a_label_is_corrected_and_shown_as_a_persons(asks, out):
    reply = asks.post(ELEMENT, AS_IT_IS | {"label": " Director "})
    assert (reply.status, reply.headers["location"]) == (303, "/forms/1?said=saved#element-0")
    assert kept(out).elements["d"].label == "Director"
    assert kept(out).page == ONE
    said = asks.get("/forms/1?said=saved").said
    assert "1. Director by a personfound: Regisseur" in said
    assert "Saved." in said
    assert "corrected by a person" in asks.get("/forms").said
    assert "label: Director" in asks.get("/corrections").said


def test_a_label_left_as_it_was_found_is_no_correction(asks, out):
    asks.post(ELEMENT, AS_IT_IS)
    assert not kept(out)


def test_a_label_is_taken_back_by_leaving_it_empty_or_writing_the_found_one(asks, out):
    for label in ("", "Regisseur"):
        asks.post(ELEMENT, AS_IT_IS | {"label": "Director"})
        asks.post(ELEMENT, AS_IT_IS | {"label": label})
        assert not kept(out), label


@pytest.mark.parametrize(
    ("choice", "row"),
    [("matched", ""), ("none", None), ("row:Genre", "Genre"), ("row:none", "none")],
)  # fmt: skip
def test_an_element_is_bound_to_a_row_or_to_none(asks, out, choice, row):
    asks.post("/rows", {"label": "none", "values": "Ida Fenwick"})
    asks.post(ELEMENT, AS_IT_IS | {"row": choice})
    assert (kept(out).elements["d"].row if kept(out) else "") == row
    chosen = asks.get(ELEMENT).tree.xpath("//select[@id='row']/option[@selected]/@value")
    assert chosen == [choice]


def test_values_are_pinned_and_banned_one_a_line(asks, out):
    asks.post(ELEMENT, AS_IT_IS | {"pin": "Kit Moore\r\n\r\n Ida \r\n", "ban": EVIL})
    hints = kept(out).elements["d"]
    assert (hints.pin, hints.ban) == (("Kit Moore", "Ida"), (EVIL,))
    reply = asks.get(ELEMENT)
    assert EVIL not in reply.text
    assert reply.tree.get_element_by_id("ban").text == EVIL
    rows = [" ".join(row.text_content().split()) for row in reply.tree.xpath("//tbody/tr")]
    assert "Kit Moore pinned" in rows[1]
    assert f"{EVIL} banned" in rows[2]


def test_a_row_that_the_table_has_not_is_refused_in_words(asks, out):
    reply = asks.post(ELEMENT, AS_IT_IS | {"row": "row:nosuchrow"})
    assert reply.status == 400
    assert "The table has no row 'nosuchrow'; add it under Rows first." in reply.said
    assert not kept(out)


def test_a_row_that_has_gone_since_does_not_hinder_other_corrections(asks, out):
    asks.post("/rows", {"label": "Studio", "values": "A24"})
    asks.post(ELEMENT, AS_IT_IS | {"row": "row:Studio"})
    asks.post("/rows/drop", {"label": "Studio"})
    asks.post(ELEMENT, AS_IT_IS | {"row": "row:Studio", "pin": "Ida"})
    assert kept(out).elements["d"].pin == ("Ida",)


def test_a_pinned_value_that_a_list_has_not_is_remarked_on(asks, out):
    genre = "/forms/1/elements/1"
    asks.post(genre, AS_IT_IS | {"label": "Genre", "pin": "western\ndrame\nopenshh"})
    said = asks.get(genre).said
    assert "The list has no choice drame, openshh: it cannot be tried." in said
    asks.post(genre, AS_IT_IS | {"label": "Genre", "pin": "western\nDrama"})
    assert "has no choice" not in asks.get(genre).said
    asks.post(ELEMENT, AS_IT_IS | {"pin": "anything at all"})
    assert "has no choice" not in asks.get(ELEMENT).said, "a box takes what it is given"


def test_a_value_is_pinned_banned_and_freed_by_its_button(asks, out):
    where = asks.post(f"{ELEMENT}/value", {"pin": "Kit Moore", "page": "1"}).headers["location"]
    assert where == f"{ELEMENT}?said=saved&page=1#values"
    assert kept(out).elements["d"].pin == ("Kit Moore",)
    asks.post(f"{ELEMENT}/value", {"ban": "Kit Moore"})
    assert (kept(out).elements["d"].pin, kept(out).elements["d"].ban) == ((), ("Kit Moore",))
    asks.post(f"{ELEMENT}/value", {"free": "Kit Moore"})
    assert not kept(out)


def test_an_element_without_a_name_is_called_by_its_place(asks, out):
    asks.post("/forms/2/elements/1", AS_IT_IS | {"label": "Pass phrase"})
    site = read_assist(out.parent / "assist.yaml").site(ONE)
    assert site.form("login").elements["#1"].label == "Pass phrase"


@pytest.mark.parametrize(("choice", "search"), [("search", True), ("not", False)])
def test_a_form_is_said_to_be_a_search_or_none(asks, out, choice, search):
    asks.post("/forms/1", {"search": choice, "submitter": "Go"})
    assert (kept(out).search, kept(out).submitter) == (search, "Go")
    checked = asks.get("/forms/1").tree.xpath("//input[@checked]/@value")
    assert checked == [choice, "Go"]
    asks.post("/forms/1", {"search": "decided", "submitter": ""})
    assert not kept(out)


def test_a_site_is_left_alone_and_taken_up_again(asks, out):
    asks.post("/sites", {"site": ONE, "skip": "yes"})
    assert read_assist(out.parent / "assist.yaml").site(ONE).skip
    assert "skipped by a person" in asks.get("/").said
    asks.post("/sites", {"site": ONE, "skip": "no"})
    assert not read_assist(out.parent / "assist.yaml").site(ONE).skip


def test_a_row_is_added_shown_and_taken_back(asks, out):
    fields = {"label": "Studio", "aliases": "Verleih, ", "values": "A24\nMubi = 0.4\n"}
    assert asks.post("/rows", fields).headers["location"] == "/rows?said=saved&row=Studio"
    [row] = read_assist(out.parent / "assist.yaml").rows
    assert (row.label, row.aliases, row.values) == ("Studio", ("Verleih",), {"A24": 1, "Mubi": 0.4})
    page = asks.get("/rows?row=Studio")
    assert "Studio Verleih 2 by a person" in page.said
    assert page.tree.get_element_by_id("values").text.split("\n") == ["A24", "Mubi = 0.4"]
    asks.post("/rows/drop", {"label": "Studio"})
    assert read_assist(out.parent / "assist.yaml").rows == ()


@pytest.mark.parametrize(
    "fields", [{"label": "", "values": "a"}, {"label": "L", "values": " \n"},
               {"label": "L", "values": "a = 7"}]
)  # fmt: skip
def test_a_row_that_is_none_is_refused_in_words(asks, out, fields):
    reply = asks.post("/rows", fields)
    assert (reply.status, "That did not work" in reply.said) == (400, True)
    assert not (out.parent / "assist.yaml").exists()


@pytest.mark.parametrize(
    ("text", "values"),
    [("Drama", {"Drama": 1.0}), ("Drama = 0.8", {"Drama": 0.8}), ("E = mc", {"E = mc": 1.0}),
     ("a\n\n b \na", {"a": 1.0, "b": 1.0}), ("x == .5", {"x =": 0.5}), ("= 1", {})],
)  # fmt: skip
def test_a_value_stands_on_a_line_with_its_weight(text, values):
    assert parse_values(text) == values


def test_answers_are_drawn_and_judged_one_after_the_other(asks, out):
    assert asks.post("/judge", {"size": "10"}).headers["location"] == "/judge?said=drawn"
    assert "Answer 1, 2 answers left" in asks.get("/judge").said
    assert "Answer 2, 2 answers left" in asks.get("/judge?after=1").said  # 1 is kept for later
    assert "Answer 1, 2 answers left" in asks.get("/judge?after=2").said
    where = asks.post("/answers/1", {"verdict": "results", "then": "judge"}).headers["location"]
    assert where == "/judge?said=verdict&after=1"
    assert "Answer 2, 1 answer left" in asks.get(where).said
    asks.post("/answers/2", {"verdict": "invalid", "note": "a date"})
    said = asks.get("/judge").said
    assert "All drawn answers are judged." in said
    assert "2 of 2 drawn answers judged, 1 as hiwe judged them" in said
    assert "A person saysinvalid" in asks.get("/answers/2").said
    with Database(out / FILE_NAME, read_only=True) as db:
        assert Judged(db).verdicts() == {1: Verdict.RESULTS, 2: Verdict.INVALID}


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [("/answers/1", {"verdict": "good"}, 400), ("/answers/3", {"verdict": "results"}, 404),
     ("/judge", {"size": "0"}, 400), ("/judge", {"size": "x"}, 400),
     ("/forms/9", {"search": "not"}, 404), ("/forms/1/elements/9", AS_IT_IS, 404),
     ("/forms/1/elements/9/value", {"pin": "x"}, 404), ("/sites", {"skip": "yes"}, 400),
     ("/control", {"state": "pause"}, 409), ("/control", {"state": "fly"}, 400)],
)  # fmt: skip
def test_what_cannot_be_changed_is_refused_in_words(asks, out, path, fields, status):
    reply = asks.post(path, fields)
    assert (reply.status, "That did not work" in reply.said) == (status, True)
    assert not (out.parent / "assist.yaml").exists()


def test_a_running_crawl_is_paused_resumed_and_stopped(asks, out):
    with announced(out):
        assert "A crawl works on this run." in asks.get("/").said
        for state, said, buttons in (
            ("pause", "Paused", ["run", "stop"]),
            ("run", "works on", ["pause", "stop"]),
            ("stop", "Stopping", []),
        ):
            asks.post("/control", {"state": state})
            assert read_control(out).state == state
            page = asks.get("/")
            assert said in page.said
            assert ("not worked on" in page.said, "paused" in page.said) == (
                False,
                state == "pause",
            )
            assert page.tree.xpath("//button[@name='state']/@value") == buttons
    assert "Finished." in asks.get("/").said


def test_what_the_crawl_says_of_a_correction_stands_with_its_form(asks, out):
    with Database(out / FILE_NAME) as db:
        for _ in range(2):
            told = "no element is called zip"
            Run(db).add_event("assist", told, level="warning", site=ONE, data={"form": 1})
    for path in ("/forms/1", "/corrections"):
        assert asks.get(path).said.count(f"warning: {ONE} no element is called zip") == 1, path
    assert "zip" not in asks.get("/forms/2").said


def test_a_crawl_that_was_killed_is_not_taken_for_a_running_one(asks, out):
    (out / RUNNING_FILE).write_text(json.dumps({"pid": _dead_pid()}))
    assert "Finished." in asks.get("/").said


def _dead_pid():
    """The id of a process that has ended."""
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    return child
