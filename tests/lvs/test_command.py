"""`hiwe lvs` as a person uses it: rows, reasons, categories, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiwe.cli import main
from hiwe.lvs import LvsTable

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
- label: Director
  aliases: [Regista]
  values: {Ang Lee: 1.0, Ron Howard: {weight: 0.7, provenance: experience, start: 0.8, failures: 2}}
- {label: Year, values: [1990, 2001]}
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.yaml"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_a_row_is_shown_by_label_or_alias_with_types_and_records(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lvs", "show", table, "--row", "regista"]) == 0
    shown = capsys.readouterr().out
    assert "Ron Howard  0.70    text  experience  0.80   0          2" in shown
    assert main(["lvs", "show", table, "--row", "Nothing"]) == 2
    assert "Director, Year" in capsys.readouterr().err


def test_a_match_says_why_and_what_would_be_tried(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lvs", "match", table, "Nome del regista", "--language", "it"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("'Nome del regista' -> Director (similarity ")
    assert "'Regista'" in first
    assert rest[-1] == "values: Ang Lee (1.00), Ron Howard (0.70)"
    assert main(["lvs", "match", table, "Shoe size"]) == 1
    assert main(["lvs", "match", table, "Search"]) == 0
    assert "a box for anything" in capsys.readouterr().out


def test_a_list_matches_by_its_options(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--option", "1990", "--option", "2001"]
    assert main(["lvs", "match", table, "", "--kind", "select", *options]) == 0
    assert "Year" in capsys.readouterr().out


def test_a_sigma_out_of_range_is_a_usage_error(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lvs", "match", table, "Year", "--sigma", "3"]) == 2
    assert "from 0 to 1" in capsys.readouterr().err


def test_a_category_grown_from_examples_is_a_row_to_paste(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lvs", "expand", "Marche", "umbria", "Molise", "--label", "Region"]) == 0
    path = tmp_path / "region.yaml"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    (row,) = LvsTable.load([path]).rows
    assert row.label == "Region"
    assert len(row.values) == 20
    assert main(["lvs", "expand", "Marche", "zqxvkj"]) == 1


def test_weekdays_and_months_are_known_in_any_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lvs", "expand", "Montag", "Dienstag"]) == 0
    assert "Sonntag" in capsys.readouterr().out


def test_an_exported_file_is_the_same_table(table: str, tmp_path: Path) -> None:
    again = tmp_path / "again.yaml"
    assert main(["lvs", "export", table, "-o", str(again)]) == 0
    assert LvsTable.load([again]).state() == LvsTable.load([table]).state()
    assert main(["lvs", "export", table, "-o", str(tmp_path / "no" / "x.yaml")]) == 2
