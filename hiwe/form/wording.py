"""Wording: how little a text reads like a label, whatever its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.form.clean import is_unit
from hiwe.form.words import speaks_of, tokens

if TYPE_CHECKING:
    from hiwe.page.page import TextRun

LONG = 60  # characters
HEADING = {"h1": 64.0, "h2": 16.0, "h3": 14.0, "h4": 14.0}  # names the page, then a part of it
SENTENCE = 20
PHONE_LENGTH = 9  # characters: of nothing but digits it is a telephone number
MOSTLY_NUMBERS = 70.0
SMALL_PRINT = 0.86  # of the typical font size
UNIT = 30.0
ICON_WORDS = 4
_EXAMPLE = re.compile(r"^\W*(e\.?\s?g\b|ex[.:]|example|z\.?\s?b\b|p\.\s?ex|por ejemplo|例)", re.I)


def text_cost(text: TextRun, kind: str, typical: float) -> float:
    """How little a text looks like a label, whatever its place (negative: it does).

    `typical` is the page's commonest font size in pixels.
    """
    said = text.text
    cost = 0.0
    if len(said) > LONG and kind != "choice":
        cost += min(40.0, (len(said) - LONG) * 0.5)
    if text.linked and kind != "choice":
        cost += 18
    if text.hint:
        cost += 45
    if said[0] in "([（" and kind != "choice":
        cost += 14
    if _EXAMPLE.match(said):
        cost += 30
    if kind != "choice":
        cost += HEADING.get(text.inside, 0.0)
    if said.endswith((":", "：", "*", "?", "？")) or text.label is not None:
        cost -= 6
    elif text.inside in ("th", "dt", "legend"):
        cost -= 4
    if text.bold:
        cost -= 1
    if text.font_size < SMALL_PRINT * typical:
        cost += 9
    if kind != "choice":
        cost += _number_cost(said) + (UNIT if is_unit(said) else 0.0)
    if kind != "choice" and said.endswith((".", "。", "!")) and len(said) > SENTENCE:
        cost += 14
    if text.source == "alt":
        cost += _image_cost(said)
    return cost


def _image_cost(said: str) -> float:
    """An image that says what it is, not what the field is: a calendar, help, a sum to solve."""
    if speaks_of("icon", said) and len(tokens(said)) <= ICON_WORDS:
        return 100.0
    return 20.0 if speaks_of("captcha", said) else 6.0


def _number_cost(said: str) -> float:
    """A number may be a row's, a longer one is a telephone's; mostly numbers: a date, a time."""
    words = tokens(said)
    digits = sum(t.isdigit() for t in words)
    if digits == len(words):
        return 12.0 if len(said) < PHONE_LENGTH else 120.0
    return MOSTLY_NUMBERS if digits > 2 and 2 * digits >= len(words) else 0.0
