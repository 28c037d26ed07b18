"""The words of a label: folded, split, stemmed and weighted, in any language and script.

Stop words (articles, range words) weigh nothing, soft words ('enter', 'name', 'any', 'film')
little, all others one; a label made of soft words alone keeps them at full weight. Word lists and
endings are data (`words.yaml`); the rules here know scripts only.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SOFT_WEIGHT = 0.1
INFLECTED_LENGTH = 7  # letters: shorter words of one stem are too often different words

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|（[^（）]*）|【[^【】]*】|<[^<>]*>")
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*\.?")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ELISION = re.compile(r"(?<=\w)['\u2019\u02bc`](?=\w)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_ARABIC_ARTICLE = re.compile("^(?:[وبفك]?ال|لل)")
_SCRIPTS = ("latin", "cyrillic", "greek", "arabic", "hebrew")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a label: folded text, stem, weight, and whether a dot cut it short."""

    text: str
    stem: str
    weight: float
    abbreviated: bool = False


@cache
def data() -> dict[str, Any]:
    """The word lists of `words.yaml`."""
    return dict(word_lists("hiwe.text", "words.yaml"))


def base_language(language: str | None) -> str | None:
    """Two-letter code of a language tag ('it-IT' -> 'it'); None when there is none that we know."""
    code = re.split(r"[-_]", (language or "").strip().casefold())[0]
    code = {"nb": "no", "nn": "no"}.get(code, code)
    return code if code in data()["stop"] else None


@cache
def _word_set(kind: str, language: str | None) -> frozenset[str]:
    lists: dict[str, list[str]] = data()[kind]
    chosen = lists if language is None else {language, "en"} & lists.keys()
    return frozenset(fold(word) for code in chosen for word in lists[code])


@cache
def _soft(language: str | None) -> frozenset[str]:
    return _word_set("soft", language) | frozenset(_parts()[0])


@cache
def _endings(key: str) -> tuple[int, tuple[str, ...]]:
    rules = data()["endings"][key]
    return rules["min"], tuple(sorted(map(fold, rules["list"]), key=len, reverse=True))


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Casefolded NFKC text without the accents of alphabets (Latin, Greek, Cyrillic, Hebrew...)."""
    if text.isascii():
        return text.casefold()
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text).casefold())
    kept: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        alphabetic = not kept or ord(kept[-1]) < 0x0700
        if unicodedata.category(char) == "Mn" and alphabetic:
            continue
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept)).replace("ı", "i").replace("ø", "o")


def clean(text: str) -> str:
    """Label text for people: one line, no bracketed remark, required mark, colon or bullet."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    outside = _BRACKETS.sub(" ", text)
    text = outside if re.search(r"\w", outside) else text
    text = " ".join(text.split())
    trimmed = re.sub(r"^[\W_]+|[^\w.)\]%€$£]+$", "", text).rstrip(". ")
    return (trimmed if "(" in trimmed else trimmed.rstrip(")")) or text


@lru_cache(maxsize=65536)
def words(text: str, language: str | None = None) -> tuple[Word, ...]:
    """The weighted words of a label in their order; () for a text without letter or digit."""
    code = base_language(language)
    outside = _outside(unicodedata.normalize("NFKC", text))
    pieces = _WORDS.findall(_ELISION.sub(" ", outside if re.search(r"\w", outside) else text))
    found = [word for piece in pieces for word in _split(piece, code)]
    if " ".join(word for word, _ in found[:2]) in data()["openings"]:
        found = found[1:]
    return _weighted(found, code)


def _outside(text: str) -> str:
    """The text without its bracketed remarks, but for those that go on with it ('(of repair)')."""

    def kept(found: re.Match[str]) -> str:
        inside = found.group()[1:-1]
        return f" {inside} " if fold(inside).split()[:1] in _openers() else " "

    return _BRACKETS.sub(kept, text)


@cache
def _openers() -> list[list[str]]:
    return [[word] for word in data()["of"]]


def remarks(text: str) -> tuple[str, ...]:
    """What stands in the brackets of a label: 'Released in (year)' -> ('year',)."""
    found = _BRACKETS.findall(unicodedata.normalize("NFKC", text))
    return tuple(remark[1:-1].strip() for remark in found if re.search(r"\w", remark[1:-1]))


def names_agent(text: str) -> bool:
    """Whether a label of two words or more ends in a word like 'by': 'Published by'."""
    found = fold(text).split()
    return len(found) > 1 and found[-1].strip(" :*") in data()["agents"]


def ends_otherwise(text: str, language: str | None = None) -> bool:
    """Whether a label ends in a preposition that names no agent: 'Published after'."""
    found = fold(text).rstrip(" :*").split()
    stop = _word_set("stop", base_language(language))
    return len(found) > 1 and found[-1] in stop and not names_agent(text)


def _split(piece: str, language: str | None) -> Iterable[tuple[str, bool]]:
    """Folded words of one written piece, each with whether a dot ended it."""
    abbreviated, piece = piece.endswith("."), piece.rstrip(".")
    parts = piece.split("-")
    if len(parts) > 1 and min(len(part) for part in parts) == 1:
        parts = ["".join(parts)]  # 'e-mail' is 'email'
    for part in parts:
        for word in _uncompound(fold(part), language):
            yield word, abbreviated and part is parts[-1]


