"""How similar two labels are: word by word, whatever the order, by edit distance.

The one module that imports rapidfuzz.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, Levenshtein

from hiwe.text.words import Word, data, words

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL_EXTRA = 0.5  # cost of a word that only the label has: 'birth date' is no 'date'
ROW_EXTRA = 0.3  # cost of a word that only the row has: 'date' may well be its 'flight date'
INFLECTED = 0.97  # two forms of one word: 'Авторы' and 'Автор'
ABBREVIATED = 0.9  # 'Dir.' and 'Director'
MISSPELT_LENGTH = 9  # shorter words that differ inside are too often different words
PLAIN_RATIOS: dict[str, tuple[Any, float]] = {
    "Levenshtein ratio": (Levenshtein.normalized_similarity, 1.0),
    "token-set ratio": (fuzz.token_set_ratio, 100.0),
}


@cache
def _distinct() -> frozenset[tuple[str, str]]:
    return frozenset((a, b) for group in data()["distinct"] for a in group for b in group if a != b)


def word_similarity(first: Word, second: Word) -> float:
    """How surely two words are one: 1 equal, then inflected, abbreviated, misspelt; else 0."""
    if first.text == second.text:
        return 1.0
    if not _distinct().isdisjoint(product((first.text, first.stem), (second.text, second.stem))):
        return 0.0
    if first.stem == second.stem or first.stem == second.text or first.text == second.stem:
        return INFLECTED
    if first.abbreviated or second.abbreviated:
        short, long = sorted((first.text, second.text), key=len)
        return ABBREVIATED if is_abbreviation(short, long) else 0.0
    return _misspelling(first.text, second.text)


def is_abbreviation(short: str, long: str) -> bool:
    """Whether a dotted word may stand for the other: its beginning, or a contraction of it."""
    if len(short) < 2 or len(short) >= len(long) or short[0] != long[0]:
        return False
    rest = iter(long)
    contracted = len(short) >= 3 or short[-1] == long[-1]
    return long.startswith(short) or (contracted and all(char in rest for char in short))


def _misspelling(first: str, second: str) -> float:
    longest = max(len(first), len(second))
    if longest < MISSPELT_LENGTH or OSA.distance(first, second, score_cutoff=1) > 1:
        return 0.0
    return 1.0 - 2.0 / longest


def words_similarity(label: Sequence[Word], row: Sequence[Word]) -> float:
    """Similarity in [0, 1] of a label's words to a row's; see `similarity`."""
    if not label or not row:
        return 0.0
    pairs = [(word_similarity(a, b), i, j) for i, a in enumerate(label) for j, b in enumerate(row)]
    free_label, free_row = set(range(len(label))), set(range(len(row)))
    common = 0.0
    for score, i, j in sorted(pairs, key=lambda pair: -pair[0]):
        if score > 0.0 and i in free_label and j in free_row:
            free_label.remove(i)
            free_row.remove(j)
            common += score * (label[i].weight + row[j].weight) / 2.0
    matched = sum(w.weight for i, w in enumerate(label) if i not in free_label)
    matched = (matched + sum(w.weight for j, w in enumerate(row) if j not in free_row)) / 2.0
    extra = LABEL_EXTRA * sum(label[i].weight for i in free_label)
    extra += ROW_EXTRA * sum(row[j].weight for j in free_row)
    return common / (matched + extra) if matched else 0.0


def similarity(a: str, b: str, language: str | None = None) -> float:
    """How similar label `a` is to row label `b`, in [0, 1]: a Tversky index over word pairs.

    What is common is weighed against the words that only one side has, more against those of `a`.
    """
    return words_similarity(words(a, language), words(b, language))


def misspelt(word: str, vocabulary: Sequence[str], *, limit: int = 8) -> list[str]:
    """Words of the vocabulary that `word` may be a misspelling of, nearest first (batch)."""
    hits = process.extract(word, vocabulary, scorer=OSA.distance, score_cutoff=1, limit=limit)
    return [hit for hit, _, _ in hits if _misspelling(word, hit) and (word, hit) not in _distinct()]


def nearest(text: str, choices: Sequence[str], *, ratio: str) -> tuple[int, float]:
    """Position and likeness in [0, 1] of the choice nearest by a plain ratio of PLAIN_RATIOS.

    (-1, 0) when there are no choices. For comparison: it knows neither words nor languages.
    """
    scorer, scale = PLAIN_RATIOS[ratio]
    found = process.extractOne(text, choices, scorer=scorer)
    return (found[2], found[1] / scale) if found else (-1, 0.0)
