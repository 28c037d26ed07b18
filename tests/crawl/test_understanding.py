"""What a person says of a form holds when it is met and when it is looked at anew; no browser."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiwe.crawl.crawl import Crawl
from hiwe.crawl.form_desk import LEAST_TRIALS
from hiwe.crawl.roads import STATE
from hiwe.crawl.site import Site
from hiwe.crawl.stores import Stores
from hiwe.engine.local import LocalEngine
from hiwe.form.corrected import SAID_SO
from hiwe.form.form import Submitter
from hiwe.lvs import LvsTable
from hiwe.lvs.load import parse_rows
from hiwe.repository.database import Database
from hiwe.repository.submissions import Sent
from hiwe.response.knowledge import FormKnowledge
from hiwe.response.response import Judgement, Verdict
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.chain import Step
from hiwe.task import parse_task
from hiwe.task.assist import Assist
from tests.submission.film_library import element, form, select

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiwe.form.form import Form
    from hiwe.repository.forms import StoredForm

URL = "http://a.org/"
TABLE = "[{label: Author, values: [Ida Fenwick, Omar Velt]}, {label: Title, values: [Salt]}]"
TASK = f"task: t\nsites: [{URL}]\nforms: {{alpha: 2}}\nresponse: {{probe: false}}\n"


async def no_worker():
    raise AssertionError("nothing is to be performed")


class Run:
    """A crawl of one site that nobody works on, and a person who corrects it."""

    def __init__(self, db: Database, folder: Path) -> None:
        task = parse_task(TASK)
        site = Site(URL, URL, task.for_site(task.sites[0]))
        engine = LocalEngine(no_worker, slots=1)
        self.stores = Stores.of(db)
        self.crawl = Crawl(
            task, [site], self.stores, LvsTable(parse_rows(TABLE)), engine,
            directory=folder, assist=folder / "assist.yaml",
        )  # fmt: skip
        self.crawl._begin()
        self.site, self.desk, self.assist = site, self.crawl._desk, Assist()

    def meet(self, a_form: Form, *steps: Step) -> int:
        """Meet a form; its id."""
        assert self.desk.meet(self.site, a_form, parent=0, steps=steps)
        return self.stores.forms.all()[-1].id

    def correct(self, assist: Assist) -> None:
        """Put corrections in force, as when the file has changed."""
        self.assist = assist
        self.crawl._assistance.take(assist)

    def stored(self, form_id: int = 1) -> StoredForm:
        """A form as it is written down."""
        return self.stores.forms.get(form_id)

    def decision(self, form_id: int = 1) -> tuple[str, str]:
        """Decision and reason."""
        stored = self.stored(form_id)
        return stored.decision, stored.reason

    def open_values(self) -> list[list[str]]:
        """The values of the submissions that wait in the frontier."""
        rows = self.stores.db.rows(
            "SELECT json_extract(payload, '$.assignment') AS a FROM actions"
            " WHERE kind = 'submit' AND state = 'open' ORDER BY id"
        )
        return [[b["value"] for b in json.loads(row["a"])["bindings"]] for row in rows]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Database(None) as db:
        yield Run(db, tmp_path)


def shelf(*more: object, **changes: object) -> Form:
    return replace(form(element("q", label="Author"), *more), page_url=URL, **changes)


def test_a_small_form_that_a_person_calls_a_search_form_is_worked_on(run: Run) -> None:
    run.meet(shelf())
    assert run.decision() == ("skipped", "too_small")
    run.correct(run.assist.with_form(URL, "f", URL, search=True))
    assert run.decision() == ("chosen", SAID_SO)
    assert run.open_values() == [["Ida Fenwick"]]
    run.correct(run.assist.with_form(URL, "f", URL, search=None))
    assert run.decision() == ("skipped", "too_small")
    assert run.open_values() == []


def test_a_form_that_is_none_is_skipped_when_it_is_met(run: Run) -> None:
    run.correct(run.assist.with_form(URL, "f", URL, search=False))
    run.meet(shelf(element("t", label="Title")))
    assert run.decision() == ("skipped", SAID_SO)


def test_open_work_is_closed_and_opened_again(run: Run) -> None:
    run.meet(shelf(element("t", label="Title")))
    assert run.open_values() == [["Ida Fenwick"]]
    run.correct(run.assist.with_form(URL, "f", URL, search=False))
    closed = run.stores.db.rows("SELECT state, reason FROM actions WHERE kind = 'submit'")
    assert [tuple(row) for row in closed] == [("skipped", SAID_SO)]
    run.correct(Assist())
    assert run.decision()[0] == "chosen"
    assert run.open_values() == [["Ida Fenwick"]]


@pytest.mark.parametrize(
    ("row", "matched", "rule", "first"),
    [
        ("title", "Title", "person", "Salt"),
        (None, None, "person", "Salt"),
        ("Genre", "Author", "label", "Ida Fenwick"),
    ],
)
def test_a_row_is_bound_or_unbound(run: Run, row, matched, rule, first) -> None:
    run.meet(shelf(element("t", label="Title")))
    run.correct(run.assist.with_element(URL, "f", URL, "q", row=row))
    found = run.stores.forms.matches(1)[0]
    assert (found.row, found.rule) == (matched, rule)
    assert run.open_values() == [[first]]
    told = [e.text for e in run.stores.run.events(kind="assist") if e.level == "warning"]
    assert told == (["/find: q: the table has no row Genre"] if row == "Genre" else [])


def test_an_added_row_is_matched_by_forms_that_had_none(run: Run) -> None:
    run.meet(shelf(element("t", label="Title"), fingerprint="a"))
    other = form(element("g", label="Genre"), element("c", label="Colour"))
    run.meet(replace(other, page_url=URL, fingerprint="b", action="/other"))
    assert run.decision(2) == ("skipped", "no_match")
    before = run.desk.works[1]
    run.correct(run.assist.with_row("Genre", ["Drama"]))
    assert run.decision(2)[0] == "chosen"
    assert ["Drama"] in run.open_values()
    assert run.desk.works[1] is before, "nothing of the row concerns it"


def test_a_form_behind_a_banned_value_is_left(run: Run) -> None:
    first = shelf(element("t", label="Title"))
    run.meet(first)
    binding = Binding(0, "Omar Velt", 1.0, "Author")
    further = replace(
        form(select("y", ["Old", "New"]), element("z", label="Title")),
        page_url=URL, fingerprint="g",
    )  # fmt: skip
    second = run.meet(further, Step(first, ValueAssignment((binding,), 1.0)))
    assert run.decision(second)[0] == "chosen"
    run.correct(run.assist.with_element(URL, "f", URL, "q", ban=["omar velt"]))
    assert run.decision(second) == ("skipped", SAID_SO)
    assert run.decision(1)[0] == "chosen"


def test_patience_begins_anew_with_a_correction(run: Run) -> None:
    run.meet(shelf(element("t", label="Title")))
    for number in range(LEAST_TRIALS):
        sent = ValueAssignment((Binding(1, f"Salt {number}", 1.0),), 1.0)
        store = run.stores.submissions
        claimed = store.claim(1, sent.key("f"), site=URL, assignment=sent, at=0.0)
        assert claimed is not None
        store.record(claimed, Sent("sent"), at=0.0)
        store.judge(claimed, Judgement(Verdict.NO_RESULTS, 1.0, ()))
    for pin in ("Omar Velt", "Kai Morrow"):
        run.correct(run.assist.with_element(URL, "f", URL, "q", pin=[pin]))
        assert (run.stored().stopped, run.open_values()) == ("", [[pin]])
    assert run.desk.works[1].sent == LEAST_TRIALS
    run.desk.works[1].earlier = 0
    assert run.desk._why_stop(run.desk.works[1]) == "no results"


def test_another_button_forgets_what_was_learned_of_the_first_and_back(run: Run) -> None:
    buttons = tuple(Submitter(at, "submit", t, t, "", "", "GET") for at, t in enumerate("ab"))
    run.meet(shelf(element("t", label="Title"), submitters=buttons))
    learned = FormKnowledge().to_json()
    state = run.stored().state | {STATE: {"form": {"agreed": 9, "told": 9}}}
    run.stores.forms.update(1, state=state, knowledge=learned, transport="http")
    run.correct(run.assist.with_form(URL, "f", URL, submitter="b"))
    stored = run.stored()
    assert STATE not in stored.state
    assert (stored.knowledge, stored.transport) == ({}, "browser")
    assert [s.text for s in stored.form.submitters] == ["b", "a"]
    assert run.desk.works[1].fingerprint != "f"
    run.correct(run.assist.with_element(URL, "f", URL, "q", label="Author"))
    assert run.desk.works[1].form.submitters[0].text == "b"
    run.correct(Assist())
    assert run.desk.works[1].fingerprint == "f"
    assert run.stored().form == run.stored().found


def test_a_label_keeps_what_was_learned_of_answers_and_roads(run: Run) -> None:
    run.meet(shelf(element("t", label="Title")))
    state = run.stored().state | {STATE: {"form": {"agreed": 9, "told": 9}}}
    run.stores.forms.update(1, state=state, transport="http")
    run.correct(run.assist.with_element(URL, "f", URL, "t", label="Author"))
    assert run.desk.works[1].trust.agreed == 9
    assert run.stored().transport == "http"
