"""A row of the LVS table: a label with aliases, and its fuzzy value set."""

from __future__ import annotations

from dataclasses import dataclass, field

from hiwe.lvs.concepts import concepts_of
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import FuzzyValueSet


@dataclass(slots=True, eq=False)
class Row:
    """`label` and `aliases` as a person wrote them; `provenance` is that of the row itself.

    `category` names the built-in category whose values follow the page's language; `concept` the
    common concept that a person declared for the row; `generic_*` count how the row's values fared
    in boxes for anything.
    """

    label: str
    aliases: tuple[str, ...] = ()
    values: FuzzyValueSet = field(default_factory=FuzzyValueSet)
    provenance: Provenance = Provenance.EXPLICIT
    category: str | None = None
    concept: str | None = None
    generic_successes: float = 0.0
    generic_failures: float = 0.0

    def __repr__(self) -> str:
        """Short: label and number of values."""
        return f"<Row {self.label!r} {len(self.values)} values>"

    def concepts(self) -> frozenset[str]:
        """Common concepts that the row's label names, or the one declared for it."""
        if self.concept:
            return frozenset({self.concept})
        return concepts_of(self.label, "en")

    def alias_concepts(self) -> frozenset[str]:
        """Common concepts that the row's aliases name."""
        return frozenset().union(*(concepts_of(alias, "en") for alias in self.aliases))

    def all_concepts(self) -> frozenset[str]:
        """The row's concepts and those that its aliases name."""
        return self.concepts() | self.alias_concepts()
