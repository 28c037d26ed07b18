"""What a person says while a crawl runs is looked at once a second, and faults change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiwe.crawl.crawl import Crawl
from hiwe.crawl.file_watch import FileWatch
from hiwe.crawl.learned import ASSIST_KEY
from hiwe.crawl.site import Site
from hiwe.crawl.steering import Steering
from hiwe.crawl.stores import Stores
from hiwe.engine.local import LocalEngine
from hiwe.form.corrected import SAID_SO
from hiwe.lvs import LvsTable, Provenance
from hiwe.repository.database import Database
from hiwe.repository.run import Run
from hiwe.task import parse_task
from hiwe.task.control import write_control

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://a.org/"


class Clock:
    """A clock that stands until it is put on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def after(self, seconds: float = 1.0) -> Clock:
        """The clock, put on."""
        self.now += seconds
        return self


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def db() -> Iterator[Database]:
    with Database(None) as opened:
        yield opened


async def no_worker():
    raise AssertionError("nothing is to be performed")


def write(path: Path, text: str) -> None:
    """Write a file as a person's editor does: another one takes its place."""
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def test_a_change_is_seen_at_the_next_look_and_once(tmp_path: Path, clock: Clock) -> None:
    watch = FileWatch(tmp_path / "x", clock)
    write(watch.path, "a")
    assert not watch.has_changed(), "the last look was just now"
    clock.after()
    assert watch.has_changed()
    clock.after()
    assert not watch.has_changed()
    write(watch.path, "b")
    clock.after()
    assert watch.has_changed()
    clock.after()
    assert not watch.has_changed()
    watch.path.unlink()
    clock.after()
    assert watch.has_changed()


def test_a_pause_is_no_time_worked(tmp_path: Path, clock: Clock, db: Database) -> None:
    run = Run(db, clock)
    steering = Steering(tmp_path, run, clock)
    run.begin("t")
    clock.after(5)
    write_control(tmp_path, "pause")
    steering.look()
    assert steering.is_paused
    for _ in range(3):
        clock.after(100)
        steering.look()
    write_control(tmp_path, "run")
    clock.after()
    steering.look()
    assert not steering.is_paused
    clock.after(5)
    assert run.duration_s == 10.0
    assert [e.text for e in run.events()] == ["paused by a person", "resumed by a person"]


def test_a_control_file_that_is_none_changes_nothing_and_is_told_of(
    tmp_path: Path, clock: Clock, db: Database
) -> None:
    run = Run(db, clock)
    steering = Steering(tmp_path, run, clock)
    write(tmp_path / "control.json", '{"state": "halt"}')
    clock.after()
    steering.look()
    assert not steering.is_paused
    assert not steering.is_stopped
    assert ["halt" in e.text and e.level for e in run.events()] == ["warning"]


def crawl_of(db: Database, folder: Path, clock: Clock) -> Crawl:
    """A crawl of one site that nobody works on."""
    task = parse_task(f"task: t\nsites: [{URL}]\n")
    site = Site(URL, URL, task.for_site(task.sites[0]))
    engine = LocalEngine(no_worker, slots=1)
    return Crawl(
        task, [site], Stores.of(db), LvsTable(), engine,
        directory=folder, assist=folder / "assist.yaml", clock=clock,
    )  # fmt: skip


def test_corrections_that_cannot_be_read_leave_those_in_force(
    tmp_path: Path, clock: Clock, db: Database
) -> None:
    crawl = crawl_of(db, tmp_path, clock)
    crawl._begin()
    stores = crawl._stores
    assert stores.run.get(ASSIST_KEY) == str(tmp_path / "assist.yaml")
    write(tmp_path / "assist.yaml", f"sites: {{{URL}: {{skip: true}}}}\n")
    clock.after()
    crawl._goes_on()
    assert stores.run.site_states() == {URL: SAID_SO}
    write(tmp_path / "assist.yaml", "sites: {a: 1")
    clock.after()
    crawl._goes_on()
    assert stores.run.site_states() == {URL: SAID_SO}
    assert any("is no valid YAML" in e.text for e in stores.run.events(kind="assist"))
    write(tmp_path / "assist.yaml", "")
    clock.after()
    crawl._goes_on()
    assert stores.run.site_states() == {URL: ""}


def test_rows_that_a_person_adds_join_the_table(tmp_path: Path, clock: Clock, db: Database) -> None:
    crawl = crawl_of(db, tmp_path, clock)
    crawl._begin()
    write(tmp_path / "assist.yaml", "rows: [{label: Genre, values: {Drama: 0.7}}]\n")
    clock.after()
    crawl._goes_on()
    row = crawl._desk.learning.lvs.row("Genre")
    assert row is not None
    assert [(v, row.values.weight(v), row.values.provenance(v)) for v in row.values] == [
        ("Drama", 0.7, Provenance.PERSON)
    ]
    write(tmp_path / "assist.yaml", "")
    again = crawl_of(db, tmp_path, clock.after())
    again._begin()
    assert again._desk.learning.lvs.row("Genre") is None, "taken out since"
