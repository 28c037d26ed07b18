"""A value of the LVS table: where it comes from, what type it has, what it weighs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from hiwe.lvs.dates import parse_date


class Provenance(StrEnum):
    """How a value came into the table.

    The paper's four ways, the results, an element's domain, and a person who corrects a run.
    """

    EXPLICIT = "explicit"
    BUILTIN = "builtin"
    SOURCE = "source"
    EXPERIENCE = "experience"
    RESULTS = "results"
    DOMAIN = "domain"
    PERSON = "person"

    @property
    def is_fixed(self) -> bool:
        """Whether weights of this provenance never move (section 5 of the paper)."""
        return self in _FIXED


_FIXED = frozenset({Provenance.EXPLICIT, Provenance.BUILTIN, Provenance.DOMAIN, Provenance.PERSON})


class ValueType(StrEnum):
    """What a value is, so that none goes into an element that cannot take it."""

    TEXT = "text"
    INTEGER = "integer"
    YEAR = "year"
    DATE = "date"
    MONEY = "money"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class WeightedValue:
    """A value as it is to be written into an element, with its weight and the row it is from."""

    value: str
    weight: float
    row: str
    provenance: Provenance
    source: str = ""  # the value as the row has it, where it had to be written otherwise

    @property
    def row_value(self) -> str:
        """The value as the row names it: what `LvsTable.reward` wants back."""
        return self.source or self.value


@dataclass(frozen=True, slots=True)
class WeightChange:
    """One learned change of one value's weight; `before` is None for a value that is new."""

    row: str
    value: str
    before: float | None
    after: float
    cause: str


_MONEY = re.compile(
    r"(?:[$€£¥₽₹]|(?:usd|eur|gbp|chf|jpy)\s)\s?\d[\d.,' ]*"
    r"|\d[\d.,' ]*\s?(?:[$€£¥₽₹]|usd|eur|gbp|chf|jpy)",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=[^\s]*\d)[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*")


@lru_cache(maxsize=65536)
def type_of(value: str) -> ValueType:
    """Type of a value by its form: year before integer, date before code, else text."""
    text = value.strip()
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", text):
        return ValueType.YEAR
    if re.fullmatch(r"[+-]?\d+", text):
        return ValueType.INTEGER
    if _MONEY.fullmatch(text):
        return ValueType.MONEY
    if any(char.isdigit() for char in text) and parse_date(text) is not None:
        return ValueType.DATE
    return ValueType.CODE if _CODE.fullmatch(text) else ValueType.TEXT
