"""The eval gate of label matching: floors that must not be lowered without saying so."""

from __future__ import annotations

import pytest

from hiwe.bench.match import GENERIC, NONE, TABLES, names_of, ours, pairs, plain, score
from hiwe.lvs import LvsTable

PRECISION_FLOOR = 0.99
RECALL_FLOOR = 0.97
TABLE_FLOOR = 0.95  # of one table alone: some have few pairs
LEAST_LANGUAGES, LEAST_NAMES = 5, 10


@pytest.fixture(scope="module", autouse=True)
def _tables_are_there() -> None:
    if not TABLES.is_dir():
        pytest.skip("the lvs/ tables are not beside the package")


def test_the_labelled_set_is_large_and_in_many_languages() -> None:
    given = pairs()
    assert len(given) >= 400
    assert len({pair.language for pair in given if pair.language}) >= 12
    assert len({(p.table, p.language, p.label) for p in given}) == len(given)


def test_every_labelled_row_is_in_its_table() -> None:
    labels = {p.stem: {row.label for row in LvsTable.load([p]).rows} for p in TABLES.glob("*.yaml")}
    wrong = [p for p in pairs() if p.row not in (NONE, GENERIC) and p.row not in labels[p.table]]
    assert wrong == []


def test_precision_and_recall_keep_their_floors_and_beat_the_plain_ratio() -> None:
    mine = score("hiwe", ours, pairs())
    ratio = score("ratio", plain("Levenshtein ratio"), pairs())
    assert mine.precision >= PRECISION_FLOOR
    assert mine.recall >= RECALL_FLOOR
    assert mine.generic_right == mine.generic_all
    assert mine.recall > ratio.recall


@pytest.mark.parametrize("table", sorted(path.stem for path in TABLES.glob("*.yaml")))
def test_each_ready_table_knows_the_forms_of_its_domain(table: str) -> None:
    of_table = [pair for pair in pairs() if pair.table == table]
    mine = score("hiwe", ours, of_table)
    assert len({pair.language for pair in of_table}) >= LEAST_LANGUAGES
    assert mine.precision >= TABLE_FLOOR
    assert mine.recall >= TABLE_FLOOR


def test_every_row_of_a_ready_table_is_called_in_several_languages() -> None:
    poor = {
        (path.stem, row.label): len(names)
        for path in TABLES.glob("*.yaml")
        for row in LvsTable.load([path]).rows
        if len(names := names_of(row)) < LEAST_NAMES
    }
    assert poor == {}
