"""Find the rows whose label is most like a given one, among very many (inverted index)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from hiwe.lvs.topics import soften, topic_words
from hiwe.text import (
    MISSPELT_LENGTH,
    Word,
    is_abbreviation,
    misspelt,
    names_agent,
    words,
    words_similarity,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CANDIDATES = 96  # entries compared in full for one label; those with least to spare come first
# A row's own words come before what its concept is called elsewhere, the label's before an alias's.
FACTORS = {"label": 1.0, "alias": 1.0, "concept": 0.95, "alias concept": 0.9}
OWN = frozenset({"label", "alias"})  # what a person wrote of the row
JOINED = 0.95  # one word written as two, or two as one: 'gear box'


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to call a row: its label, an alias, or a common name of its concept."""

    row: int
    words: tuple[Word, ...]
    rule: str
    text: str = ""
    agent: bool = False  # ends in 'by'

    @property
    def factor(self) -> float:
        """What a full match by this entry is worth."""
        return FACTORS[self.rule]


@dataclass(frozen=True, slots=True)
class Hit:
    """A row (by its position) found for a label, how similar, by which rule and which name."""

    row: int
    similarity: float
    rule: str
    name: str = ""


class LabelIndex:
    """The labels of a table for one language, ready to be searched."""

    def __init__(self, entries: Iterable[tuple[int, str, str]], language: str | None) -> None:
        """Take (row, label text, rule) triples; texts without a word are passed over."""
        self._language = language
        self._entries: list[Entry] = []
        self._exact: dict[tuple[str, ...], list[int]] = {}
        self._by_stem: dict[str, list[int]] = {}
        self._by_text: dict[str, list[int]] = {}
        self._vocabulary: dict[str, list[str]] | None = None
        self._joined: dict[str, list[int]] = {}
        self._dotted: list[str] = []
        self._topic: frozenset[str] = frozenset()
        self.extend(entries)

    def extend(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Add entries; of those that come together the shortest are compared first."""
        named = [(row, words(text, self._language), rule, text) for row, text, rule in entries]
        if not self._entries:
            self._topic = topic_words((row, said) for row, said, rule, _ in named if rule in OWN)
        found = [
            Entry(row, soften(said, self._topic), rule, text, names_agent(text))
            for row, said, rule, text in named
            if said
        ]
        for entry in sorted(found, key=lambda e: _weight(e.words)):
            at = len(self._entries)
            self._entries.append(entry)
            self._exact.setdefault(_texts(entry.words), []).append(at)
            self._joined.setdefault(_join(entry.words), []).append(at)
            for word in entry.words:
                self._by_stem.setdefault(word.stem, []).append(at)
                self._by_text.setdefault(word.text, []).append(at)
                if word.abbreviated:
                    self._dotted.append(word.text)
        self._vocabulary = None

    def _beginning(self, letter: str) -> Sequence[str]:
        """The table's words that begin with a letter: the first one is seldom mistaken."""
        if self._vocabulary is None:
            self._vocabulary = {}
            for text in self._by_text:
                self._vocabulary.setdefault(text[0], []).append(text)
        return self._vocabulary.get(letter, ())

    def search(self, label: Sequence[Word], *, agents: bool = True) -> list[Hit]:
        """Best hit of each row that has something in common with the label, best rows first.

        Without `agents`, names like 'Published by' are passed over.
        """
        label = soften(label, self._topic)
        best: dict[int, Hit] = {}
        for at in self._candidates(label):
            entry = self._entries[at]
            if entry.agent and not agents:
                continue
            score = max(words_similarity(label, entry.words), _joined_alike(label, entry.words))
            score *= entry.factor
            known = best.get(entry.row)
            if score > 0.0 and (known is None or score > known.similarity):
                best[entry.row] = Hit(entry.row, score, entry.rule.split()[-1], entry.text)
        return sorted(best.values(), key=lambda hit: (-hit.similarity, hit.row))

    def _candidates(self, label: Sequence[Word]) -> Iterable[int]:
        chosen = dict.fromkeys(self._exact.get(_texts(label), ())[:CANDIDATES])
        chosen.update(dict.fromkeys(self._joined.get(_join(label), ())[:CANDIDATES]))
        heaviest = max((word.weight for word in label), default=0.0)
        postings = [self._postings(word) for word in label if word.weight == heaviest]
        for posting in sorted((p for p in postings if p), key=len):
            room = CANDIDATES - len(chosen)
            chosen.update(dict.fromkeys(islice(posting, max(room, 0))))
        return chosen

    def _postings(self, word: Word) -> list[int]:
        texts = set(self._abbreviated(word))
        if word.text not in self._by_text and word.stem not in self._by_stem:
            near = [
                other
                for other in self._beginning(word.text[0])
                if len(other) >= MISSPELT_LENGTH - 1
            ]
            texts.update(misspelt(word.text, near))
        lists = [self._by_text.get(text, []) for text in (word.text, word.stem, *sorted(texts))]
        lists.append(self._by_stem.get(word.stem, []))
        lists.append(self._by_stem.get(word.text, []))
        full = [posting for posting in lists if posting]
        return full[0] if len(full) == 1 else sorted({at for p in full for at in p[:CANDIDATES]})

    def _abbreviated(self, word: Word) -> Iterator[str]:
        """Words of the table that stand behind an abbreviation, or that abbreviate the word."""
        if word.abbreviated:
            for other in self._beginning(word.text[0]):
                if is_abbreviation(word.text, other):
                    yield other
        yield from (short for short in self._dotted if is_abbreviation(short, word.text))


def _weight(label: Sequence[Word]) -> float:
    return sum(word.weight for word in label)


def _texts(label: Sequence[Word]) -> tuple[str, ...]:
    return tuple(sorted(word.text for word in label))


def _join(label: Sequence[Word]) -> str:
    return "".join(word.text for word in label)


def _joined_alike(label: Sequence[Word], row: Sequence[Word]) -> float:
    return JOINED if len(label) != len(row) and _join(label) == _join(row) else 0.0
