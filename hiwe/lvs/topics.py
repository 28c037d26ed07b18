"""What a table is about, from its rows' names: words that tell its rows apart no more."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from hiwe.text import SOFT_WEIGHT, fold
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.text import Word

LEAST_ROWS = 2  # rows whose own names speak of a topic before it is the table's


@cache
def _topics() -> dict[str, frozenset[str]]:
    loaded = word_lists("hiwe.lvs", "topics.yaml", as_written=True)
    return {
        topic: frozenset(fold(word) for listed in languages.values() for word in listed)
        for topic, languages in loaded.items()
    }


def topic_words(names: Iterable[tuple[int, Sequence[Word]]]) -> frozenset[str]:
    """The words of the topics that at least `LEAST_ROWS` of the (row, name) pairs speak of."""
    rows: dict[str, set[int]] = {topic: set() for topic in _topics()}
    every = frozenset().union(*_topics().values())
    for row, name in names:
        for text in every.intersection(word.text for word in name):
            for topic, listed in _topics().items():
                if text in listed:
                    rows[topic].add(row)
    spoken = (topic for topic, speaking in rows.items() if len(speaking) >= LEAST_ROWS)
    return frozenset().union(*(_topics()[topic] for topic in spoken))


def soften(name: Sequence[Word], topic: frozenset[str]) -> tuple[Word, ...]:
    """The words with those of the table's topic weighing little, unless there are no others."""
    if not topic or topic.isdisjoint(word.text for word in name):
        return tuple(name)
    if all(word.text in topic or word.weight <= SOFT_WEIGHT for word in name):
        return tuple(name)
    return tuple(
        replace(word, weight=min(word.weight, SOFT_WEIGHT)) if word.text in topic else word
        for word in name
    )
