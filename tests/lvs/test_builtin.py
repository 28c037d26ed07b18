"""Built-in categories: from the libraries' data, in the page's language."""

from __future__ import annotations

import pytest

from hiwe.errors import ConfigError
from hiwe.lvs import ElementView, LvsTable
from hiwe.lvs.builtin import builtin_values, is_boolean


@pytest.mark.parametrize(
    ("category", "language", "member", "size"),
    [
        ("months", "it", "gennaio", 12),
        ("weekdays", "de", "Mittwoch", 7),
        ("countries", "fr", "Allemagne", 249),
        ("languages", "es", "italiano", None),
        ("currencies", "en", "Euro", None),
        ("subdivisions:IT", "it", "Umbria", 20),
        ("subdivisions:US", "en", "Texas", None),
        ("years:1990-2010", "en", "1999", 21),
        ("booleans", "cs", "Ano", 2),
    ],
)
def test_a_category_speaks_the_pages_language(
    category: str, language: str, member: str, size: int | None
) -> None:
    values = builtin_values(category, language)
    assert member in values
    assert size is None or len(values) == size


def test_a_builtin_row_follows_the_page_and_not_the_table() -> None:
    table = LvsTable.load([], builtin=["months", "countries"])
    element = ElementView("Mese", language="it-IT")
    match = table.match(element, sigma=0.75)
    assert match.row is not None
    assert match.row.label == "Month"
    assert table.value_set(element, match)[0].value == "gennaio"


def test_a_domain_of_months_meets_the_builtin_row_without_a_label() -> None:
    table = LvsTable.load([], builtin=["months", "weekdays"])
    element = ElementView("", "s2", "select", ("Januar", "Februar", "März"), language="de")
    assert table.match(element, sigma=0.75).rule == "domain"


@pytest.mark.parametrize("name", ["mnths", "subdivisions", "subdivisions:XX", "years:now"])
def test_an_unknown_category_is_a_configuration_error(name: str) -> None:
    with pytest.raises(ConfigError):
        LvsTable.load([], builtin=[name])


def test_booleans_are_known_in_any_language() -> None:
    assert is_boolean(("JA", "nein"))
    assert not is_boolean(("Ja", "Vielleicht"))
