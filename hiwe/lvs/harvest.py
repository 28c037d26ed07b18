"""Values from results: terms of harvested records become candidates for free-text elements.

Siphoning (Barbosa and Freire, 2004) in small: what stands in one record often finds others. A
field that matches a row gives whole values; the words of all fields are counted over the records,
and the most frequent and some rare ones offered. All start low and must earn their weight.

`trials` says what is worth trying in a row's elements on the site that showed the records: whole
values where records share them (directors), words where each record has its own (titles).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.lvs.element_view import ElementView
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance, WeightChange
from hiwe.text import base_language, fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.lvs.table import LvsTable

START_WEIGHT = 0.3  # below the usual rho_min: tried when the task's own values are spent
LONGEST_VALUE = 60  # characters; a longer field is prose
SHORTEST_TERM = 4
TERMS = 20  # of each kind, frequent and rare
UNIQUE = 0.8  # a field with more distinct values than this part of its records tells each apart
COMMON = 0.5  # a word in more than this part of the records tells them apart no more
TERM_ROW = "Words of records"


@dataclass(frozen=True, slots=True)
class Trials:
    """What to try in the elements of a row, best first; `words`: parts of values, not values."""

    row: str
    values: tuple[str, ...]
    words: bool


def trials(
    table: LvsTable,
    records: Sequence[Mapping[str, str]],
    *,
    sigma: float,
    language: str | None = None,
) -> tuple[Trials, ...]:
    """Candidates of the fields that match a row of the table, one for each such row.

    The most frequent value first: what many records share is likely to bring more than what one
    has. Fields whose values are all but unique give their words.
    """
    found: dict[str, Trials] = {}
    for name in dict.fromkeys(name for record in records for name in record):
        match = table.match(ElementView(name, language=language), sigma=sigma, generic=False)
        texts = [" ".join(record[name].split()) for record in records if record.get(name)]
        if match.row is None or not texts:
            continue
        counts = Counter(text for text in texts if len(text) <= LONGEST_VALUE)
        label, apart = match.row.label, len(counts) > UNIQUE * len(texts)
        if apart:
            frequent, rare = terms([{name: text} for text in texts], language=language)
            found.setdefault(label, Trials(label, (*frequent, *rare), words=True))
        elif counts:
            ranked = sorted(counts, key=lambda text: (-counts[text], text))
            found.setdefault(label, Trials(label, tuple(ranked), words=False))
    return tuple(found.values())


def harvest(
    table: LvsTable,
    records: Sequence[Mapping[str, str]],
    *,
    sigma: float,
    language: str | None = None,
    weight: float = START_WEIGHT,
) -> tuple[WeightChange, ...]:
    """Add what the records' fields (name -> text) hold to the table; the values that are new.

    Fields whose name matches a row give their values to it, the words of all of them go to a row
    of their own. Nothing known changes its weight.
    """
    changes: list[WeightChange] = []
    for name in dict.fromkeys(name for record in records for name in record):
        match = table.match(ElementView(name, language=language), sigma=sigma, generic=False)
        if match.row is not None:
            values = (" ".join(record.get(name, "").split()) for record in records)
            fitting = [value for value in values if 0 < len(value) <= LONGEST_VALUE]
            changes += _add(match.row, fitting, weight, f"results: field {name!r}")
    frequent, rare = terms(records, language=language)
    if frequent or rare:
        row = table.row(TERM_ROW) or table.add_row(Row(TERM_ROW, provenance=Provenance.RESULTS))
        changes += _add(row, frequent, weight, "results: frequent word")
        changes += _add(row, rare, weight / 2.0, "results: rare word")
    return tuple(changes)


def terms(
    records: Sequence[Mapping[str, str]], *, language: str | None = None
) -> tuple[list[str], list[str]]:
    """Frequent and rare words of the records: many records each, and one record each.

    Words of more than half of many records are left out, and so are stop words and numbers.
    """
    counts: Counter[str] = Counter()
    for record in records:
        counts.update({word for text in record.values() for word in _words(text, language)})
    most = max(2.0, COMMON * len(records))
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    frequent = [word for word, count in ranked if 2 <= count <= most][:TERMS]
    rare = [word for word, count in ranked if count == 1][:TERMS]
    return frequent, rare


def _words(text: str, language: str | None) -> Iterable[str]:
    for word in words(text, base_language(language)):
        if len(word.text) >= SHORTEST_TERM and word.text.isalpha():
            yield word.text


def add_results(table: LvsTable, label: str, values: Iterable[str]) -> tuple[WeightChange, ...]:
    """Add values that results showed to the row of a label, with low weight; those that are new."""
    row = table.row(label)
    if row is None and label == TERM_ROW:
        row = table.add_row(Row(TERM_ROW, provenance=Provenance.RESULTS))
    return tuple(_add(row, values, START_WEIGHT, "results: tried on their site")) if row else ()


def _add(row: Row, values: Iterable[str], weight: float, cause: str) -> list[WeightChange]:
    known = {fold(value) for value in row.values}
    changes = []
    for value in values:
        if fold(value) not in known:
            known.add(fold(value))
            row.values.add(value, weight, Provenance.RESULTS)
            changes.append(WeightChange(row.label, value, None, weight, cause))
    return changes
