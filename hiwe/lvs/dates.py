"""Dates: read one written in any of many ways, and write one the way a control wants it."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import cache, lru_cache

from babel import Locale
from babel.dates import get_month_names

# Languages whose month names are read; all of CLDR would take seconds to load.
_LANGUAGES = [
    "en", "it", "de", "fr", "es", "pt", "nl", "pl", "ru", "uk", "cs", "sk", "sv", "da", "nb", "fi",
    "hu", "ro", "tr", "el", "bg", "hr", "ca", "id", "vi", "ar", "he", "ja", "zh", "ko",
]  # fmt: skip
_NUMERIC = re.compile(r"(\d{1,4})\s*[-/.\s]\s*(\d{1,2})\s*[-/.\s]\s*(\d{1,4})\.?(?:[T ]\d.*)?")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?")
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")

# Letters that stand for day, month and year in the format hints of many languages.
_MONTH_LETTERS = frozenset("mмμ月")
_YEAR_LETTERS = frozenset("yjaгråεé年v")
_HINT = re.compile(
    r"(?<!\w)([^\W\d_]{1,4})(年|[-/.\s]{1,2})([^\W\d_]{1,4})(月|[-/.\s]{1,2})([^\W\d_]{1,4})(日|(?!\w))"
)
_EXAMPLE = re.compile(r"(?<!\d)(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})(?!\d)")


def parse_date(text: str, language: str | None = None) -> date | None:
    """The date that `text` names, or None. Day before month unless language and digits say else.

    Of two numbers that may both be a month the first is the day, but for American English
    ('en-US'): '08/01/2014' is the 8th of January elsewhere.
    """
    return _parse(text, (language or "").casefold().replace("_", "-"))


@lru_cache(maxsize=65536)
def _parse(text: str, language: str) -> date | None:
    text = unicodedata.normalize("NFKC", text).strip()
    for pattern in (_EAST_ASIAN, _COMPACT):
        found = pattern.fullmatch(text)
        if found:
            return _date(*(int(number) for number in found.groups()))
    found = _NUMERIC.fullmatch(text)
    if found:
        return _numeric(*found.groups(), month_first=language == "en-us")
    return _named(text)


def _numeric(first: str, second: str, third: str, *, month_first: bool) -> date | None:
    if len(first) == 4:
        return _date(int(first), int(second), int(third))
    if len(third) not in (2, 4) or len(first) == 3:
        return None
    year = int(third) + (0 if len(third) == 4 else 2000 if int(third) < 50 else 1900)
    day, month = int(first), int(second)
    if month > 12 or (month_first and day <= 12):
        day, month = month, day
    return _date(year, month, day)


def _named(text: str) -> date | None:
    """A date with its month in letters: '8 January 2014', 'Jun 12, 1998', '3. März 2001'."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    names = [
        month
        for word in re.findall(r"[^\W\d_]+", text.casefold())
        if (month := _months().get(word)) is not None
    ]
    letters = re.findall(r"[^\W\d_]+", text)
    if len(numbers) != 2 or len(names) != 1 or len(letters) > 4:
        return None
    day, year = numbers if numbers[1] > 31 else (numbers[1], numbers[0])
    return _date(year, names[0], day) if year >= 1000 else None


@cache
def _months() -> dict[str, int]:
    """Casefolded month names and abbreviations of many languages; ambiguous ones are left out."""
    names: dict[str, int] = {}
    clashes: set[str] = set()
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for number, name in get_month_names(width, context, Locale.parse(language)).items():
                    word = unicodedata.normalize("NFKC", name).casefold().rstrip(".")
                    if names.setdefault(word, number) != number:
                        clashes.add(word)
    return {word: number for word, number in names.items() if word not in clashes}


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def date_format(*hints: str | None) -> str | None:
    """strftime format that the first telling hint asks for ('dd/mm/yyyy' -> '%d/%m/%Y'), or None.

    Hints are placeholders, label remarks or example dates, in any language ('TT.MM.JJJJ').
    """
    for hint in hints:
        found = _letters_format(hint or "") or _example_format(hint or "")
        if found:
            return found
    return None


@lru_cache(maxsize=4096)
def _letters_format(hint: str) -> str | None:
    for found in _HINT.finditer(hint.casefold()):
        runs, separators = found.group(1, 3, 5), found.group(2, 4)
        if any(len(set(run)) != 1 for run in runs):
            continue
        full_year = any(len(run) == 4 and run[0] not in _MONTH_LETTERS for run in runs)
        kinds = [_kind(run, full_year=full_year) for run in runs]
        if sorted(kinds) == ["d", "m", "y"]:
            codes = [_code(kind, run) for kind, run in zip(kinds, runs, strict=True)]
            end = "日" if found.group(6) == "日" else ""
            return codes[0] + separators[0] + codes[1] + separators[1] + codes[2] + end
    return None


def _kind(run: str, *, full_year: bool) -> str:
    """'d', 'm' or 'y'; where a run of four tells the year, no shorter one does ('jj/mm/aaaa')."""
    if run[0] in _MONTH_LETTERS:
        return "m"
    is_year = len(run) == 4 if full_year else run[0] in _YEAR_LETTERS
    return "y" if is_year else "d"


def _code(kind: str, run: str) -> str:
    if kind == "y":
        return "%Y" if len(run) == 4 else "%y"
    return "%d" if kind == "d" else {3: "%b", 4: "%B"}.get(len(run), "%m")


@lru_cache(maxsize=4096)
def _example_format(hint: str) -> str | None:
    """Format of an example date whose parts can be told apart ('31/12/2010')."""
    found = _EXAMPLE.search(hint)
    if not found or found.group(2) != found.group(4):
        return None
    first, separator, second, _, third = found.groups()
    if len(first) == 4:
        return separator.join(("%Y", "%m", "%d"))
    if len(third) != 4:
        return None
    order = ("%m", "%d") if int(second) > 12 else ("%d", "%m")
    return separator.join((*order, "%Y"))


def write_date(value: date, pattern: str) -> str:
    """The date in a strftime pattern of `date_format`."""
    return value.strftime(pattern)
