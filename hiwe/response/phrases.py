"""What result pages say, in many languages: phrases from the data file, found in lines of text.

The data file explains the little language the phrases are written in. A line is only tested
against phrases that share a word with it, so that hundreds of phrases cost little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from hiwe.text import fold
from hiwe.text.lists import word_lists

_BETWEEN = r"[^\w\u0900-\u0dff]+"
NUMBER = r"\d[\d.,'’\s]*"
_GAP = r"(?:[^\w\u0900-\u0dff]+[\w\u0900-\u0dff]+){0,8}?"
# A word with the vowel signs of Indic scripts, which are no \w.
_CHAR = r"[\w\u0900-\u0dff]"
_WORD = re.compile(rf"{_CHAR}+")
_NOISE = re.compile(r"[^\w\s\u0900-\u0eff]|\d+|_")
_EDGE = r"(?<!\w)"
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(slots=True)
class _Phrase:
    """A phrase; what finds it is compiled when a line first shares a word with it.

    There are a thousand, and a site speaks one language.
    """

    kind: str
    written: str
    _pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds the phrase in folded text."""
        if self._pattern is None:
            self._pattern = re.compile(self.written)
        return self._pattern


@dataclass(frozen=True, slots=True)
class _Book:
    by_word: dict[str, tuple[_Phrase, ...]]
    unspaced: tuple[tuple[str, _Phrase], ...]


@cache
def data() -> dict[str, dict[str, tuple[str, ...]]]:
    """The data file: kind -> language -> phrases, as written."""
    loaded: dict[str, Any] = word_lists("hiwe.response", "phrases.yaml")
    return {
        kind: {language: tuple(_split(written)) for language, written in languages.items()}
        for kind, languages in loaded.items()
    }


def _split(written: str | list[str]) -> list[str]:
    return [one.strip() for one in written.split(",")] if isinstance(written, str) else written


@cache
def captions(kind: str) -> frozenset[str]:
    """The folded captions of a kind whose data are whole captions ('next', 'more')."""
    return frozenset(
        caption_words(one) for phrases in data()[kind].values() for one in phrases if one
    )


def caption_words(caption: str) -> str:
    """A caption's folded words without numbers, arrows and punctuation."""
    return " ".join(_NOISE.sub(" ", fold(caption)).split())


def kinds_in(line: str) -> dict[str, str]:
    """The kinds of phrases that a line of text holds, each with the words that matched."""
    book = _book()
    text = fold(line)
    found: dict[str, str] = {}
    for word in set(_WORD.findall(text)):
        for phrase in book.by_word.get(word, ()):
            if phrase.kind not in found and (match := phrase.pattern.search(text)):
                found[phrase.kind] = match.group()
    if _UNSPACED.search(text):
        for part, phrase in book.unspaced:
            if part in text and phrase.kind not in found and (match := phrase.pattern.search(text)):
                found[phrase.kind] = match.group()
    return found


@cache
def _book() -> _Book:
    by_word: dict[str, list[_Phrase]] = {}
    unspaced: list[tuple[str, _Phrase]] = []
    for kind, languages in data().items():
        if kind in ("next", "more"):
            continue
        for phrases in languages.values():
            for written in phrases:
                if _UNSPACED.search(written):
                    unspaced.append(_unspaced(kind, fold(written)))
                else:
                    _add(by_word, kind, written)
    return _Book({word: tuple(found) for word, found in by_word.items()}, tuple(unspaced))


def _unspaced(kind: str, written: str) -> tuple[str, _Phrase]:
    parts = written.split("*")
    pattern = ".{0,20}?".join(re.escape(part) for part in parts)
    return max(parts, key=len), _Phrase(kind, pattern)


def _add(by_word: dict[str, list[_Phrase]], kind: str, written: str) -> None:
    words = [_words(word) for word in written.split()]
    phrase = _Phrase(kind, _spaced(words))
    anchors = [w for w, optional in words if not optional and w not in (["*"], ["N"])]
    anchors = [w for w in anchors if not any(one.endswith("~") for one in w)]
    if not anchors:
        raise ValueError(f"phrases.yaml: {kind}: {written!r} has no whole word to find it by")
    for word in min(anchors, key=lambda w: (len(w), -min(map(len, w)))):
        by_word.setdefault(word, []).append(phrase)


def _words(written: str) -> tuple[list[str], bool]:
    """Alternatives of one place in a phrase, folded, and whether it may be missing."""
    if written in ("*", "N"):
        return [written], False
    alternatives = [fold(one) for one in written.rstrip("?").split("|") if one]
    return alternatives, written.endswith("?")


def _spaced(words: list[tuple[list[str], bool]]) -> str:
    built = _EDGE
    joint = ""
    for alternatives, optional in words:
        if alternatives == ["*"]:
            joint = _GAP + _BETWEEN
            continue
        one = NUMBER if alternatives == ["N"] else "|".join(map(_alternative, alternatives))
        gap = "" if built == _EDGE else joint or _BETWEEN
        built += f"(?:{gap}(?:{one}))?" if optional else f"{gap}(?:{one})"
        joint = ""
    return built + r"(?!\w)"


def _alternative(word: str) -> str:
    return re.escape(word[:-1]) + r"\w*" if word.endswith("~") else re.escape(word)
