"""The run's stores: what is kept, what counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.errors import RunError
from hiwe.form.form import Element, Form
from hiwe.page.page import Box, Option
from hiwe.repository.database import Database
from hiwe.repository.experience import Change, Experience
from hiwe.repository.forms import Forms, Match
from hiwe.repository.hosts import Hosts, HostState, StoredRobots
from hiwe.repository.pages import Pages, StoredPage
from hiwe.repository.records import Records
from hiwe.repository.run import Run
from hiwe.repository.submissions import Sent, Submissions
from hiwe.repository.totals import Totals
from hiwe.response.response import Judgement, Record, Signal, Verdict
from hiwe.submission.assignment import Binding, ValueAssignment

SITE = "http://h.org/"


@pytest.fixture
def db():
    with Database(None) as database:
        yield database


def form(fingerprint="f1", page_url="http://h.org/search", method="GET"):
    options = (Option("sf", "Science fiction"), Option("po", "Poetry"))
    element = Element(
        controls=(0,), name="g", id="", kind="select", label="Genre", label_source="layout",
        runner_up="", options=options, box=Box(0, 0, 10, 10), visible=True,
    )  # fmt: skip
    return Form(
        index=0, dom_form=0, page_url=page_url, page_title="Søk \ud800", language="no",
        method=method, action="http://h.org/find", enctype="", elements=(element,),
        submitters=(), hidden=(("t", "1"),), searchable=True, reason="", score=1.0,
        fingerprint=fingerprint,
    )  # fmt: skip


def assignment(value="Poetry", rank=0.75):
    return ValueAssignment((Binding(0, value, rank, "Genre", 1),), rank)


def add_form(db, **changes):
    form_id = Forms(db).add(SITE, form(**changes), decision="chosen", reason="", at=1.0)
    assert form_id is not None
    return form_id


def submit(db, form_id, value, verdict, *, probe=False, outcome="sent", records=()):
    """Carry one assignment through all its states; return its id."""
    submissions = Submissions(db)
    one = assignment(value)
    submission = submissions.claim(
        form_id, one.key("f"), site=SITE, assignment=one, at=1.0, probe=probe
    )
    assert submission is not None
    submissions.record(submission, Sent(outcome, request=("GET", "http://h.org/find", "")), at=2.0)
    if verdict:
        submissions.judge(submission, Judgement(verdict, 0.9, (Signal("count", "3 found", 1.0),)))
    for key in records:
        Records(db).add(
            Record((("Title", key),), None, key), site=SITE, submission=submission, at=3.0
        )
    return submission


def test_a_form_is_one_row_however_many_pages_show_it(db):
    forms = Forms(db)
    form_id = add_form(db)
    assert (
        forms.add(SITE, form(page_url="http://h.org/2"), decision="chosen", reason="", at=2.0)
        is None
    )
    assert forms.pages(form_id) == ["http://h.org/2", "http://h.org/search"]
    assert forms.add("http://other.org/", form(), decision="skipped", reason="login", at=2.0) == 2
    assert [f.decision for f in forms.all()] == ["chosen", "skipped"]


def test_a_form_comes_back_as_it_was_understood(db):
    form_id = add_form(db)
    stored = Forms(db).get(form_id)
    assert stored.form.elements == form().elements
    assert stored.form.page_title == "Søk ?"  # half a character cannot be kept
    assert stored.knowledge is None


def test_a_corrected_form_keeps_what_was_found_beside_it(db):
    forms, form_id = Forms(db), add_form(db)
    found = forms.get(form_id).form
    changed = replace(found.elements[0], label="Director", label_source="person")
    for corrected in (replace(found, elements=(changed, *found.elements[1:])), found):
        forms.correct(form_id, corrected)
        stored = forms.get(form_id)
        assert (stored.form, stored.found) == (corrected, found)
        row = db.row("SELECT label, label_source FROM elements WHERE position = 0")
        first = corrected.elements[0]
        assert tuple(row) == (first.label, first.label_source)


def test_what_is_learned_of_a_form_is_kept(db):
    forms, form_id = Forms(db), add_form(db)
    forms.update(form_id, knowledge={"digest": "x"}, state={"tried": [1]}, stopped="budget")
    forms.update(form_id, estimated_total=356.0)
    forms.set_matches(form_id, {0: Match("Genre", 0.95, "person")})
    stored = forms.get(form_id)
    assert (stored.knowledge, stored.state) == ({"digest": "x"}, {"tried": [1]})
    assert (stored.stopped, stored.estimated_total) == ("budget", 356.0)
    assert forms.matches(form_id) == {0: Match("Genre", 0.95, "person")}


def test_an_assignment_is_claimed_once_unless_its_process_died_or_gave_it_back(db):
    submissions, form_id = Submissions(db), add_form(db)

    def claim():
        one = assignment()
        return submissions.claim(form_id, one.key("f"), site=SITE, assignment=one, at=1.0)

    first = claim()
    assert claim() == first  # a killed process left it claimed
    submissions.reopen(first, "throttled")
    assert submissions.count() == 0
    assert claim() == first
    submissions.record(first, Sent("sent"), at=2.0)
    assert claim() is None
    assert submissions.get(first).attempts == 3
    assert submissions.known_keys(form_id) == {assignment().key("f")}


def test_a_submission_comes_back_with_its_evidence(db):
    form_id = add_form(db)
    submission = submit(db, form_id, "Poetry", Verdict.RESULTS)
    stored = Submissions(db).get(submission)
    assert stored.assignment == assignment()
    assert stored.judgement == Judgement(Verdict.RESULTS, 0.9, (Signal("count", "3 found", 1.0),))
    assert (stored.state, stored.request) == ("judged", ("GET", "http://h.org/find", ""))


def test_values_that_were_asked_for_alone_are_told_with_their_fortune(db):
    first = add_form(db)
    second = add_form(db, fingerprint="f2")
    for form_id, value, verdict in (
        (first, "Poetry", Verdict.NO_RESULTS),
        (first, "Travel", Verdict.NO_RESULTS),
        (second, "Travel", Verdict.RESULTS),
        (first, "History", Verdict.INVALID),
    ):
        submit(db, form_id, value, verdict)
    asked = Submissions(db).asked_alone(SITE)
    assert set(asked) == {("Genre", "Poetry", False), ("Genre", "Travel", True)}
    assert Submissions(db).asked_alone("http://other.org/") == ()


def test_totals_follow_the_contract(db):
    run = Run(db)
    run.set_sites([SITE, "http://empty.org/"])
    form_id = add_form(db)
    submit(db, form_id, "a", Verdict.RESULTS, records=("r1", "r2"))
    submit(db, form_id, "b", Verdict.RESULTS, records=("r2", "r3"))
    submit(db, form_id, "c", Verdict.NO_RESULTS)
    submit(db, form_id, "d", Verdict.ERROR, outcome="failed")
    submit(db, form_id, "e", None, outcome="not_sent")
    submit(db, form_id, "zqxvkj", Verdict.NO_RESULTS, probe=True)
    Pages(db).add(StoredPage(SITE, SITE, "visit", 200, 1.0))
    Pages(db).add(StoredPage(SITE, SITE + "find", "result", 200, 1.0))
    totals = Totals(db)
    all_ = totals.run()
    assert (all_.tally.submissions, all_.tally.success, all_.tally.valid) == (4, 2, 3)
    assert (all_.tally.se_strict, all_.tally.se_lenient) == (0.5, 0.75)
    assert (all_.pages, all_.result_pages, all_.forms_seen, all_.forms_chosen) == (1, 1, 1, 1)
    assert (all_.records, all_.probes) == (3, 1)
    assert totals.verdicts()[Verdict.RESULTS] == 2
    assert totals.verdicts()[Verdict.BLOCKED] == 0
    first, empty = totals.sites()
    assert (first.tally.submissions, first.records, first.pages) == (4, 3, 1)
    assert (empty.tally.se_strict, empty.records) == (0.0, 0)
    assert totals.forms()[form_id].records == 3
    assert Records(db).finds(form=form_id) == {1: 2, 2: 1}


def test_the_records_of_an_answer_are_kept_together_as_they_are_one_by_one():
    first = [Record((("T", "x"),), None, "k"), Record((("T", "y"),), "http://h.org/2", "l")]
    again = [
        Record((("T", "x"), ("Year", "1999")), "http://h.org/1", "k"),
        Record((("T", "another"),), None, "l"),
        Record((("T", "\ud83d new"),), None, "m"),
    ]
    kept = []
    for together in (False, True):
        with Database(None) as db:
            form_id, records = add_form(db), Records(db)
            for at, found in enumerate((first, again), start=1):
                sent = submit(db, form_id, f"key {at}", None)
                parts = [found] if together else [[record] for record in found]
                counts = [
                    records.add_all([(r, "w#1") for r in part], site=SITE, submission=sent, at=at)
                    for part in parts
                ]
                assert sum(counts) == (2, 1)[at - 1]
            finders = db.rows("SELECT * FROM record_finders ORDER BY record, submission")
            kept.append((list(records.each()), [tuple(row) for row in finders]))
    assert kept[0] == kept[1]
    assert [(r.fields, r.last_seen) for r in kept[0][0]] == [
        ((("T", "x"), ("Year", "1999")), 2.0),
        ((("T", "y"),), 2.0),
        ((("T", "? new"),), 2.0),
    ]


@pytest.mark.parametrize(("shown", "agrees"), [("x", 1), ("another", 0)])
def test_a_form_that_shows_a_record_otherwise_does_not_agree_with_what_is_kept(db, shown, agrees):
    one = submit(db, add_form(db), "a", None)
    other = submit(db, add_form(db, fingerprint="f2"), "a", None)
    records = Records(db)
    for sent, title in ((one, "x"), (other, shown)):
        found = Record((("T", title),), None, "k")
        records.add_all([(found, "w#1")], site=SITE, submission=sent, at=1.0)
    told = db.value("SELECT agrees FROM record_finders WHERE submission = ?", (other,))
    assert told == agrees


def test_a_record_is_new_once_and_keeps_all_its_finders(db):
    form_id, records = add_form(db), Records(db)
    one, two = submit(db, form_id, "a", None), submit(db, form_id, "b", None)
    assert records.add(Record((("T", "x"),), None, "k"), site=SITE, submission=one, at=1.0)
    assert not records.add(
        Record((("T", "y"), ("Year", "1999")), "http://h.org/1", "k"),
        site=SITE,
        submission=two,
        at=2.0,
    )
    (found,) = records.each()
    assert found.fields == (("T", "x"), ("Year", "1999"))
    assert found.url == "http://h.org/1"
    assert found.found_by == tuple(sorted((assignment("a").key("f"), assignment("b").key("f"))))
    assert records.add(
        Record((("T", "x"),), None, "k"), site="http://o.org/", submission=one, at=1.0
    )
    assert records.mark_gone(SITE, not_seen_since=3.0, at=4.0) == 1


def test_experience_is_written_value_by_value_and_comes_back_in_order(db):
    experience = Experience(db)
    experience.save_rows({"Genre": {"aliases": ["Genere"]}, "Author": {}})
    experience.save_values([("Genre", "sf", {"w": 1.0}), ("Genre", "po", {"w": 0.5})])
    experience.save_values([("Genre", "sf", {"w": 0.4})])
    experience.log([Change("Genre", "sf", 1.0, 0.4, "no_results", 1)], at=1.0)
    table = experience.load()
    assert list(table) == ["Genre", "Author"]
    assert table["Genre"] == ({"aliases": ["Genere"]}, {"sf": {"w": 0.4}, "po": {"w": 0.5}})
    assert experience.changes() == [Change("Genre", "sf", 1.0, 0.4, "no_results", 1)]


def test_the_time_of_all_processes_is_summed(db):
    now = [100.0]
    run = Run(db, clock=lambda: now[0])
    run.begin("movies")
    now[0] = 110.0
    run.tick()
    now[0] = 117.0  # killed here, seven seconds after its last tick
    again = Run(db, clock=lambda: now[0])
    assert again.status == "running"
    again.begin("movies")
    now[0] = 122.0
    assert again.duration_s == 15.0
    again.end("finished")
    assert (Run(db).status, Run(db).duration_s, Run(db).get("started_at")) == (
        "finished",
        15.0,
        100.0,
    )


def test_events_are_read_from_where_one_left_off(db):
    run = Run(db)
    first = run.add_event("form", "a form was chosen", site=SITE, data={"form": 1})
    run.add_event("site", "stopped", level="warning")
    (event,) = run.events(after=first)
    assert (event.kind, event.level, event.data) == ("site", "warning", {})
    assert [e.data for e in run.events(kind="form")] == [{"form": 1}]


def test_hosts_keep_their_manners_and_their_robots(db):
    hosts = Hosts(db)
    assert hosts.get("h.org") == HostState("h.org")
    hosts.save(HostState("h.org", 12.0, stopped="blocked", block_streak=5))
    hosts.save_robots(
        "h.org", StoredRobots("http://h.org/robots.txt", 200, "User-agent: *", 1.0, 2.0)
    )
    hosts.save_session_names("h.org", {"sid"})
    assert hosts.get("h.org").next_allowed_at == 12.0
    assert hosts.robots("h.org").text == "User-agent: *"
    assert hosts.robots("new.org").status is None
    assert hosts.session_names("h.org") == {"sid"}
    assert hosts.stopped() == {"h.org": "blocked"}
    assert hosts.resume() == 1
    assert hosts.get("h.org").block_streak == 0


def test_pages_are_found_by_address_and_by_content(db):
    pages = Pages(db)
    pages.add(StoredPage(SITE, SITE + "a", "visit", 200, 1.0, digest="d", archived=("f#1",)))
    pages.add(StoredPage(SITE, SITE + "a", "visit", 304, 2.0, etag='"x"'))
    latest = pages.latest(SITE + "a")
    assert latest is not None
    assert (latest.status, latest.etag) == (304, '"x"')
    same = pages.same_content(SITE, "d")
    assert same is not None
    assert (same.url, same.archived) == (SITE + "a", ("f#1",))
    assert pages.count(SITE) == 2


def fail_after_setting(db, key):
    with db.atomic():
        Run(db).set(key, 1)
        raise RuntimeError(key)


def test_a_failed_block_changes_nothing_and_an_inner_one_only_itself(db):
    run = Run(db)
    with db.atomic():
        run.set("a", 1)
        with pytest.raises(RuntimeError, match="inner"):
            fail_after_setting(db, "inner")
    with pytest.raises(RuntimeError, match="outer"):
        fail_after_setting(db, "outer")
    assert (run.get("a"), run.get("inner"), run.get("outer")) == (1, None, None)
    assert not db.in_transaction


def test_what_is_no_database_is_one_clear_error(tmp_path):
    path = tmp_path / "hiwe.sqlite"
    path.write_bytes(b"this is a text file, long enough to be one" * 100)
    with pytest.raises(RunError, match=r"hiwe\.sqlite.*--fresh"):
        Database(path)


def test_a_newer_format_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "hiwe.sqlite"
    with Database(path) as database:
        database.execute("INSERT INTO migrations VALUES (999, 0)")
    with pytest.raises(RunError, match="format 999"):
        Database(path)


def test_a_reader_sees_what_is_committed_while_another_writes(tmp_path):
    path = tmp_path / "hiwe.sqlite"
    with Database(path) as writer:
        Run(writer).set("a", 1)
        with Database(path, read_only=True) as reader:
            with writer.atomic():
                Run(writer).set("a", 2)
                assert Run(reader).get("a") == 1
            assert Run(reader).get("a") == 2
            with pytest.raises(RunError, match="readonly"):
                Run(reader).set("a", 3)
        assert writer.check() == []