def _uncompound(word: str, language: str | None) -> Sequence[str]:
    """Parts of a word of an unspaced script or of a compound with a known first part."""
    if _UNSPACED.search(word):
        return _unspaced(word)
    if language in (None, "de", "nl", "sv", "da", "no", "fi") and word not in _soft(language):
        firsts, tails = _parts()
        for first in firsts if word.startswith(firsts) else ():
            if word.startswith(first) and len(word) - len(first) >= _least_rest(first):
                return first, word[len(first) :]
        for last in tails if word.endswith(tails) else ():
            head = word.removesuffix(last)
            if 4 <= len(head) < len(word) and head not in _word_set("stop", language):
                return head, last
    return (word,)


def _least_rest(first: str) -> int:
    """Least letters after a first part: two after a long one ('produktionsår')."""
    return 2 if len(first) >= 8 else 3


@cache
def _parts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Known first and last parts of compounds, the firsts longest first."""
    firsts = sorted(map(fold, data()["compounds"]), key=len, reverse=True)
    return tuple(firsts), tuple(map(fold, data()["tails"]))


@lru_cache(maxsize=65536)
def _unspaced(word: str) -> tuple[str, ...]:
    little = [
        one
        for kind in ("stop", "soft")
        for one in _word_set(kind, None)
        if _UNSPACED.search(one) and len(one) < len(word)
    ]
    for one in sorted(little, key=len, reverse=True):
        rest = len(word) - len(one)
        if rest < 2:
            continue
        if word.endswith(one):
            return (*_unspaced(word[:rest]), one)
        if word.startswith(one) and (len(one) >= 2 or one == "の"):
            return (one, *_unspaced(word[len(one) :]))
        head, joint, tail = word.partition(one)
        if joint and one == "の" and head and tail:
            return (*_unspaced(head), one, *_unspaced(tail))
    return (word,)


def _weighted(found: list[tuple[str, bool]], language: str | None) -> tuple[Word, ...]:
    stop, soft = _word_set("stop", language), _soft(language)
    kept = [(word, dot) for word, dot in found if word not in stop] or found
    little = [w in soft or w.isdecimal() or _is_inflected_soft(w, language) for w, _ in kept]
    weights = [SOFT_WEIGHT if is_little else 1.0 for is_little in little]
    if kept and max(weights) < 1.0:
        weights = [1.0] * len(kept)
    pairs = zip(kept, weights, strict=True)
    return tuple(Word(w, stem(w, language), weight, dot) for (w, dot), weight in pairs)


def _is_inflected_soft(word: str, language: str | None) -> bool:
    """Whether a long word of a known language is a form of a soft one ('Dokuments')."""
    if language is None or len(word) < INFLECTED_LENGTH:
        return False
    return stem(word, language) in _soft_stems(language)


@cache
def _soft_stems(language: str) -> frozenset[str]:
    long = (word for word in _soft(language) if len(word) >= INFLECTED_LENGTH)
    return frozenset(stem(word, language) for word in long)


@lru_cache(maxsize=65536)
def stem(word: str, language: str | None = None) -> str:
    """A folded word without its inflection ending, by language or, unknown, by script."""
    endings = data()["endings"]
    script = _script(word)
    if script is None:
        return word
    if script == "arabic":
        word = _ARABIC_ARTICLE.sub("", word) if len(word) > 4 else word
    shortened = word
    for key in (language, script):
        if key not in endings or _script(endings[key]["list"][0]) != script:
            continue
        least, listed = _endings(key)
        for ending in listed:
            if shortened.endswith(ending) and len(shortened) - len(ending) >= least:
                shortened = shortened[: -len(ending)]
                break
    if script == "latin" and shortened.endswith("ie") and word.endswith("ies"):
        shortened = shortened[:-2] + "y"
    return shortened


@lru_cache(maxsize=65536)
def _script(word: str) -> str | None:
    name = unicodedata.name(word[0], "") if word else ""
    return next((script for script in _SCRIPTS if name.startswith(script.upper())), None)


def is_soft(word: Word, language: str | None = None) -> bool:
    """Whether a word is a soft one ('name', 'film'), also in a label that has no others."""
    code = base_language(language)
    return word.weight < 1.0 or word.text in _word_set("soft", code)


def normalise(text: str, language: str | None = None) -> tuple[str, ...]:
    """Stems of a label's telling words, in order: 'Title of the film:' -> ('titl',).

    Soft words are left out unless there are no others; () for a text without letter or digit.
    """
    return tuple(word.stem for word in words(text, language) if word.weight == 1.0)


def name_words(name: str) -> tuple[Word, ...]:
    """The words of a name or id attribute ('ctl00$txtDirectorName' -> director, name)."""
    pieces = [p for part in re.split(r"[\W_]+", name) for p in _CAMEL.split(part)]
    markup = frozenset(data()["markup"])
    folded = (fold(p) for p in pieces if p and not p.isdecimal())
    telling = [p for p in folded if p not in markup and not (len(p) == 1 and p.isascii())]
    return tuple(Word(word, stem(word), 1.0) for word in telling)
