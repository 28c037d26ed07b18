"""LabelMatch: which row an element belongs to, by which rule, and when to none."""

from __future__ import annotations

import pytest

from hiwe.lvs import ElementView, LvsTable
from hiwe.lvs.load import parse_rows

TABLE = """
- {label: Title, values: [Glass, Salt, Moons, Brass]}
- {label: Author, values: [Ida Fenwick, Omar Velt, Claire Aubry, Lena Storm]}
- {label: Genre, values: [Science fiction, History, Cookery, Poetry, Travel]}
- {label: Language, values: [English, French, German, Russian]}
- {label: Year, values: [1987, 1994, 1999, 2003]}
- {label: Format, values: [Paper, E-book, Audio]}
- {label: Country, values: [Italy]}
"""
RUSSIAN = (
    TABLE
    + """
- {label: Автор, values: [Вера Лунина]}
- {label: Год, values: [2014]}
"""
)


@pytest.fixture(scope="module")
def table() -> LvsTable:
    return LvsTable(parse_rows(TABLE))


def found(table: LvsTable, element: ElementView, **options: float) -> tuple[str | None, str]:
    match = table.match(element, **{"sigma": 0.75, **options})
    return (match.row.label if match.row else None), match.rule


@pytest.mark.parametrize(
    ("label", "row", "rule"),
    [
        ("* TITLE\u00a0:", "Title", "label"),
        ("Author (optional)", "Author", "label"),
        ("Authors", "Author", "label"),
        ("Year from", "Year", "label"),
        ("Max. year", "Year", "label"),
        ("Titolo", "Title", "concept"),
        ("Erscheinungsjahr", "Year", "concept"),
        ("Année de parution", "Year", "concept"),
        ("Supporto", "Format", "concept"),
        ("Verfasser", "Author", "concept"),
        ("Idioma", "Language", "concept"),
        ("Gênero", "Genre", "concept"),
        ("Taal", "Language", "concept"),
        ("Gatunek", "Genre", "concept"),
        ("Жанр", "Genre", "concept"),
        ("Rok vydání", "Year", "concept"),
        ("Författare", "Author", "concept"),
        ("Yazar adı", "Author", "concept"),
        ("書名", "Title", "concept"),
        ("作者", "Author", "concept"),
        ("المؤلف", "Author", "concept"),
    ],
)
def test_label_meets_its_row_in_any_language(
    table: LvsTable, label: str, row: str, rule: str
) -> None:
    assert found(table, ElementView(label)) == (row, rule)


@pytest.mark.parametrize(
    "label",
    ["E-mail for alerts", "Phone", "Code", "Gender", "County", "Job title", "Year of birth",
     "von", "to", "Sort by", "Last name", "Titre de votre annonce :", "Message", "Price"],
)  # fmt: skip
def test_label_of_another_meaning_matches_no_row(table: LvsTable, label: str) -> None:
    assert found(table, ElementView(label, "f1")) == (None, "none")


@pytest.mark.parametrize("kind", ["email", "tel", "password"])
def test_private_kinds_match_nothing_whatever_their_label(table: LvsTable, kind: str) -> None:
    assert found(table, ElementView("Author", "author", kind)) == (None, "none")


def test_a_rows_own_label_comes_before_a_concepts_common_name() -> None:
    table = LvsTable(parse_rows(RUSSIAN))
    assert found(table, ElementView("Авторы:")) == ("Автор", "label")
    assert found(table, ElementView("Год")) == ("Год", "label")
    assert found(table, ElementView("Author")) == ("Author", "label")


def test_a_wrongly_declared_page_language_does_no_harm(table: LvsTable) -> None:
    assert found(table, ElementView("Titolo", language="en-US")) == ("Title", "concept")


