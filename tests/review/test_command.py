"""`hiwe review`: what it says when it cannot begin, and what stays on the terminal."""

from __future__ import annotations

import io
import socket
import sqlite3

import pytest

from hiwe.cli import main
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.schema import MIGRATIONS
from hiwe.review.reviewed import Reviewed
from tests.review.a_reviewed_run import build, client


def test_a_directory_without_a_run_is_named(tmp_path, capsys):
    for options in ([], ["--terminal"]):
        assert main(["review", str(tmp_path), "--no-open", *options]) == 1
        assert f"hiwe: {tmp_path}: holds no run" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["x", "-1", "70000", ""])
def test_a_port_that_is_none_is_refused(tmp_path, capsys, port):
    assert main(["review", str(tmp_path), f"--port={port}"]) == 2
    assert "give a number from 0 to 65535" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(tmp_path, capsys):
    out = build(tmp_path / "run")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["review", str(out), "--no-open", "--port", str(port)]) == 2
    said = capsys.readouterr()
    assert f"--port {port}: Address already in use" in said.err
    assert said.out == ""


def test_a_sample_is_judged_on_the_terminal(tmp_path, capsys, monkeypatch):
    out = build(tmp_path / "run")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    assert main(["review", str(out), "--sample", "5"]) == 0
    assert "2 answers judged" in capsys.readouterr().out
    assert main(["review", str(out), "--terminal"]) == 0
    assert "0 answers judged" in capsys.readouterr().out


def test_a_run_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    old = sqlite3.connect(tmp_path / FILE_NAME)
    old.executescript("".join(MIGRATIONS[:3]))
    old.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at REAL)")
    old.execute("INSERT INTO migrations VALUES (3, 0)")
    old.commit()
    old.close()
    for path in ("/forms", "/judge"):
        assert client(tmp_path).get(path).status == 200
    with Database(tmp_path / FILE_NAME, read_only=True) as db:
        assert db.version == len(MIGRATIONS)


def test_corrections_lie_where_the_run_says_else_in_its_directory(tmp_path):
    out = build(tmp_path / "run")
    assert Reviewed.of(out).assist_path == tmp_path / "assist.yaml"
    with Database(out / FILE_NAME) as db:
        db.execute("DELETE FROM run WHERE key = 'assist'")
    assert Reviewed.of(out).assist_path == out / "assist.yaml"
