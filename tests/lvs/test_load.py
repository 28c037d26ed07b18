"""LVS table files: what is read, what is refused and how, and export as the identity."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.errors import ConfigError
from hiwe.lvs import LvsTable, Provenance, Row
from hiwe.lvs.load import parse_rows

REPOSITORY = Path(__file__).parents[2]


def test_list_means_weight_one_and_scalars_stay_as_written() -> None:
    (row,) = parse_rows("[{label: Added, aliases: Since, values: [2010-12-31, no, 007, 8.50]}]")
    assert row.aliases == ("Since",)
    assert [(r.value, r.weight) for r in row.values.records()] == [
        ("2010-12-31", 1.0), ("no", 1.0), ("007", 1.0), ("8.50", 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "where", "what"),
    [
        ("{label: A}", "", "is no list"),
        ("[x]", "[0]", "is no row"),
        ("[{values: [a]}]", "[0].label", "is missing"),
        ("[{label: A, value: [a]}]", "[0].value", "is an unknown key"),
        ("[{label: A, values: a}]", "[0].values", "neither a list nor a mapping"),
        ("[{label: A, values: {x: 1.4}}]", "[0].values.x", "from 0 to 1"),
        ("[{label: A, values: {x: much}}]", "[0].values.x", "from 0 to 1"),
        ("[{label: A, values: {x: nan}}]", "[0].values.x", "from 0 to 1"),
        ("[{label: A, values: [[a]]}]", "[0].values[0]", "is no text"),
        ("[{label: A, aliases: {a: b}}]", "[0].aliases", "is no list of texts"),
        ("[{label: A, concept: tittle}]", "[0].concept", "is no concept"),
        ("[{label: A", "", "is no valid YAML"),
    ],
)
def test_a_wrong_table_is_refused_with_file_and_key(source: str, where: str, what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_rows(source, "films.yaml")
    said = str(caught.value)
    assert said.startswith(f"films.yaml: {where}")
    assert what in said
    assert "\n" not in said


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot read this LVS table"):
        LvsTable.load([tmp_path / "nowhere.yaml"])


def test_rows_of_one_label_in_two_files_are_one_row(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("[{label: Genre, values: {x: 0.2}}]")
    (tmp_path / "b.yaml").write_text("[{label: Genres, aliases: [Kind], values: {x: 0.7, y: 1}}]")
    table = LvsTable.load([tmp_path / "a.yaml", tmp_path / "b.yaml"])
    (row,) = table.rows
    assert row.aliases == ("Kind",)
    assert (row.values.weight("x"), row.values.weight("y")) == (0.7, 1.0)


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1
)
unit = st.floats(0.0, 1.0)


@given(st.dictionaries(texts, st.tuples(unit, st.sampled_from(list(Provenance)), st.booleans())))
def test_export_and_import_are_the_identity(
    values: dict[str, tuple[float, Provenance, bool]],
) -> None:
    row = Row("Genre", ("Kind", 'So: [odd], "name"'), concept="genre")
    row.provenance, row.generic_successes, row.generic_failures = Provenance.EXPERIENCE, 2.0, 0.5
    for value, (weight, provenance, _) in values.items():
        row.values.add(value, weight, provenance)
    table = LvsTable([row])
    for value, (_, _, succeeded) in values.items():
        table.reward([("Genre", value)], succeeded=succeeded, cause="test")
    assert LvsTable(parse_rows(table.export())).state() == table.state()


def test_restore_puts_back_what_state_gave() -> None:
    source = "[{label: Genre, values: {Drama: 0.5}}]"
    table = LvsTable(parse_rows(source))
    table.add_row(Row("Learned", provenance=Provenance.EXPERIENCE)).values.add(
        "x", 0.4, Provenance.EXPERIENCE
    )
    table.reward([("Learned", "x"), ("Genre", "Drama")], succeeded=True, cause="t", generic=True)
    fresh = LvsTable(parse_rows(source))
    fresh.restore(table.state())
    assert fresh.state() == table.state()


@pytest.mark.parametrize("path", sorted((REPOSITORY / "lvs").glob("*.yaml")), ids=lambda p: p.stem)
def test_every_table_of_the_repository_loads(path: Path) -> None:
    table = LvsTable.load([path])
    assert len(table.rows) >= 3
    assert sum(len(row.values) for row in table.rows) >= 20
