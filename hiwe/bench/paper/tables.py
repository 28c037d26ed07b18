"""The LVS tables of the three tasks: fuzzy value sets made from what the data hold.

A weight says how sure it is that a site knows the value. Who writes such a table knows the famous
names; here the number of records that hold a value in all the data stands for fame. Beside them
are values as a wrapped source brings them, known to few, and some that are wrong: names from
another field.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hiwe_fixtures.films import awarded_directors
from hiwe_fixtures.generated.records import items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe_fixtures.generated.records import Item

T = TypeVar("T")
TASKS = ("films", "reports", "articles")
#: (least number of records, weight, how many values of that weight): explicit ones first.
LEVELS = ((10, 1.0, 10), (5, 0.8, 10), (3, 0.6, 10), (1, 0.4, 6))
WRONG_WEIGHT, WRONG = 0.2, 4
#: Where the wrong names of a task come from.
ELSEWHERE = {"films": "articles", "reports": "films", "articles": "reports"}
TITLE_WORDS, YEARS, LISTED, CODES = 8, 8, 8, 6
WORD_LENGTH = 5
CODE_WEIGHT = 0.4  # one record in all the data: hardly any site has it


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: label, field of the records it speaks of, value -> weight."""

    label: str
    concept: str
    values: dict[str, float]

    def written(self) -> dict[str, object]:
        """The row as a table file holds it."""
        return {"label": self.label, "values": self.values}


LABELS = {
    "films": {"person": "Director", "title": "Title", "kind": "Genre", "maker": "Distributor",
              "year": "Year"},
    "reports": {"person": "Author", "title": "Title", "kind": "Status", "code": "Number",
                "year": "Year"},
    "articles": {"person": "Author", "title": "Title", "kind": "Subject", "code": "Number",
                 "year": "Year"},
}  # fmt: skip


def rows(task: str) -> list[Row]:
    """The rows of a task's table."""
    held = items(task)
    made = {
        "person": lambda: _people(task, held),
        "title": lambda: _weighted(_title_words(held), TITLE_WORDS),
        "kind": lambda: _weighted(Counter(i.kind for i in held if i.kind), LISTED),
        "maker": lambda: _weighted(Counter(i.maker for i in held if i.maker), LISTED),
        "code": lambda: {i.code: CODE_WEIGHT for i in _spread(held, CODES)},
        "year": lambda: _weighted(_some_years(held), YEARS),
    }
    return [Row(label, concept, made[concept]()) for concept, label in LABELS[task].items()]


def people(held: Iterable[Item]) -> Counter[str]:
    """How many records each person has."""
    return Counter(name for item in held for name in item.person.split("; ") if name)


def _people(task: str, held: tuple[Item, ...]) -> dict[str, float]:
    """The task's persons by fame, and a few that are none of its."""
    known = people(held)
    wanted = known
    if task == "films":
        wanted = Counter({name: n for name, n in known.items() if name in awarded_directors()})
    values = dict(_levels(wanted))
    for name, _ in people(items(ELSEWHERE[task])).most_common():
        if len(values) >= sum(count for _, _, count in LEVELS) + WRONG:
            break
        if name not in known:
            values[name] = WRONG_WEIGHT
    return values


def _levels(counts: Counter[str]) -> Iterator[tuple[str, float]]:
    """The most famous of each level, with its weight."""
    ranked = counts.most_common()
    above = max(count for _, count in ranked) + 1
    for least, weight, most in LEVELS:
        level = [name for name, count in ranked if least <= count < above]
        yield from ((name, weight) for name in level[:most])
        above = least


def _weighted(counts: Counter[str], most: int) -> dict[str, float]:
    """The most frequent values, each with the weight of its level."""
    return {
        value: next(weight for least, weight, _ in LEVELS if count >= least)
        for value, count in counts.most_common(most)
    }


def _title_words(held: tuple[Item, ...]) -> Counter[str]:
    """Words of titles, by the number of titles that hold them."""
    return Counter(
        word
        for item in held
        for word in set(re.findall(r"[a-z]+", item.title.lower()))
        if len(word) >= WORD_LENGTH
    )


def _some_years(held: tuple[Item, ...]) -> Counter[str]:
    """Years at even distances over all the data have."""
    counts = Counter(item.year for item in held if item.year)
    return Counter({year: counts[year] for year in _spread(sorted(counts), YEARS)})


def _spread(of: Sequence[T], count: int) -> list[T]:
    return [of[len(of) * at // count] for at in range(count)]