@pytest.mark.parametrize(
    "label",
    ["Search", "Search for:", "Keyword(s)", "Query", "All fields", "Suche:", "Suchbegriff",
     "Mots-clés", "Texte à rechercher", "Cerca nel sito", "Pesquisar por:", "hledaný výraz", "Søg",
     "Ключевые слова:", "検索", "关键词", "Zoekterm", "Szukaj", "Anahtar kelime", "بحث", ""],
)  # fmt: skip
def test_box_for_anything_is_generic_in_any_language(table: LvsTable, label: str) -> None:
    match = table.match(ElementView(label, "x1"), sigma=0.75)
    assert (match.rule, match.generic, match.row) == ("generic", True, None)


@pytest.mark.parametrize(
    ("label", "name"),
    [("Search by phone", "f"), ("E-mail", "q"), ("", "filter_value"), ("Start with", "f")],
)
def test_box_for_something_else_is_not_generic(table: LvsTable, label: str, name: str) -> None:
    assert not table.match(ElementView(label, name), sigma=0.75).generic


def test_generic_boxes_can_be_switched_off(table: LvsTable) -> None:
    match = table.match(ElementView("Search"), sigma=0.75, generic=False)
    assert (match.rule, match.generic) == ("none", False)


@pytest.mark.parametrize(
    "name", ["q", "searchText", "main-search_form", "s", "ctl00$SearchBox$q", "search_block_form"]
)
def test_a_search_name_makes_an_unknown_label_generic(table: LvsTable, name: str) -> None:
    assert table.match(ElementView("Try 'moons'", name), sigma=0.75).generic


@pytest.mark.parametrize("name", ["search_city", "searchuser", "street", "x_op", "pqs"])
def test_another_name_does_not(table: LvsTable, name: str) -> None:
    assert not table.match(ElementView("Try 'moons'", name), sigma=0.75).generic


@pytest.mark.parametrize(
    ("label", "row"),
    [("Author/Creator", "Author"), ("Autor oder Verfasser", "Author"), ("Author or Title", None)],
)
def test_alternatives_that_name_one_row_match_it(
    table: LvsTable, label: str, row: str | None
) -> None:
    assert found(table, ElementView(label, "f1"))[0] == row


def test_a_text_box_for_several_rows_is_generic_and_a_select_is_not(table: LvsTable) -> None:
    label = "Search by title, author or ISBN"
    assert table.match(ElementView(label, "f1"), sigma=0.75).generic
    assert not table.match(ElementView(label, "f1", "select", ("a", "b")), sigma=0.75).generic


def test_what_an_alias_is_called_elsewhere_counts_too() -> None:
    lvs = LvsTable(parse_rows("[{label: Location, aliases: [City]}, {label: Region}]"))
    assert found(lvs, ElementView("Città"))[0] == "Location"
    assert found(lvs, ElementView("Regione"))[0] == "Region"


def test_name_decides_when_the_label_says_nothing(table: LvsTable) -> None:
    assert found(table, ElementView("", "ctl00$txtAuthorName")) == ("Author", "name")
    assert found(table, ElementView("Search", "author")) == ("Author", "name")


def test_name_never_overrules_a_label_that_is_understood(table: LvsTable) -> None:
    assert found(table, ElementView("Salutation", "title"))[0] is None


def test_domain_decides_when_label_and_name_do_not(table: LvsTable) -> None:
    select = ElementView("", "s1", "select", ("English", "French", "Klingon"))
    assert found(table, select) == ("Language", "domain")
    assert found(table, ElementView("", "s1", "select", ("10", "25", "50"))) == (None, "none")


def test_two_rows_equally_near_are_no_match() -> None:
    table = LvsTable(parse_rows("[{label: Flight date}, {label: Report date}]"))
    match = table.match(ElementView("Date"), sigma=0.75)
    assert match.row is None
    assert match.runner_up == "Flight date"


def test_runner_up_is_told(table: LvsTable) -> None:
    table = LvsTable(parse_rows(RUSSIAN))
    match = table.match(ElementView("Author"), sigma=0.75)
    assert match.runner_up == "Автор"
    assert 0.0 < match.runner_up_similarity < match.similarity


def test_sigma_is_the_least_similarity(table: LvsTable) -> None:
    assert found(table, ElementView("Authors"))[0] == "Author"
    assert found(table, ElementView("Authors"), sigma=0.98)[0] is None
