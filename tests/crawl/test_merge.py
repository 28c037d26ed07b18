"""Joined runs are one run: what both know counts once, ids and references hold."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from contextlib import ExitStack

import pytest

from hiwe.cli import main
from hiwe.crawl.action import NewAction
from hiwe.crawl.frontier import Frontier
from hiwe.crawl.learned import table_of_run
from hiwe.crawl.merge import merge
from hiwe.crawl.part import Part
from hiwe.crawl.reanalyse import reanalyse
from hiwe.crawl.run import run_task
from hiwe.crawl.shard import Shard, place_of
from hiwe.crawl.traps import Traps
from hiwe.errors import RunError, UsageError
from hiwe.report.figures import read_figures
from hiwe.report.next_commands import next_commands
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.experience import Experience
from hiwe.repository.forms import Forms
from hiwe.repository.hosts import Hosts, HostState, StoredRobots
from hiwe.repository.judged import Judged
from hiwe.repository.merge import joined_row, joined_value, merge_into
from hiwe.repository.merge_rules import BY_HAND, NOT_MERGED, RULES
from hiwe.repository.records import Records
from hiwe.repository.rounds import Change, Rounds
from hiwe.repository.run import Run
from hiwe.repository.submissions import Submissions
from hiwe.repository.totals import Totals
from hiwe.repository.warc_reader import read_page
from hiwe.response.response import Record, Verdict
from hiwe.task import load_task
from tests.catalogue import having, list_page
from tests.crawling import CRAWL_DEADLINE_S, read_back, write_config
from tests.plainly import crawl_plainly, crawling
from tests.report.a_run import ONE, TWO, Builder, element, form
from tests.served import Served, redirect


def _columns(db, table):
    return {row["name"] for row in db.rows(f"PRAGMA table_info({table})")}


def test_every_column_of_every_table_is_merged_or_named_as_not_merged():
    with Database(None) as db:
        tables = {r[0] for r in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        rules = {rule.table: set(rule.columns) for rule in RULES}
        rules |= {table: set(columns) for table, columns in BY_HAND.items()}
        assert tables == rules.keys() | NOT_MERGED.keys()
        assert {table: _columns(db, table) for table in rules} == rules


class TwoRuns:
    """Two runs of a task that met on one form: what each of them has done."""

    def __init__(self, tmp_path):
        self.paths = [tmp_path / "a", tmp_path / "b"]
        self.out = tmp_path / "joined"
        a, b = (Builder(path) for path in self.paths)
        a.begin(ONE)
        b.begin(ONE, TWO)
        self.only_b(b)
        wide = form("wide", [element("d", "Director")])
        self.on_a = a.meet(wide, decision="skipped", reason="too_small")
        self.on_b = b.meet(wide, rows=("Director",))
        assert self.on_a != self.on_b
        a.submit(self.on_a, "Ida", Verdict.RESULTS, ("x", "y"))
        b.now += 100
        for value, keys in (("Ida", ("x", "y")), ("Olu", ("y", "z")), ("Kit", ("z",))):
            # the same assignment has the same key in every run
            self.submit_as_a(b, value, keys)
        a.learn("Ida", "source")
        b.learn("Ida", "source")
        b.learn("Olu", "results", submission=2)
        for made in (a, b):
            made.close()

    def only_b(self, b):
        """Something that shifts the ids of b, so that none is right by chance."""
        other = b.meet(form("other", [element("q", "Search")], url=TWO), site=TWO)
        b.submit(other, "zqxvkj", Verdict.NO_RESULTS, site=TWO, probe=True)
        b.visit(TWO, site=TWO)

    def submit_as_a(self, b, value, keys):
        number = b.submit(self.on_b, value, Verdict.RESULTS, keys)
        b.db.execute(
            "UPDATE submissions SET key = ? WHERE id = ?", (f"{self.on_a}-{value}", number)
        )

    def merged(self):
        """The database of both."""
        db = Database(None)
        merge_into(db, {path.name: path / FILE_NAME for path in self.paths})
        assert db.check() == []
        return db

    def change(self, number, work):
        """Do something to one of the runs."""
        with Database(self.paths[number] / FILE_NAME) as db:
            work(db)


@pytest.fixture
def runs(tmp_path):
    return TwoRuns(tmp_path)


def test_what_both_runs_did_counts_once(runs):
    with runs.merged() as db:
        totals = Totals(db).run()
        assert (totals.tally.submissions, totals.probes, totals.forms_seen) == (3, 1, 2)
        assert totals.tally.se_strict == 1.0
        assert totals.records == 3
        finders = {r.id: r.found_by for r in Records(db).each()}
        assert sorted(len(found) for found in finders.values()) == [1, 2, 2]
        assert sum(Totals(db).new_records().values()) == 3, "each record is new to somebody, once"
        assert list(Run(db).site_states()) == [ONE, TWO]


def test_a_form_is_taken_from_the_run_that_worked_on_it(runs):
    with runs.merged() as db:
        (wide,) = (f for f in Forms(db).all(site=ONE))
        assert (wide.decision, wide.reason) == ("chosen", "search")
        assert Forms(db).matches(wide.id)[0].row == "Director"
        assert {s.form for s in Submissions(db).each(form=wide.id)} == {wide.id}


def test_ids_in_events_and_in_actions_are_numbered_anew(runs):
    def act(db):
        frontier = Frontier(db)
        page = NewAction("visit", ONE, f"{ONE}b")
        frontier.add(page)
        parent = frontier.find(page).id
        frontier.add(
            NewAction(
                "submit", ONE, ONE, payload={"form": runs.on_b, "key": "k:1"}, parent=parent,
                identity=f"{runs.on_b}:k:1:0",
            )
        )  # fmt: skip
        frontier.add(
            NewAction("recheck", ONE, ONE, payload={"form": runs.on_b, "key": "k:1"},
                      identity=f"1:{runs.on_b}:k:1")
        )  # fmt: skip
        Rounds(db).begin(5.0)
        Run(db).add_event("form", "seen", site=ONE, data={"form": runs.on_b, "submission": 3})

    def act_first(db):
        frontier = Frontier(db)
        for at in range(3):
            frontier.add(NewAction("visit", ONE, f"{ONE}{at}"))
        frontier.add(NewAction("visit", ONE, f"{ONE}b"))
        Rounds(db).begin(4.0)

    runs.change(0, act_first)
    runs.change(1, act)
    with runs.merged() as db:
        (wide,) = Forms(db).all(site=ONE)
        row = db.row("SELECT * FROM actions WHERE kind = 'submit'")
        assert json.loads(row["payload"]) == {"form": wide.id, "key": "k:1"}
        assert row["fingerprint"] == f"submit:{wide.id}:k:1:0"
        assert Frontier(db).get(row["parent"]).url == f"{ONE}b"
        assert Frontier(db).get(row["parent"]).in_links == 2
        again = db.value("SELECT fingerprint FROM actions WHERE kind = 'recheck'")
        assert again == f"recheck:2:{wide.id}:k:1"
        assert db.value("SELECT ready FROM hosts WHERE key LIKE '127%'") == 6
        (event,) = (e for e in Run(db).events() if e.text == "seen")
        assert Submissions(db).get(event.data["submission"]).form == event.data["form"] == wide.id


def test_an_action_is_as_far_as_the_run_that_came_farther(runs):
    def add(db, end):
        frontier = Frontier(db)
        for name in ("x", "y"):
            frontier.add(NewAction("visit", ONE, ONE + name))
        row = frontier.claim(1.0)
        if end:
            frontier.done(row.id)

    runs.change(0, lambda db: add(db, end=False))
    runs.change(1, lambda db: add(db, end=True))
    with runs.merged() as db:
        states = Counter(r[0] for r in db.rows("SELECT state FROM actions"))
        assert states == {"done": 1, "open": 1}
        assert tuple(db.row("SELECT ready, claimed FROM hosts")) == (1, 0)


def test_hosts_and_traps_are_joined(runs):
    def meet(db, at, names, delay_s):
        Hosts(db).save(HostState("a.org", next_allowed_at=at, delay_s=delay_s))
        Hosts(db).save_robots("a.org", StoredRobots("http://a.org/robots.txt", 200, f"#{at}", at))
        Hosts(db).save_session_names("a.org", names)
        Traps(db).refuse("http://a.org/x", "(x)", "loop")

    runs.change(0, lambda db: meet(db, 5.0, ["sid"], 2.0))
    runs.change(1, lambda db: meet(db, 9.0, ["tok", "sid"], 1.0))
    with runs.merged() as db:
        assert Hosts(db).get("a.org").next_allowed_at == 9.0
        assert Hosts(db).get("a.org").delay_s == 2.0
        assert Hosts(db).robots("a.org").text == "#9.0"
        assert Hosts(db).session_names("a.org") == {"sid", "tok"}
        (trap,) = Traps(db).closed()
        assert (trap.reason, trap.refused) == ("loop", 2)


def test_records_have_the_fields_of_both_and_the_last_word_on_what_is_gone(runs):
    record = Record((("Title", "x"), ("Year", "1999")), "http://a.org/x", "x")
    runs.change(1, lambda db: Records(db).add(record, site=ONE, submission=2, at=2e9))
    runs.change(0, lambda db: Records(db).mark_gone(ONE, not_seen_since=3e9, at=1.9e9))
    runs.change(1, lambda db: Records(db).add_fields(ONE, "gone elsewhere", [("Isbn", "1")]))
    runs.change(1, lambda db: db.execute("INSERT INTO apart VALUES (?, 'y', ?)",
                                         (ONE, '[["Pages", "12"]]')))  # fmt: skip
    with runs.merged() as db:
        found = {dict(r.fields)["Title"]: r for r in Records(db).each()}
        assert found["x"].fields == (("Title", "x"), ("Year", "1999"))
        assert found["x"].url == "http://a.org/x"
        assert (found["x"].gone_at, found["y"].gone_at) == (None, 1.9e9)
        assert dict(found["y"].fields)["Pages"] == "12", "read by the other shard"


def test_revisits_and_a_persons_verdicts_follow_their_submissions(runs):
    def look_again(db, at):
        number = Rounds(db).begin(at).number
        last = max(s.id for s in Submissions(db).each())
        Rounds(db).add_recheck(number, last, at=at, verdict="results", complete=True, records=1)
        Rounds(db).add(Change(number, at, ONE, "record", "new", "q", None, {}, {}))
        Judged(db).draw([last], at=at)
        Judged(db).judge(last, Verdict.NO_RESULTS, at=at)

    for number in (0, 1):
        runs.change(number, lambda db, at=float(number + 1): look_again(db, at))
    with runs.merged() as db:
        assert [Rounds(db).rechecked(n) for n in (1, 2)] == [1, 1]
        assert [c.round for c in Rounds(db).changes()] == [1, 2]
        keys = {Submissions(db).get(n).key for n in Judged(db).verdicts()}
        assert keys == {f"{runs.on_a}-Ida", f"{runs.on_a}-Kit"}
        assert len(Judged(db).drawn()) == 2


def test_what_both_learned_is_added_up():
    ours = [0.8, 0.5, "results", 3.0, 1.0]
    assert joined_value(ours, [0.4, 0.5, "results", 1.0, 4.0]) == [6 / 13, 0.5, "results", 4.0, 5.0]
    assert joined_value([1.0, 1.0, "explicit", 2, 0], [1.0, 1.0, "explicit", 0, 5])[0] == 1.0
    row = {"label": "L", "aliases": ["a"], "generic": [1, 0]}
    other = {"label": "L", "aliases": ["b", "a"], "generic": [2, 3]}
    assert joined_row(row, other) == {"label": "L", "aliases": ["a", "b"], "generic": [3, 3]}


def test_equal_experience_is_experience_of_two_runs(runs):
    data = [0.8, 0.5, "results", 1.0, 0.0]
    for number in (0, 1):
        runs.change(number, lambda db: Experience(db).save_values([("Director", "Olu", data)]))
    with runs.merged() as db:
        (_, values) = Experience(db).load()["Director"]
        assert values["Olu"] == [4 / 6, 0.5, "results", 2.0, 0.0]


def test_joining_again_gives_the_same(runs):
    with runs.merged() as one, runs.merged() as two:
        assert _dump(one) == _dump(two)
        changes = [r["value"] for r in one.rows("SELECT value FROM lvs_changes ORDER BY id")]
        assert changes == ["Ida", "Ida", "Olu"]


def _dump(db):
    tables = [r[0] for r in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {t: [tuple(r) for r in db.rows(f"SELECT * FROM {t}")] for t in tables
            if t != "migrations"}  # fmt: skip


def test_a_joined_run_is_visited_again_as_one(tmp_path):
    with Served({"/": "<h1>One"}) as one, Served({"/": "<h1>Two", "/x": "<h1>More"}) as two:
        two.routes = {**two.routes, "/": '<h1>Two</h1><a href="/x">more</a>'}
        for name, site in (("a", one), ("b", two)):
            (tmp_path / name).mkdir()
            crawl_plainly(tmp_path / name, site.url)
            site.log.clear()
        merge([tmp_path / "a/run", tmp_path / "b/run"], tmp_path / "joined")
        config = tmp_path / "joined/config.yaml"
        assert asyncio.run(crawling(config, tmp_path / "joined")) == "finished"
        assert {r.path for r in one.log} == {"/"}
        assert {r.path for r in two.log} == {"/", "/x"}
    again = read_back(tmp_path / "joined")
    assert list(again.sites) == [one.url, two.url]
    assert any("revisit 1: 3 pages" in event for event in again.events)


def _run(directory, task="t", status="finished", **values):
    """A run directory with nothing in it but how it ended."""
    directory.mkdir(parents=True)
    (directory / "config.yaml").write_text(f"task: {task}\nsites: [{ONE}]\n")
    with Database(directory / FILE_NAME) as db:
        run = Run(db)
        run.begin(task)
        run.set_sites([ONE])
        for key, value in values.items():
            run.set(key, value)
        run.end(status)
    return directory


def _shard(directory, number, of=2, handed="none", **how):
    kept = {"number": number, "of": of, "run": "r", "handed": handed}
    return _run(directory, shard=kept, **how)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda d: [_run(d / "a"), _run(d / "b", task="u")], "b: is a run of the task u, .*a of t"),
        (lambda d: [_run(d / "a"), _run(d / "b", status="interrupted")],
         "b: is not finished but interrupted; give --partial"),
        (lambda d: [_shard(d / "a", 1), _shard(d / "b", 1)], "is the same run as"),
        (lambda d: [_run(d / "a", series="s"), _run(d / "b", series="s")], "is the same run as"),
        (lambda d: [_shard(d / "a", 1), _shard(d / "b", 1, of=3)], "of different splits"),
        (lambda d: [_shard(d / "a", 1)], "shard 2/2 is not among the runs; give --partial"),
        (lambda d: [d], "holds no run"),
    ],
)  # fmt: skip
def test_runs_that_do_not_fit_are_refused(made, message, tmp_path):
    with pytest.raises(RunError, match=message):
        merge(made(tmp_path), tmp_path / "out")
    assert not list(tmp_path.glob("*out*"))


def test_what_is_missing_is_told_where_it_may_be(tmp_path, capsys):
    runs = [_shard(tmp_path / "a", 2), _run(tmp_path / "b", status="failed")]
    options = ["-o", str(tmp_path / "out"), "--quiet"]
    assert main(["merge", *map(str, runs), *options]) == 1
    assert main(["merge", *map(str, runs), *options, "--partial"]) == 0
    said = capsys.readouterr().err
    assert "b: is not finished but failed" in said
    assert f"{tmp_path}: shard 1/2 is not among the runs" in said
    assert json.loads((tmp_path / "out/summary.json").read_text())["status"] == "interrupted"


@pytest.mark.parametrize("place", ["handed", "elsewhere"])
def test_links_that_a_shard_has_not_taken_in_are_missed(place, tmp_path):
    far = tmp_path / place
    runs = [_shard(tmp_path / "a", 1), _shard(tmp_path / "b", 2, handed=str(far))]
    far.mkdir()
    line = '{"number": 1, "kind": "visit", "site": "s", "url": "http://x/"}\n'
    (far / "1-to-2.jsonl").write_text('{"run": "r"}\n' + line)
    with pytest.raises(RunError, match="b: 1 link from other shards is not taken in; start it"):
        merge(runs, tmp_path / "out")


def test_an_earlier_merge_is_moved_aside_and_nothing_else_is_touched(tmp_path):
    run = _run(tmp_path / "a")
    for _ in range(2):
        merge([run], tmp_path / "out")
    assert (tmp_path / "out.1" / FILE_NAME).exists()
    with pytest.raises(UsageError, match="one of the runs"):
        merge([run], tmp_path / "a")
    with pytest.raises(UsageError, match="holds something else"):
        merge([run], _run(tmp_path / "c"))


def test_archive_files_of_one_name_are_refused(tmp_path):
    runs = [_run(tmp_path / "a"), _run(tmp_path / "b")]
    for run in runs:
        (run / "warc").mkdir()
        (run / "warc/x.warc.gz").write_bytes(b"")
    with pytest.raises(RunError, match=r"an archive file of this name is in another of the runs"):
        merge(runs, tmp_path / "out")


OF, HOMES = 2, (1, 2)
GENRES = {"Science fiction": "sf", "Poetry": "po"}


def _page(number, links):
    options = "".join(f"<option>{genre}</option>" for genre in GENRES)
    return f"""<h1>Library {number}</h1><p>{" ".join(f"word{number}x{at}" for at in range(40))}
