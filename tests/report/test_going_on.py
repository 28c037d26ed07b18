"""Going on with a run: by the command that started it, with the corrections that it goes by."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from hiwe.cli import main
from hiwe.crawl import run as crawl_run
from hiwe.crawl.learned import ASSIST_KEY, assist_for
from hiwe.report.terminal import print_report
from hiwe.repository.command import Command, go_on
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from tests.report.a_run import build

CONFIG = "task: films\nsites: ['http://127.0.0.1:8701/']\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working directory, with a configuration in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bugs.yaml").write_text(CONFIG)
    return tmp_path


def typed(monkeypatch, *words):
    """The corrections' file and the command that `hiwe run` hands to the crawl."""
    given = {}

    async def run_task(task, out, *, assist, command, **_):
        given.update(assist=assist, command=command)
        if not (out / FILE_NAME).exists():
            build(out, status="interrupted")
        (out / "config.yaml").write_text(task.dump())
        with Database(out / FILE_NAME) as db:
            command.keep(Run(db))
            Run(db).set(ASSIST_KEY, str(assist))
        return "interrupted"

    monkeypatch.setattr(crawl_run, "run_task", run_task)
    assert main(["run", *words, "--quiet"]) == 130
    return given["assist"], given["command"]


def next_words(out, width=200):
    """The first command that the report names, as a shell takes it."""
    file = io.StringIO()
    print_report(Path(out), Console(file=file, width=width))
    return shlex.split(file.getvalue().split("next\n")[1].strip().splitlines()[0])


@pytest.mark.parametrize(
    "words",
    [
        ["bugs.yaml"],
        ["bugs.yaml", "--out", "a run"],
        ["bugs.yaml", "--out", "other", "--set", "ranking.function=average", "--set", "workers=2"],
        ["bugs.yaml", "--workers", "3"],
    ],
)
def test_the_next_command_is_the_one_that_was_typed(here, monkeypatch, words):
    typed(monkeypatch, *words)
    out = words[words.index("--out") + 1] if "--out" in words else "runs/films"
    assert next_words(out) == ["hiwe", "run", *words]


def test_started_from_its_own_copy_a_run_keeps_its_corrections_and_its_command(here, monkeypatch):
    typed(monkeypatch, "bugs.yaml", "--set", "workers=2")
    (here / "assist.yaml").write_text("rows: []\n")
    copy = ["runs/films/config.yaml", "--out", "runs/films"]
    assist, _ = typed(monkeypatch, *copy)
    assert assist == here / "assist.yaml"
    typed(monkeypatch, *copy, "--set", "budget.duration_s=90")
    typed(monkeypatch, *copy, "--set", "budget.duration_s=90")
    assert next_words("runs/films") == [
        *("hiwe", "run", "bugs.yaml", "--set", "workers=2", "--set", "budget.duration_s=90")
    ]


def test_from_another_directory_the_command_names_whole_paths(here, monkeypatch):
    typed(monkeypatch, "bugs.yaml")
    elsewhere = here / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert next_words("../runs/films") == [
        *("hiwe", "run", str(here / "bugs.yaml"), "--out", "../runs/films")
    ]


def test_a_run_that_was_moved_is_named_where_it_lies(here, monkeypatch):
    typed(monkeypatch, "bugs.yaml")
    (here / "runs/films").rename(here / "moved")
    assert next_words("moved") == ["hiwe", "run", "bugs.yaml", "--out", "moved"]


def test_without_its_configuration_a_run_goes_on_from_the_copy(here, monkeypatch):
    typed(monkeypatch, "bugs.yaml")
    (here / "bugs.yaml").unlink()
    copy = ["hiwe", "run", "runs/films/config.yaml", "--out", "runs/films"]
    assert next_words("runs/films") == copy
    assert shlex.split(go_on(Run(Database(None)), Path("runs/films"))) == copy


def test_corrections_lie_beside_a_configuration_that_is_no_runs_copy(tmp_path):
    assert assist_for(tmp_path / "bugs.yaml") == tmp_path / "assist.yaml"
    assert assist_for(tmp_path / "config.yaml") == tmp_path / "assist.yaml"
    Database(tmp_path / FILE_NAME).close()
    assert assist_for(tmp_path / "config.yaml") == tmp_path / "assist.yaml"


def test_corrections_that_are_gone_give_way_to_those_beside_the_copy(tmp_path):
    with Database(tmp_path / FILE_NAME) as db:
        Run(db).set(ASSIST_KEY, str(tmp_path / "gone" / "assist.yaml"))
    assert assist_for(tmp_path / "config.yaml") == tmp_path / "gone" / "assist.yaml"
    (tmp_path / "assist.yaml").write_text("rows: []\n")
    assert assist_for(tmp_path / "config.yaml") == tmp_path / "assist.yaml"


def test_of_two_options_that_set_the_same_the_last_holds():
    command = Command(
        "c", "o", False, (("--set", "a=1"), ("--set", "b=2"), ("--workers", "3")), "/"
    )
    changed = command.with_options((("--set", "a=9"), ("--workers", "4")))
    assert changed.options == (("--set", "b=2"), ("--set", "a=9"), ("--workers", "4"))
