"""What the review pages show: of a run as it is, of hostile text, of long lists, of nothing."""

from __future__ import annotations

import json

import pytest

from hiwe.response.response import Verdict
from tests.report.a_run import ONE, TWO, Builder, element, form
from tests.review.a_reviewed_run import EVIL, build, client


@pytest.fixture(scope="module")
def asks(tmp_path_factory):
    return client(build(tmp_path_factory.mktemp("review") / "run"))


def cells(row):
    return [" ".join(cell.text_content().split()) for cell in row]


def rows_of(reply, place=0):
    return [cells(row) for row in reply.tree.xpath("//table")[place].xpath(".//tbody/tr")]


def test_the_overview_shows_each_site_and_the_last_events(asks):
    reply = asks.get("/")
    assert [row[:8] for row in rows_of(reply)] == [
        [ONE, "done", "1", "1", "3", "0.33", "0.67", "2"],
        [TWO, "not worked on now", "0", "0", "0", "-", "-", "0"],
    ]
    assert "Finished." in reply.said
    assert f"chosen {EVIL}" in reply.said
    assert "Pause" not in reply.said


def test_live_figures_are_those_of_the_page(asks):
    now = json.loads(asks.get("/live").text)
    shown = {
        node.get("data-live"): " ".join(node.text_content().split())
        for node in asks.get("/").tree.xpath("//*[@data-live]")
    }
    assert len(shown) > 15
    assert {name: now["texts"][name] for name in shown} == shown
    assert now["phase"] == "finished"


def test_forms_are_listed_chosen_ones_first_with_their_reasons(asks):
    reply = asks.get("/forms")
    assert [row[2] for row in rows_of(reply)] == ["chosen: search", "skipped: login"]
    assert "chosen (search): 1; skipped (login): 1" in reply.said


@pytest.mark.parametrize(
    ("query", "number"),
    [("decision=skipped", 1), ("words=regiss", 1), ("words=LOGIN", 1), ("words=%25", 0),
     ("words=_", 0), (f"site={TWO}", 0), ("page=99", 2), ("page=x", 2)],
)  # fmt: skip
def test_forms_are_looked_for_by_decision_site_and_words(asks, query, number):
    reply = asks.get(f"/forms?{query}")
    assert len(reply.tree.xpath("//tbody/tr")) == number
    assert number or "No form is such." in reply.said


def test_a_form_shows_labels_with_source_cost_runner_up_row_and_values(asks):
    assert rows_of(asks.get("/forms/1"))[:2] == [
        ["1. Regisseur", "layout cost 4.2not Genre", "d text", "Director 0.90 by its label",
         f"Ida Fenwick 2 records, Kit Moore, {EVIL} 0 records, lost 0 records",
         "Correct element 1, Regisseur"],
        ["2. Genre", "for", "g select", "Genre 0.90 by its label", "domain of 2 choices",
         "Correct element 2, Genre"],
    ]  # fmt: skip


def test_the_picture_draws_texts_controls_and_what_was_understood(asks):
    [picture] = asks.get("/forms/1").tree.xpath("//div[contains(@class, 'sketch')]/svg")
    assert picture.get("viewbox") == "0.0 0.0 348.0 192.0"
    words = [node.text for node in picture.xpath(".//text[@class='words']")]
    assert words == ["Regisseur", "Genre", EVIL]  # the text far below is not drawn
    inside = [node.text for node in picture.xpath(".//text[@class='inside']")]
    assert inside == ["surname", "Drama", "Go"]
    marks = picture.xpath(".//a")
    assert [mark.get("class") for mark in marks] == [
        "mark from-layout", "mark from-for", "mark from-none",
    ]  # fmt: skip
    line = marks[0].xpath("line")[0]
    assert [line.get(n) for n in ("x1", "y1", "x2", "y2")] == ["100", "32.0", "120", "32.0"]
    assert picture.xpath("//rect[@class='sends']/@x") == ["117"]


def test_a_form_without_a_snapshot_says_so(asks):
    assert "Nothing of this form is seen" in asks.get("/forms/2").said


def test_values_stand_in_rank_order_with_what_they_earned(asks):
    assert [row[:7] for row in rows_of(asks.get("/forms/1/elements/0"))] == [
        ["1", "Ida Fenwick", "1.00", "Director explicit", "1", "1", "2"],
        ["2", "Kit Moore", "1.00", "Director explicit", "0", "0", "0"],
        ["-", EVIL, "-", "", "1", "0", "0"],
        ["-", "lost", "-", "", "1", "0", "0"],
    ]


