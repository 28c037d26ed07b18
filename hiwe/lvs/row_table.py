"""The rows of a table and what finds them: by label as written, by likeness, by page language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.lvs.builtin import builtin_values
from hiwe.lvs.concepts import aliases, label_key
from hiwe.lvs.label_index import LabelIndex
from hiwe.lvs.value import Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hiwe.lvs.row import Row
    from hiwe.lvs.value_set import FuzzyValueSet

Name = tuple[int, str, str]  # row position, text, rule


class RowTable:
    """Rows in the order they came, each label once."""

    def __init__(self, rows: Iterable[Row] = (), *, language: str | None = None) -> None:
        """Take rows; those that call themselves the same are merged into the first of them."""
        self.language = language
        self._rows: list[Row] = []
        self._by_key: dict[tuple[str, ...], int] = {}
        self._by_label: dict[str, Row] = {}
        self._indexes: dict[str | None, LabelIndex] = {}
        self._localised: dict[tuple[str, str], FuzzyValueSet] = {}
        for row in rows:
            self.add_row(row)

    def __repr__(self) -> str:
        """Short: numbers of rows and values."""
        values = sum(len(row.values) for row in self._rows)
        return f"<{type(self).__name__} {len(self._rows)} rows {values} values>"

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, in the order they came; to be read only."""
        return self._rows

    def row(self, label: str) -> Row | None:
        """The row of this label (as written), or None."""
        return self._by_label.get(label)

    def add_row(self, row: Row) -> Row:
        """Add a row, or its aliases and values to the row of the same label; the row it went to."""
        key = label_key(row.label, None) or (row.label,)
        at = self._by_key.setdefault(key, len(self._rows))
        if at == len(self._rows):
            self._rows.append(row)
            self._by_label[row.label] = row
            self._extend(lambda language: self._names(at, language))
            return row
        known = self._rows[at]
        new = [alias for alias in row.aliases if alias not in known.aliases]
        known.aliases += tuple(new)
        known.category = known.category or row.category
        for record in row.values.records():
            known.values.add(record.value, record.weight, record.provenance)
        self._extend(lambda _: [(at, alias, "alias") for alias in new])
        return known

    def _extend(self, names: Callable[[str | None], Iterable[Name]]) -> None:
        for language, index in self._indexes.items():
            index.extend(names(language))

    def index(self, language: str | None) -> LabelIndex:
        """The rows' labels, aliases and concepts' common names, for one language (None: all)."""
        if language not in self._indexes:
            every = range(len(self._rows))
            names = (name for at in every for name in self._names(at, language))
            self._indexes[language] = LabelIndex(names, language)
        return self._indexes[language]

    def _names(self, at: int, language: str | None) -> Iterable[Name]:
        row = self._rows[at]
        if row.provenance is Provenance.RESULTS:
            return  # words of records: values for boxes for anything, called by no label
        yield at, row.label, "label"
        yield from ((at, alias, "alias") for alias in row.aliases)
        if row.provenance is not Provenance.EXPERIENCE:
            own = row.concepts()
            for concept in sorted(own | row.alias_concepts()):
                rule = "concept" if concept in own else "alias concept"
                yield from ((at, name, rule) for name in aliases(concept, language))

    def values_of(self, row: Row, language: str | None) -> FuzzyValueSet:
        """The row's values; for a built-in category those in the page's language."""
        if not row.category or not language or language == self.language:
            return row.values
        key = (row.category, language)
        if key not in self._localised:
            self._localised[key] = builtin_values(row.category, language)
        return self._localised[key]
