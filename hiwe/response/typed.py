"""Typed values: the number, date, amount of money or address that a field's text means.

The text as the page shows it stays the value of record; the type is read beside it. What may mean
two things ('1.204' in a column of prices) follows the commonest use, and what is only nearly a
number ('12 min', '007') is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.lvs.dates import parse_date

if TYPE_CHECKING:
    from collections.abc import Iterable

Plain = int | float | str
# Kinds, and how a column of several of them is called.
INTEGER, NUMBER, DATE, MONEY, URL, IMAGE, TEXT = (
    "integer", "number", "date", "money", "url", "image", "text",
)  # fmt: skip

_INTEGER = re.compile(r"[+−-]?(?:0|[1-9]\d{0,14})")
_DECIMAL = re.compile(r"[+−-]?\d{1,15}[.,]\d+")
_GROUPED = re.compile(
    r"[+−-]?[1-9]\d{0,2}(?:([,.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?"
)
_SIGNS = {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "zł": "PLN", "Kč": "CZK", "CHF": "CHF", "R$": "BRL", "C$": "CAD", "A$": "AUD",
    "Fr.": "CHF",
}  # fmt: skip
_SIGN = "|".join(sorted(map(re.escape, _SIGNS), key=len, reverse=True))
_AMOUNT = r"[+−-]?\d[\d.,'’ \u00a0\u202f]*"
_MONEY = re.compile(rf"(?:({_SIGN}|[A-Z]{{3}})\s?({_AMOUNT})|({_AMOUNT}?)\s?({_SIGN}|[A-Z]{{3}}))")
_KNOWN = (
    "USD EUR GBP JPY INR RUB KRW PLN CZK CHF BRL CAD AUD CNY SEK NOK DKK HUF TRY MXN ZAR NZD SGD"
    " HKD ILS UAH RON BGN THB IDR ARS"
)
_CODES = frozenset(_KNOWN.split())
_LETTERS = re.compile(r"[^\W\d_]")
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?)$", re.IGNORECASE)
LONGEST = 60  # characters of what may be a number or a date


@dataclass(frozen=True, slots=True)
class Typed:
    """What a text means: its kind and the plain value; `unit` is the currency of money (ISO 4217).

    A date is written as in ISO 8601, an address as it stands.
    """

    kind: str
    value: Plain
    unit: str = ""


@lru_cache(maxsize=65536)
def typed(text: str) -> Typed:
    """Read what a text means; kind 'text' when it is only text."""
    text = text.strip()
    if text.startswith(("http://", "https://")) and not re.search(r"\s", text):
        return _address(text)
    if not text or len(text) > LONGEST or not any(map(str.isdigit, text)):
        return Typed(TEXT, text)
    return _number(text) or _money(text) or _day(text) or Typed(TEXT, text)


def _address(text: str) -> Typed:
    try:
        path = urlsplit(text).path
    except ValueError:
        return Typed(TEXT, text)
    return Typed(IMAGE if _IMAGE.search(path) else URL, text)


def _number(text: str) -> Typed | None:
    text = text.replace("−", "-")
    if _INTEGER.fullmatch(text):
        return Typed(INTEGER, int(text))
    grouped = _GROUPED.fullmatch(text)
    if grouped and (grouped.group(1) != "." or text.count(".") > 1 or "," in text):
        return _ungrouped(text, grouped.group(1))
    if _DECIMAL.fullmatch(text):
        return Typed(NUMBER, float(text.replace(",", ".")))
    return None


def _ungrouped(text: str, mark: str) -> Typed:
    """The number without the marks between its thousands: '1,204.50' and '1.204,50' alike."""
    bare = text.replace(mark, "")
    if re.search(r"[.,]", bare):
        return Typed(NUMBER, float(bare.replace(",", ".")))
    return Typed(INTEGER, int(bare))


def _money(text: str) -> Typed | None:
    match = _MONEY.fullmatch(text)
    if match is None:
        return None
    sign, amount = (match.group(1) or match.group(4)), (match.group(2) or match.group(3))
    currency = _SIGNS.get(sign, sign)
    if currency not in _CODES and sign not in _SIGNS:
        return None
    figure = _number(amount.strip().rstrip(".,"))
    return None if figure is None else Typed(MONEY, figure.value, currency)


def _day(text: str) -> Typed | None:
    """A whole date; a year alone is a number."""
    if not _LETTERS.search(text) and len(re.findall(r"\d+", text)) < 3:
        return None
    day = parse_date(text)
    return None if day is None else Typed(DATE, day.isoformat())


def column_kind(values: Iterable[str]) -> str:
    """The one kind of a column's values; 'number' for whole and broken ones, else 'text'."""
    kinds = {typed(value).kind for value in values if value.strip()}
    if kinds and kinds <= {INTEGER, NUMBER}:
        return NUMBER if NUMBER in kinds else INTEGER
    return kinds.pop() if len(kinds) == 1 else TEXT
