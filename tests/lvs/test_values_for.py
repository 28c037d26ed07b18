"""The value set of an element: domain, suggestions, row, or every row for a box for anything."""

from __future__ import annotations

import pytest

from hiwe.lvs import ElementView, LvsTable, Provenance
from hiwe.lvs.load import parse_rows

TABLE = """
- {label: Genre, values: {Drama: 0.5, Poetry: 0.9}}
- {label: Title, values: [Glass, Orchard, Salt]}
- {label: Year, values: [1899, 1987, 2021, MMXX]}
- {label: Added since, values: [31/12/2010, 1 Jan 2016, soon]}
- {label: Town, values: [Alder, Pine]}
"""


@pytest.fixture
def table() -> LvsTable:
    return LvsTable(parse_rows(TABLE))


def values(table: LvsTable, element: ElementView) -> list[str]:
    match = table.match(element, sigma=0.75)
    return [weighted.value for weighted in table.value_set(element, match)]


def test_finite_domain_is_the_value_set_with_weight_one(table: LvsTable) -> None:
    element = ElementView("Genre", kind="select", domain=("History", "poetry", "Drama"))
    got = table.value_set(element, table.match(element, sigma=0.75))
    assert [(w.value, w.weight) for w in got] == [("poetry", 1), ("Drama", 1), ("History", 1)]
    assert got[0].row_value == "Poetry"
    assert [w.provenance for w in got] == [
        Provenance.EXPLICIT,
        Provenance.EXPLICIT,
        Provenance.DOMAIN,
    ]


def test_of_a_huge_select_the_options_that_the_row_has_come_first(table: LvsTable) -> None:
    towns = (*tuple(f"Town {n:05d}" for n in range(20000)), "Pine", "Alder")
    got = values(table, ElementView("Town", kind="select", domain=towns))
    assert set(got[:2]) == {"Alder", "Pine"}
    assert len(got) == 20_002


def test_suggestions_come_first_and_each_value_once(table: LvsTable) -> None:
    suggested = ("Science fiction", "History", "Cookery", "Poetry")
    got = values(table, ElementView("Genre", kind="datalist", domain=suggested))
    assert got == [*suggested, "Drama"]


def test_row_values_come_heaviest_first(table: LvsTable) -> None:
    assert values(table, ElementView("Genre")) == ["Poetry", "Drama"]


def test_a_value_that_does_not_fit_is_left_out_and_never_cut(table: LvsTable) -> None:
    assert values(table, ElementView("Title", maxlength=5)) == ["Glass", "Salt"]
    year = ElementView("Year", kind="number", minimum="1900", maximum="2030")
    assert values(table, year) == ["1987", "2021"]


def test_dates_are_written_as_the_control_wants_them(table: LvsTable) -> None:
    native = ElementView("Added since", kind="date", minimum="1980-01-01", maximum="2025-12-31")
    hinted = ElementView("Added since", placeholder="dd/mm/yyyy")
    assert values(table, native) == ["2010-12-31", "2016-01-01"]
    assert values(table, hinted) == ["31/12/2010", "01/01/2016"]


def test_reward_takes_the_value_as_the_row_has_it(table: LvsTable) -> None:
    element = ElementView("Added since", kind="date")
    weighted = table.value_set(element, table.match(element, sigma=0.75))[0]
    assert (weighted.value, weighted.row_value) == ("2010-12-31", "31/12/2010")


def test_no_match_gives_no_values(table: LvsTable) -> None:
    assert values(table, ElementView("E-mail for alerts", "mail")) == []


def test_generic_box_takes_every_row_in_turn(table: LvsTable) -> None:
    table = LvsTable(parse_rows("[{label: A b, values: [x, y]}, {label: C d, values: [z]}]"))
    assert values(table, ElementView("Search")) == ["x", "z", "y"]


def test_generic_box_learns_which_rows_bring_results() -> None:
    table = LvsTable(parse_rows("[{label: Abc, values: [x, y]}, {label: Cde, values: [z, u]}]"))
    for _ in range(2):
        table.reward([("Abc", "x")], succeeded=False, cause="t", generic=True)
    table.reward([("Cde", "z")], succeeded=True, cause="t", generic=True)
    element = ElementView("Search")
    got = table.value_set(element, table.match(element, sigma=0.75))
    assert [w.row for w in got][:2] == ["Cde", "Cde"]
    assert got[0].weight == 1.0
    assert got[-1].weight < 0.7


def test_learned_values_stay_out_of_generic_boxes_until_they_succeed() -> None:
    table = LvsTable(parse_rows("[{label: Genre, values: [Drama]}]"))
    select = ElementView("Genre", kind="select", domain=("Drama", "Western"))
    table.learn(select, table.match(select, sigma=0.75))
    assert values(table, ElementView("Search")) == ["Drama"]
    table.reward([("Genre", "Western")], succeeded=True, cause="t")
    assert values(table, ElementView("Search")) == ["Drama", "Western"]
