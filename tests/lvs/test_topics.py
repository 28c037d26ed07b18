"""What a label says beside the matter: the table's topic, remarks, agents, lists, inflections."""

from __future__ import annotations

import pytest

from hiwe.lvs import ElementView, LvsTable
from hiwe.lvs.load import parse_rows

CARS = "[{label: Make, aliases: [Car make]}, {label: Price, aliases: [Price of the car]}]"
BOOKS = """
- {label: Title}
- {label: Author, aliases: [Written by]}
- {label: Publisher, aliases: [Published by]}
- {label: State}
- {label: Area, aliases: [Field]}
"""


def found(source: str, label: str, language: str | None = "en", name: str = "f1") -> str | None:
    match = LvsTable(parse_rows(source)).match(ElementView(label, name, language=language))
    return "*" if match.generic else match.row.label if match.row else None


@pytest.mark.parametrize(
    ("label", "language"),
    [
        ("Vehicle make", "en"),
        ("Marca del veicolo", "it"),
        ("Marke des Fahrzeugs", "de"),
        ("Marque du véhicule", "fr"),
        ("Марка автомобиля", "ru"),
    ],
)
def test_among_cars_the_word_for_a_car_tells_nothing(label: str, language: str) -> None:
    assert found(CARS, label, language) == "Make"


def test_a_topic_word_tells_where_the_table_is_about_something_else() -> None:
    assert found("[{label: Make}, {label: Owner}]", "Vehicle make") is None


def test_a_topic_word_alone_keeps_its_weight() -> None:
    assert found(CARS, "Car") is None


@pytest.mark.parametrize(
    ("label", "row"),
    [
        ("State (of repair)", None),
        ("State (two letters)", "State"),
        ("Name (author)", "Author"),
        ("Released in (title)", "Title"),
        ("Published by", "Publisher"),
        ("Published after", None),
        ("Written in", None),
        ("Search all fields", "*"),
        ("Field", "Area"),
        ("Search titles, actors, authors", "*"),
        ("Search by author", "Author"),
        ("Titel des Dokuments", "Title"),
    ],
)
def test_what_stands_round_the_matter(label: str, row: str | None) -> None:
    assert found(BOOKS, label, "de" if "des" in label else "en") == row


def test_the_match_tells_by_which_name_it_was_made() -> None:
    match = LvsTable(parse_rows(BOOKS)).match(ElementView("Written by:", language="en"))
    assert (match.rule, match.by) == ("alias", "Written by")
