"""Control: what a person wants of a running crawl, and whether one is alive."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hiwe.errors import RunError
from hiwe.task.control import announced, read_control, read_running, write_control

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.task.control import State


def test_nothing_said_is_run(tmp_path: Path) -> None:
    assert read_control(tmp_path).state == "run"
    assert read_running(tmp_path) is None


@pytest.mark.parametrize("state", ["run", "pause", "stop"])
def test_what_was_said_is_read_back(tmp_path: Path, state: State) -> None:
    assert read_control(tmp_path) != write_control(tmp_path, state)
    assert read_control(tmp_path).state == state
    assert [path.name for path in tmp_path.iterdir()] == ["control.json"]


@pytest.mark.parametrize("text", ['{"state": "halt"}', "[]", "{", '"run"'])
def test_a_file_that_is_none_of_ours_says_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "control.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"control\.json"):
        read_control(tmp_path)


def test_a_process_is_announced_while_it_works(tmp_path: Path) -> None:
    write_control(tmp_path, "stop")
    with announced(tmp_path) as running:
        assert read_running(tmp_path) == running
        assert running.pid == os.getpid()
        assert read_control(tmp_path).state == "run", "what an earlier process was told is past"
    assert read_running(tmp_path) is None


def test_a_process_that_died_is_not_running(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    text = f'{{"pid": {ended.pid}, "started_at": "2026-01-01T00:00:00+00:00"}}'
    (tmp_path / "running.json").write_text(text, encoding="utf-8")
    assert read_running(tmp_path) is None