<form action="/find"><label>Genre <select name="g"><option value="">any</option>{options}</select>
</label><button>Find</button></form>{links}"""


def _find(request):
    return list_page(having(genre=GENRES[request.value("g")]))


@pytest.fixture(scope="module")
def libraries():
    with ExitStack() as stack:
        sites = []
        while len(sites) < len(HOMES):
            site = Served({}, host=f"127.0.3.{len(sites) + 1}")
            with ExitStack() as trial:
                trial.enter_context(site)
                if Shard(1, OF).home(place_of(site.url)) == HOMES[len(sites)]:
                    stack.push(trial.pop_all())
                    sites.append(site)
        for number, site in enumerate(sites):
            onwards = sites[(number + 1) % len(sites)].url
            more = '<a href="/on">to another library</a>' if number + 1 < len(sites) else ""
            site.routes = {"/": _page(number, more), "/on": redirect(onwards), "/find": _find}
        yield sites


def _asked(sites):
    found = Counter(site.at(request.target) for site in sites for request in site.log)
    for site in sites:
        site.log.clear()
    return found


def _crawl(browsing, config, run, part=None):
    work = run_task(load_task(config), run, browser=browsing.browser, part=part)
    return browsing.run(work, deadline_s=CRAWL_DEADLINE_S)


@pytest.mark.browser
def test_shards_joined_are_what_one_run_is(browsing, libraries, tmp_path):
    names = [site.host for site in libraries]
    settings = {"scope": {"hosts": names}, "transport": "http", "lvs": {"learn": True}}
    config = write_config(tmp_path, (libraries[0].url,), settings=settings)
    assert _crawl(browsing, config, tmp_path / "whole") == "finished"
    asked = _asked(libraries)
    shards = [tmp_path / Shard(n, OF).directory for n in range(1, 1 + OF)]
    for number, run in enumerate(shards, start=1):
        _crawl(browsing, config, run, Part(Shard(number, OF), 0.0))
        owners = {number for number, site in zip(HOMES, libraries, strict=True) if site.log}
        assert owners <= {number}, "no shard asks a host of another one"
        asked -= _asked(libraries)
    assert not asked, "what one run asks for"
    merge(shards, tmp_path / "joined")
    whole, joined = read_back(tmp_path / "whole"), read_back(tmp_path / "joined")
    assert len(joined.records) == len(whole.records) > 3
    assert [_told(r) for r in joined.records] == [_told(r) for r in whole.records]
    assert joined.verdicts == whole.verdicts
    for found, run in ((joined, "joined"), (whole, "whole")):
        assert len(reanalyse(tmp_path / run / "warc")) == len(found.sent)
    with Database(shards[0] / FILE_NAME, read_only=True) as db:
        commands = next_commands(read_figures(db), shards[0], Run(db))
    assert commands[0] == f"hiwe merge {tmp_path}/shard-*-of-{OF} -o {tmp_path}/joined"
    shutil.rmtree(shards[0])
    for sent in joined.sent:
        assert read_page(joined.out / "warc", sent.archived[-1]).page.url == sent.request[1]
    assert table_of_run(joined.out).row("Genre").values.record("Poetry").successes == OF


def _told(record):
    return {name: record[name] for name in ("id", "fields", "url", "site", "found_by")}
