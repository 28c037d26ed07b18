"""The cost of each stage: where a moment counts, and what is said of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from hiwe.errors import RunError
from hiwe.report.costs import Costs, Work, read_costs, write_costs
from hiwe.report.stages import (
    ARCHIVE,
    DECIDE,
    FORM,
    HARVEST,
    REST,
    STORE,
    SUBMIT,
    WAIT,
    seconds_by_stage,
    stage_of,
)
from tests.report.a_run import build


@dataclass
class Call:
    """A function on the stack."""

    file_path: str | None
    time: float
    children: list[Call] = field(default_factory=list)
    function: str = "f"


def test_a_moment_counts_for_the_innermost_stage_on_the_stack():
    text = Call("/lib/hiwe/text/words.py", 2.0)
    form = Call("/lib/hiwe/form/lite.py", 3.0, [text])
    library = Call("/lib/python3/json/decoder.py", 1.0)
    store = Call("/lib/hiwe/repository/database.py", 1.5, [library])
    crawl = Call("/lib/hiwe/crawl/crawl.py", 6.0, [form, store])
    found = seconds_by_stage(Call("/lib/asyncio/events.py", 7.0, [crawl]), "/lib/hiwe")
    assert {stage: s for stage, s in found.items() if s} == {
        FORM: 3.0, STORE: 1.5, DECIDE: 1.5, REST: 1.0,
    }  # fmt: skip


def test_waiting_for_pages_is_no_stage_of_the_program():
    inside = Call(None, 4.0, function="[self]")
    poll = Call("<built-in>", 4.0, [inside], function="epoll.poll")
    engine = Call("/lib/hiwe/engine/local.py", 5.0, [poll])
    found = seconds_by_stage(engine, "/lib/hiwe/")
    assert (found[WAIT], found[SUBMIT]) == (4.0, 1.0)


def test_another_package_of_the_same_name_is_none_of_ours():
    found = seconds_by_stage(Call("/other/hiwe/form/lite.py", 1.0), "/lib/hiwe")
    assert (found[FORM], found[REST]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("repository/warc_writer.py", ARCHIVE),
        ("repository/forms.py", STORE),
        ("response/records.py", HARVEST),
        ("page/http.py", SUBMIT),
        ("page/answer.py", None),
        ("text/words.py", None),
    ],
)
def test_stages_of_modules(path, stage):
    assert stage_of(path) == stage


def test_every_module_that_a_stage_names_exists(root):
    from hiwe.report import stages

    named = [*stages._OF_MODULE, *stages._SHARED]
    assert [path for path in named if not (root / "hiwe" / path).is_file()] == []


COSTS = Costs(20.0, 9.0, 4.0, 120.0, 800.0, Work(4, 50, 80), {FORM: 2.0, HARVEST: 6.0, WAIT: 12.0})


def test_costs_are_read_as_they_were_written(tmp_path):
    assert read_costs(tmp_path) is None
    write_costs(tmp_path, COSTS)
    assert read_costs(tmp_path) == COSTS


def test_what_is_said_names_the_dearest_first_and_the_price_of_each():
    said = COSTS.lines()
    assert "20 s in all" in said[0]
    assert said[1] == "waiting: 12 s"
    assert said[2] == (
        "harvest of records: 6.0 s, 75% of the busy time, 75.0 ms for each of 80 answers"
    )
    assert said[3].endswith("25% of the busy time, 500.0 ms for each of 4 pages")


@pytest.mark.parametrize("text", ["", "[]", json.dumps({"wall_s": 1})])
def test_a_file_that_is_no_profile_is_one_clear_error(tmp_path, text):
    (tmp_path / "profile.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"profile\.json"):
        read_costs(tmp_path)


@pytest.mark.parametrize("fresh", [False, True])
def test_what_was_done_before_counts_only_for_a_run_begun_anew(tmp_path, fresh):
    """Of a run that goes on the earlier sessions are no part of the profile."""
    pytest.importorskip("pyinstrument", reason="the extra 'profile' is not installed")
    pytest.importorskip("psutil", reason="the extra 'profile' is not installed")
    from hiwe.commands.profiled import profiled

    out = build(tmp_path / "run")
    with profiled(out, fresh=fresh):
        pass
    work = read_costs(out).work
    assert (work.submissions > 0) is fresh
    assert fresh or work == Work(0, 0, 0)
