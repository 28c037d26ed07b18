"""Captions: choices of a list that are no values ('-- any genre --', 'choose', '-----').

Told mostly without words: by the empty value, the first place, dashes, being disabled; the words
for 'any' and 'choose' are data in many languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.words import is_word, names, speaks_of, tokens, without

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.page import Option

EMPTY_VALUES = frozenset({"", "0", "-1", "all", "any", "*", "none", "null", "-", "%", "-2"})
_FRAME = re.compile(
    r"^\s*(?:[-–—=~*·•.<>\[({|:»«]{2,}.*|[-–—=\[(<{«].*[-–—=\])>}»]|.*(?:\.\.\.|…|[-–—]{2,}))\s*$"
)
_RULE = re.compile(r"^[\s\-–—_.…·•~*]*$|^[=+#]{2,}$")  # dashes, blanks: a separator
_NUMBER = re.compile(r"^[\W_]*\d[\d.,\s]*\D{0,3}$")


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a list, split: real values, captions; the value that leaves it open."""

    values: tuple[Option, ...]
    captions: tuple[Option, ...]
    neutral: str | None
    title: str  # what the caption calls the field, '' when it only says 'all' or 'choose'


def split_choices(options: Sequence[Option], *, multiple: bool = False) -> Choices:
    """Part the captions of a list from its values.

    `neutral` is None where every choice restricts; in a list of several choices it is '', as
    choosing none leaves it open.
    """
    captions = [o for i, o in enumerate(options) if _is_caption(o, i, options)]
    if len(captions) == len(options) and len(options) > 1:
        captions = [o for o in captions if o.value == "" or not tokens(o.label)]
    out = {id(o) for o in captions}
    neutral = _neutral(captions)
    title = next((t for t in map(caption_title, captions) if t), "")
    return Choices(
        tuple(o for o in options if id(o) not in out),
        tuple(captions),
        neutral if neutral is not None or not multiple else "",
        title,
    )


def _is_caption(option: Option, place: int, options: Sequence[Option]) -> bool:
    label = option.label
    found = tokens(label)
    if not found:
        return bool(_RULE.match(label))
    if option.value == "" and not (len(options) == 1 and option.control < 0):
        return True
    early = place == 0 or (place == 1 and bool(_RULE.match(options[0].label)))
    if option.disabled and early:
        return True
    empty = option.value.strip().casefold() in EMPTY_VALUES
    if _NUMBER.match(label):
        return False
    if early or empty:
        framed = bool(_FRAME.match(label)) and not any(
            _FRAME.match(o.label) for o in options[place + 1 : place + 4]
        )
        return framed or _opens_with_any(found) or _asks(label, options, place)
    return place == len(options) - 1 and len(found) == 1 and is_word("any", found[0])


def _opens_with_any(found: tuple[str, ...]) -> bool:
    """'All', 'Tutti i generi', 'any genre', 'Genre: all', `don't care`."""
    phrase = " ".join(found)
    if len(found) <= 6 and (is_word("any", found[0]) or is_word("any", found[-1])):
        return True
    return len(found) <= 4 and speaks_of("any", phrase)


def _asks(label: str, options: Sequence[Option], place: int) -> bool:
    """'Please choose', where the other choices do not speak so."""
    others = options[place + 1 : place + 4]
    return speaks_of("choose", label) and not any(speaks_of("choose", o.label) for o in others)


def _neutral(captions: Sequence[Option]) -> str | None:
    """The caption's value: the chosen one first, then an empty one, then any that can be chosen."""
    usable = [o for o in captions if not o.disabled and tokens(o.label)] or [
        o for o in captions if not o.disabled and (o.value == "" or o.selected)
    ]
    for wanted in (lambda o: o.value == "", lambda o: o.selected, lambda o: True):
        found = next((o.value for o in usable if wanted(o)), None)
        if found is not None:
            return found
    return next((o.value for o in captions if o.selected), None)


def caption_title(option: Option) -> str:
    """What a caption calls its field: '-- any genre --' gives 'genre'; '' when nothing is left."""
    text = without("choose", without("any", option.label))
    text = re.sub(r"[\s\W_]+$|^[\s\W_]+", "", text)
    words = text.split()
    while words and words[0].casefold() in names("little"):
        del words[0]
    return " ".join(words)
