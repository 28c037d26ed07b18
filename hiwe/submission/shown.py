"""Shown: texts that a site's records show, among which values of the task may be.

Who looks for directors in a strange database asks first for those that he has seen in it: they
find something, and where one film of theirs is, others are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiwe.submission.axis import Axis

MOST_WORDS = 12  # of a text whose neighbouring words are taken together
TOGETHER = (2, 3)  # so many of them: most names have as many
_LIST = re.compile(r"\s*[,;|/&·•]\s*")
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


class Shown:
    """Which values of a form's text elements the site's records have shown so far."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        """Nothing was shown."""
        self._axes = axes
        self._values: frozenset[str] | None = None
        self.texts: dict[str, None] = {}

    def add(self, records: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
        """Take in records (field -> text); the values that were not shown before (`folded`)."""
        if self._values is None:
            self._values = frozenset(_typed_values(self._axes))
        if not self._values:
            return ()
        found = {text: None for record in records for text in _texts_of(record)}
        new = [text for text in found if text in self._values and text not in self.texts]
        self.texts.update(dict.fromkeys(new))
        return tuple(new)


def _typed_values(axes: Iterable[Axis]) -> Iterator[str]:
    for axis in axes:
        if axis.is_typed:
            yield from (folded(choice.bindings[0].value) for choice in axis.choices)


def _texts_of(record: Mapping[str, str]) -> Iterator[str]:
    """What may be a value in a record (field -> text), folded as `folded` does, with repetitions.

    Whole texts, the parts of a list in them, their words, and some words that stand together.
    """
    for written in record.values():
        text = folded(written)
        yield text
        yield from _LIST.split(text)
        words = _WORD.findall(text)
        yield from words
        if len(words) <= MOST_WORDS:
            for size in TOGETHER:
                yield from (" ".join(words[i : i + size]) for i in range(len(words) - size + 1))


def folded(text: str) -> str:
    """A value or a record's text as both are compared."""
    return " ".join(fold(text).split())
