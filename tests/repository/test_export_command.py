"""`hiwe export` on the command line: which format, how much was written, where it lies."""

from __future__ import annotations

import pytest

from hiwe.cli import main
from hiwe.repository.export import column_names
from tests.report.a_run import ONE, Builder, build


@pytest.fixture
def out(tmp_path):
    return build(tmp_path / "run")


def test_it_tells_where_and_on_standard_error_how_many(out, capsys):
    assert main(["export", str(out), "--format", "csv"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{out / 'records.csv'}\n"
    assert said.err == "4 records\n"


def test_an_empty_run_is_said_to_be_empty(tmp_path, capsys):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.close()
    assert main(["export", str(tmp_path)]) == 0
    assert capsys.readouterr().err == "0 records\n"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([], "records.jsonl"),
        (["-o", "films.csv"], "films.csv"),
        (["-o", "films.CSV"], "films.CSV"),
        (["-o", "films.sqlite"], "films.sqlite"),
        (["-o", "films.data", "--format", "csv"], "films.data"),
    ],
)
def test_the_format_follows_from_the_name_unless_it_is_given(out, monkeypatch, words, name):
    monkeypatch.chdir(out)
    assert main(["export", str(out), *words]) == 0
    content = (out / name).read_bytes()
    kind = "sqlite" if name.endswith("sqlite") else "jsonl" if "jsonl" in name else "csv"
    begins = {"sqlite": b"SQLite format 3", "jsonl": b"{", "csv": b"\xef\xbb\xbf"}
    assert content.startswith(begins[kind])


def test_a_name_that_tells_no_format_is_refused(out, capsys, tmp_path):
    assert main(["export", str(out), "-o", str(tmp_path / "films.xlsx")]) == 2
    assert "its name tells no format; give --format, jsonl, csv" in capsys.readouterr().err


def test_a_folder_that_was_not_there_is_told_of(out, capsys, tmp_path):
    assert main(["export", str(out), "-o", str(tmp_path / "new" / "films.csv")]) == 0
    assert f"the folder {tmp_path / 'new'} is new" in capsys.readouterr().err
    assert main(["export", str(out), "-o", str(tmp_path / "new" / "films.csv")]) == 0
    assert "is new" not in capsys.readouterr().err


def test_a_field_of_the_site_called_as_hiwes_own_gets_a_number_as_the_docs_say(root):
    assert column_names(["ID", "Title"]) == {"ID": "ID_2", "Title": "Title"}
    page = (root / "docs" / "records.md").read_text(encoding="utf-8")
    assert "`ID` becomes `ID_2`" in page
