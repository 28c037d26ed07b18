"""Operators: choices that say how a value is compared or combined, and are no values themselves.

'contains / starts with / is exactly' beside a text box, 'AND / OR / NOT' between two. They stay at
their default: alone they ask for nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from hiwe.text import fold
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST_SHARE = 0.8  # of the choices, how many must be operators
LEAST_CHOICES = 2


@cache
def _words() -> dict[str, frozenset[str]]:
    """The data file: kind -> folded choices."""
    loaded: dict[str, list[str]] = word_lists("hiwe.form", "operators.yaml")
    return {kind: frozenset(map(fold, choices)) for kind, choices in loaded.items()}


def are_operators(choices: Iterable[str]) -> bool:
    """Whether the choices of an element compare or combine; blank ones do not count."""
    told = [fold(choice).strip() for choice in choices]
    told = [choice for choice in told if choice]
    if len(told) < LEAST_CHOICES:
        return False
    known = _words()
    if all(choice in known["combining"] for choice in told):
        return True
    certain = known["comparing"] | known["signs"]
    comparing = sum(choice in certain or choice in known["weak"] for choice in told)
    return any(choice in certain for choice in told) and comparing >= LEAST_SHARE * len(told)


def are_comparisons(choices: Sequence[str]) -> bool:
    """Whether the choices say how a value is compared: operators that do not merely combine."""
    combining = _words()["combining"]
    return are_operators(choices) and not all(fold(c).strip() in combining for c in choices)


def wider_operator(choices: Sequence[str], chosen: str) -> int | None:
    """The place of the choice that finds what contains the value, where the one set asks for all.

    None where the one set is no exact comparison, or nothing wider is on offer.
    """
    known = _words()
    told = [fold(choice).strip() for choice in choices]
    if fold(chosen).strip() not in known["exact"]:
        return None
    return next((at for at, choice in enumerate(told) if choice in known["containing"]), None)


def says_beginning(*texts: str) -> bool:
    """Whether a label or remark says that the value is how something begins."""
    return any(_beginning().search(" ".join(fold(text).split())) for text in texts if text)


@cache
def _beginning() -> re.Pattern[str]:
    phrases = sorted(_words()["beginning"], key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")
