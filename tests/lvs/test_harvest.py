"""Values from results: fields go to their rows, words to one of their own, with low weight."""

from __future__ import annotations

from hiwe.lvs import ElementView, LvsTable, Provenance
from hiwe.lvs.harvest import START_WEIGHT, TERM_ROW, harvest, terms
from hiwe.lvs.load import parse_rows

RECORDS = [
    {"Title": "The Glass Orchard", "Author": "Ida Fenwick", "Note": "London harbour"},
    {"Title": "Salt Roads", "Author": "Omar Velt", "Note": "London market"},
    {"Title": "Nine Small Moons", "Author": "Ida Fenwick", "Note": "x" * 200},
    {"Title": "Brass Engines", "Author": "omar velt", "Note": "Vienna"},
]


def table() -> LvsTable:
    return LvsTable(parse_rows("[{label: Autor, values: {Ida Fenwick: 0.9}}]"))


def test_a_field_gives_its_new_values_to_the_row_it_matches() -> None:
    lvs = table()
    harvest(lvs, RECORDS, sigma=0.75)
    values = lvs.rows[0].values
    assert list(values) == ["Ida Fenwick", "Omar Velt"]
    assert values.weight("Ida Fenwick") == 0.9
    assert values.weight("Omar Velt") == START_WEIGHT
    assert values.provenance("Omar Velt") is Provenance.RESULTS


def test_frequent_words_are_in_several_records_and_rare_ones_in_one() -> None:
    frequent, rare = terms(RECORDS)
    assert {"london", "fenwick", "omar", "velt"} <= set(frequent)
    assert "vienna" in rare
    assert "london" not in rare
    assert terms([]) == ([], [])


def test_words_have_a_row_of_their_own_that_no_label_meets() -> None:
    lvs = table()
    changes = harvest(lvs, RECORDS, sigma=0.75)
    row = lvs.row(TERM_ROW)
    assert row is not None
    assert row.values.weight("london") == START_WEIGHT
    assert row.values.weight("vienna") < START_WEIGHT
    assert {change.before for change in changes} == {None}
    assert lvs.match(ElementView("Words", "f1"), sigma=0.75).row is None


def test_what_came_from_results_must_earn_its_weight() -> None:
    lvs = table()
    harvest(lvs, RECORDS, sigma=0.75)
    for _ in range(4):
        lvs.reward([(TERM_ROW, "london")], succeeded=True, cause="t")
    row = lvs.row(TERM_ROW)
    assert row is not None
    assert row.values.weight("london") > 0.6


def test_harvesting_twice_adds_nothing() -> None:
    lvs = table()
    harvest(lvs, RECORDS, sigma=0.75)
    assert harvest(lvs, RECORDS, sigma=0.75) == ()
