"""Built-in categories, from CLDR and ISO data by library, in the language of the page.

months · weekdays · countries · languages · currencies · years · booleans · subdivisions, the last
of one country ('subdivisions:IT'). 'years:1990-2010' sets the span of years.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pycountry
from babel import Locale, UnknownLocaleError
from babel.dates import get_day_names, get_month_names

from hiwe.errors import ConfigError
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import FuzzyValueSet
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# category -> (label, concept whose names in all languages lead to the row)
CATEGORIES: dict[str, tuple[str, str | None]] = {
    "months": ("Month", "month"),
    "weekdays": ("Weekday", "weekday"),
    "countries": ("Country", "country"),
    "languages": ("Language", "language"),
    "currencies": ("Currency", None),
    "subdivisions": ("Region", "region"),
    "years": ("Year", "year"),
    "booleans": ("Yes or no", None),
}
FIRST_YEAR, LAST_YEAR = 1950, 2030
ENGLISH = "en"


def builtin_row(name: str, language: str | None = None) -> Row:
    """The row of a built-in category with its values in a language (English when unknown)."""
    kind, parameter = _parse(name)
    label, concept = CATEGORIES[kind]
    label = f"{label} ({parameter})" if kind == "subdivisions" else label
    return Row(
        label,
        values=builtin_values(name, language or ENGLISH),
        provenance=Provenance.BUILTIN,
        category=name,
        concept=concept,
    )


def builtin_values(name: str, language: str) -> FuzzyValueSet:
    """The category's values in a language, all of weight 1: a new set that may be changed."""
    values = FuzzyValueSet()
    for value in _names(name, _locale(language)):
        values.add(value, 1.0, Provenance.BUILTIN)
    return values


def check_category(name: str) -> None:
    """Refuse what names no built-in category: ConfigError says which there are."""
    _parse(name)


def _parse(name: str) -> tuple[str, str]:
    kind, _, parameter = name.partition(":")
    if kind not in CATEGORIES:
        known = ", ".join(CATEGORIES)
        raise ConfigError(
            f"names no built-in category: {name!r}; take one of {known}", None, "lvs.builtin"
        )
    if kind == "subdivisions" and not pycountry.countries.get(alpha_2=parameter.upper()):
        raise ConfigError(f"{name!r} needs a country, as in subdivisions:IT", None, "lvs.builtin")
    if kind == "years" and parameter and not re.fullmatch(r"\d{4}-\d{4}", parameter):
        raise ConfigError(f"{name!r} needs a span, as in years:1990-2010", None, "lvs.builtin")
    return kind, parameter


@cache
def _locale(language: str) -> str:
    for code in (language.replace("-", "_"), re.split(r"[-_]", language)[0], ENGLISH):
        try:
            return str(Locale.parse(code))
        except (UnknownLocaleError, ValueError):
            continue
    return ENGLISH


@cache
def _names(name: str, language: str) -> tuple[str, ...]:
    kind, parameter = _parse(name)
    locale = Locale.parse(language)
    if kind == "months":
        found: Iterable[Any] = get_month_names("wide", "stand-alone", locale).values()
    elif kind == "weekdays":
        found = get_day_names("wide", "stand-alone", locale).values()
    elif kind == "countries":
        found = _territories(locale)
    elif kind == "languages":
        found = _languages(locale)
    elif kind == "currencies":
        found = (locale.currencies.get(one.alpha_3, one.name) for one in pycountry.currencies)
    elif kind == "subdivisions":
        found = _subdivisions(parameter.upper())
    elif kind == "years":
        found = _years(parameter)
    else:
        found = booleans(language)
    return tuple(dict.fromkeys(str(value) for value in found))


def _territories(locale: Locale) -> Iterable[str]:
    return (
        locale.territories.get(country.alpha_2, country.name) for country in pycountry.countries
    )


def _languages(locale: Locale) -> Iterable[str]:
    """Living languages with a two-letter code: those that forms list."""
    for language in pycountry.languages:
        code = getattr(language, "alpha_2", None)
        if code and getattr(language, "type", "L") == "L":
            yield locale.languages.get(code, language.name)


def _subdivisions(country: str) -> list[str]:
    """First-level subdivisions of a country, by their names in ISO 3166-2."""
    subdivisions: Any = pycountry.subdivisions  # its get() has no types
    found = subdivisions.get(country_code=country)
    return [re.sub(r"\s*\[.*?\]", "", one.name) for one in found if not one.parent_code]


def _years(span: str) -> Iterable[str]:
    first, last = (int(y) for y in span.split("-")) if span else (FIRST_YEAR, LAST_YEAR)
    return (str(year) for year in range(last, first - 1, -1))


def booleans(language: str) -> tuple[str, str]:
    """'yes' and 'no' in a language, in English where we do not know them."""
    return _BOOLEANS.get(language.split("_")[0], _BOOLEANS[ENGLISH])


def is_boolean(domain: Sequence[str]) -> bool:
    """Whether a domain is a yes and a no, in any language we know."""
    folded = {fold(option) for option in domain}
    pairs = ({fold(yes), fold(no)} for yes, no in _BOOLEANS.values())
    return len(folded) == 2 and (folded in ({"true", "false"}, {"on", "off"}) or folded in pairs)


# The libraries' CLDR data leave out the POSIX yes/no strings, so they stand here.
_BOOLEANS = {
    "en": ("Yes", "No"), "it": ("Sì", "No"), "de": ("Ja", "Nein"), "fr": ("Oui", "Non"),
    "es": ("Sí", "No"), "pt": ("Sim", "Não"), "nl": ("Ja", "Nee"), "pl": ("Tak", "Nie"),
    "ru": ("Да", "Нет"), "uk": ("Так", "Ні"), "cs": ("Ano", "Ne"), "sk": ("Áno", "Nie"),
    "sv": ("Ja", "Nej"), "da": ("Ja", "Nej"), "no": ("Ja", "Nei"), "fi": ("Kyllä", "Ei"),
    "hu": ("Igen", "Nem"), "ro": ("Da", "Nu"), "tr": ("Evet", "Hayır"), "el": ("Ναι", "Όχι"),
    "id": ("Ya", "Tidak"), "vi": ("Có", "Không"), "ar": ("نعم", "لا"), "he": ("כן", "לא"),
    "ja": ("はい", "いいえ"), "zh": ("是", "否"), "ko": ("예", "아니요"),
}  # fmt: skip
