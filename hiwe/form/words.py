"""Words of forms in many languages: does a text speak of searching, of a log-in, of 'any'?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from hiwe.text import fold
from hiwe.text.lists import word_lists

# letters and digits; in the scripts of India and Indochina the signs that complete a letter, too
_TOKENS = re.compile("(?:[^\\W_]|[\u0900-\u0963\u0966-\u0eff\u1000-\u109f\u1780-\u17d3])+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[a-zA-Z])(?=\d)|(?<=\d)(?=[a-zA-Z])")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class WordClass:
    """One meaning: whole words, beginnings of words, phrases, pieces of unspaced scripts."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    phrases: dict[str, tuple[tuple[str, ...], ...]]  # by their first word
    pieces: tuple[str, ...]


@lru_cache(maxsize=16384)
def tokens(text: str) -> tuple[str, ...]:
    """Folded words of a text, in order."""
    return tuple(_TOKENS.findall(fold(text)))


@lru_cache(maxsize=16384)
def name_tokens(name: str) -> tuple[str, ...]:
    """Folded words of an identifier: 'yearFrom', 'year_from' and 'year-from' give two."""
    return tuple(_TOKENS.findall(fold(_CAMEL.sub(" ", name).replace("_", " "))))


@cache
def _classes() -> dict[str, WordClass]:
    loaded: dict[str, dict[str, list[str]]] = word_lists("hiwe.form", "words.yaml")
    return {
        meaning: _word_class([str(w) for words in by_language.values() for w in words])
        for meaning, by_language in loaded.items()
    }


def _word_class(written: list[str]) -> WordClass:
    whole: set[str] = set()
    beginnings: set[str] = set()
    phrases: set[tuple[str, ...]] = set()
    pieces: set[str] = set()
    for word in written:
        if _UNSPACED.search(word):
            pieces.add(fold(word).rstrip("*"))
            continue
        parts = tokens(word)
        if len(parts) > 1:
            phrases.add(parts)
        elif word.endswith("*"):
            beginnings.add(parts[0])
        else:
            whole.add(parts[0])
    by_first: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in sorted(phrases):
        by_first[phrase[0]] = (*by_first.get(phrase[0], ()), phrase)
    return WordClass(frozenset(whole), tuple(sorted(beginnings)), by_first, tuple(sorted(pieces)))


@cache
def names(kind: str) -> frozenset[str]:
    """Identifiers that give something away (`names.yaml`): query, paging, trap, code, ..."""
    loaded: dict[str, list[str]] = word_lists("hiwe.form", "names.yaml")
    return frozenset(loaded[kind])


@lru_cache(maxsize=65536)
def is_word(meaning: str, token: str) -> bool:
    """Is one folded word of this meaning?"""
    words = _classes()[meaning]
    if token in words.whole or token.startswith(words.beginnings):
        return True
    return not token.isascii() and any(piece in token for piece in words.pieces)


def is_whole_word(meaning: str, token: str) -> bool:
    """As `is_word`, but a word of an unspaced script must be the whole of the text."""
    words = _classes()[meaning]
    return token in words.whole or token.startswith(words.beginnings) or token in words.pieces


def role_affix(meaning: str, token: str) -> str | None:
    """What is left of a word of an unspaced script that begins or ends with a word of this meaning.

    '' where it is that word; None where it is not: a single sign counts only alone, since it
    begins many words.
    """
    for piece in _classes()[meaning].pieces:
        if token == piece:
            return ""
        if len(piece) > 1 and token.startswith(piece):
            return token.removeprefix(piece)
        if len(piece) > 1 and token.endswith(piece):
            return token.removesuffix(piece)
    return None


@lru_cache(maxsize=32768)
def speaks_of(meaning: str, text: str) -> bool:
    """Does the text hold a word or phrase of this meaning, in any language?"""
    return bool(text) and _match(meaning, tokens(text))


@lru_cache(maxsize=32768)
def name_speaks_of(meaning: str, name: str) -> bool:
    """Does an identifier (name, id, class, path) hold a word of this meaning?"""
    return bool(name) and _match(meaning, name_tokens(name))


def _match(meaning: str, found: tuple[str, ...]) -> bool:
    words = _classes()[meaning]
    for place, token in enumerate(found):
        if is_word(meaning, token):
            return True
        for phrase in words.phrases.get(token, ()):
            if found[place : place + len(phrase)] == phrase:
                return True
    return False


@lru_cache(maxsize=32768)
def without(meaning: str, text: str) -> str:
    """The text without its words and phrases of this meaning; spelling otherwise kept."""
    words = _classes()[meaning]
    spans = [(m.start(), m.end(), fold(m.group())) for m in _TOKENS.finditer(text)]
    drop: set[int] = set()
    for i, (_, _, token) in enumerate(spans):
        if is_word(meaning, token):
            drop.add(i)
        for phrase in words.phrases.get(token, ()):
            if tuple(s[2] for s in spans[i : i + len(phrase)]) == phrase:
                drop.update(range(i, i + len(phrase)))
    out = list(text)
    for i in drop:
        for place in range(spans[i][0], spans[i][1]):
            out[place] = " "
    return " ".join("".join(out).split())
