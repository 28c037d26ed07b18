"""Letters: text elements that take how something begins are asked for A, B, C, and further.

Where an answer to 'S' is cut off, 'Sa', 'Sb', ... are its parts: a range of letters is split as
one of years is, one letter at a time.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.form.operators import says_beginning
from hiwe.submission.assignment import Binding

if TYPE_CHECKING:
    from hiwe.form.form import Element, Form

LONGEST = 6  # letters of a beginning; what is cut off even then is narrowed otherwise
SHORT = 2  # letters of a value of a table that is taken for a beginning, whatever the label says
LETTERS_WEIGHT = 1.0  # as the values of a finite domain
_TEXTS = frozenset({"text", "search"})
_DIGITS = "0123456789"
# Letters that are frequent inside words first: the others often find nothing.
_ALPHABETS = {
    "LATIN": "aeiornltshucmdpgkbyvwfzjxq",
    "CYRILLIC": "оаиенртсвлкмпудгбзяычжшхюцщэфй",
    "GREEK": "αοιετσνηυρπκμλωδγχθφβξζψ",
    "HEBREW": "יוהלאמרבתשנכדקעחפגטזסצ",
    "ARABIC": "اليمنورتبةدعسفهكقحجشصطخضذثزغظ",
}
_SCRIPTS = {
    "CYRILLIC": ("ru", "uk", "bg", "sr", "mk", "be"),
    "GREEK": ("el",),
    "HEBREW": ("he", "iw"),
    "ARABIC": ("ar", "fa"),
}


def takes_beginnings(element: Element) -> bool:
    """A text element whose label or hint says that it takes how something begins."""
    if element.kind not in _TEXTS or element.options or element.range_role:
        return False
    return says_beginning(element.label, element.label_text, element.placeholder)


def first_letters(form: Form, position: int) -> tuple[Binding, ...]:
    """A binding for each letter that something may begin with, in the form's script."""
    language = form.language.casefold()[:2]
    script = next((s for s, spoken in _SCRIPTS.items() if language in spoken), "LATIN")
    return tuple(
        Binding(position, letter.upper(), LETTERS_WEIGHT, provenance="domain")
        for letter in "".join(sorted(_ALPHABETS[script])) + _DIGITS
    )


def longer(binding: Binding, *, beginnings: bool) -> tuple[Binding, ...]:
    """A beginning in its parts: with one more letter each; nothing for what is a whole word.

    `beginnings`: the element takes these, so that the value is one whatever its length.
    """
    text = binding.value.strip()
    if binding.option is not None or not text or not text.isalnum():
        return ()
    if len(text) > (LONGEST if beginnings else SHORT):
        return ()
    script = unicodedata.name(text[-1], "").split(" ")[0]
    alphabet = _ALPHABETS.get(script, _ALPHABETS["LATIN"])
    parts = alphabet + _DIGITS if text[-1].isdigit() else alphabet
    return tuple(replace(binding, value=text + letter, source="") for letter in parts)