def test_an_element_may_be_bound_to_each_row_of_the_table(asks):
    options = asks.get("/forms/1/elements/0").tree.xpath("//select[@id='row']/option/@value")
    assert options == ["matched", "none", "row:Director", "row:Genre"]


def test_an_answer_shows_request_evidence_records_and_the_archived_text(asks):
    said = asks.get("/answers/1").said
    for part in ("Ida Fenwick", "GET http://127.0.0.1:8701/cgi/find?d=Ida Fenwick",
                 "count: 1-2 of 2", "Title a", "2 films by Ida"):  # fmt: skip
        assert part in said
    assert "unseen" not in said


@pytest.mark.parametrize(
    "path",
    [
        "/forms/99",
        "/forms/1/elements/9",
        "/answers/99",
        "/answers/3",
        "/no/such/page",
        f"/forms/{10**30}",
        f"/answers/{10**30}",
    ],
)
def test_what_is_not_there_is_said(asks, path):
    reply = asks.get(path)
    assert reply.status == 404
    assert "That did not work" in reply.said


@pytest.mark.parametrize(
    "path", ["/", "/forms", "/forms/1", "/forms/2", "/forms/1/elements/0", "/forms/2/elements/0",
             "/answers/2", "/rows"]
)  # fmt: skip
def test_text_of_a_site_is_never_markup(asks, path):
    reply = asks.get(path)
    assert EVIL not in reply.text
    assert [a for a in reply.tree.xpath("//@href") if not a.startswith(("/", "#", "http", "data"))
            ] == []  # fmt: skip


def test_every_field_has_a_label_and_every_id_is_one(asks):
    for path in ("/", "/forms", "/forms/1", "/forms/1/elements/0", "/answers/1", "/rows", "/judge"):
        tree = asks.get(path).tree
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        named = set(tree.xpath("//label/@for"))
        for field in tree.xpath("//input[not(@type='hidden')] | //select | //textarea"):
            assert field.get("id") in named, (path, field.get("name"))


def test_a_run_just_begun_has_pages(tmp_path):
    made = Builder(tmp_path)
    made.begin()
    made.close()
    (tmp_path / "config.yaml").write_text(
        "task: films\nsites: ['http://127.0.0.1:8701/']\nlvs: {builtin: []}\n"
    )
    asks = client(tmp_path)
    for path, said in {
        "/": "Nothing has happened yet.", "/forms": "No form was met yet.",
        "/judge": "There is no judged answer to draw from yet.",
        "/corrections": "Nothing was corrected yet", "/rows": "The table is empty.",
    }.items():  # fmt: skip
        reply = asks.get(path)
        assert (reply.status, said in reply.said) == (200, True), path
    assert "Its process is gone" in asks.get("/").said


def test_a_long_run_is_shown_in_pages(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    with made.db.atomic():
        for at in range(120):
            made.meet(form(f"f{at}", [element("d", f"Label {at}")], action=f"{ONE}{at}"))
        for at in range(60):
            made.submit(1, f"v{at}", Verdict.RESULTS)
    made.close()
    asks = client(tmp_path)
    last = asks.get("/forms?page=3")
    assert len(rows_of(last)) == 20
    assert "page 3 of 3, 120 in all" in last.said
    assert [a for a in last.tree.xpath("//a[@rel='prev']/@href") if "page=2" in a]
    answers = asks.get("/forms/1?page=2&verdict=results")
    assert len(rows_of(answers, 1)) == 25
    assert "page 2 of 3" in answers.said


def test_half_a_surrogate_pair_breaks_no_page(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.meet(form("f", [element("d", "half \ud83d")]))
    made.close()
    assert client(tmp_path).get("/forms/1").said.count("half") >= 1


def test_events_lead_to_their_forms_and_stay_text(asks):
    assert asks.get("/forms/1").status == 200
    event = json.loads(asks.get("/live").text)["events"][0]
    assert event == {"level": "info", "site": ONE, "text": f"chosen {EVIL}", "form": 1}
    [link] = asks.get("/").tree.xpath("//ul[@data-events]//a")
    assert (link.get("href"), link.text) == ("/forms/1", f"chosen {EVIL}")


def test_a_spoilt_file_of_corrections_is_told(tmp_path):
    out = build(tmp_path / "run")
    (tmp_path / "assist.yaml").write_text("sitez: {}\n")
    reply = client(out).get("/forms/1")
    assert reply.status == 400
    assert "assist.yaml" in reply.said
    assert "sitez" in reply.said
