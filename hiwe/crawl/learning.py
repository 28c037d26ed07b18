"""Learning: what the LVS table learns is logged and kept, value by value, as it happens."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hiwe.crawl.form_work import match_elements
from hiwe.form.corrected import PERSON
from hiwe.lvs.generic import TEXT_KINDS
from hiwe.lvs.harvest import add_results
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance, WeightChange
from hiwe.lvs.value_set import FuzzyValueSet
from hiwe.repository.experience import Change
from hiwe.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.crawl.stores import Stores
    from hiwe.form.form import Form
    from hiwe.lvs.element_view import ElementView
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.sources import Sources
    from hiwe.lvs.table import LvsTable
    from hiwe.task.hints import AddedRow
    from hiwe.task.settings import Matching


START = "lvs_start"  # key of the run's value that says how large the table was at first


class Learning:
    """The LVS table of a run together with its place in the database.

    `enabled` is `lvs.learn`: off, the table stays as it was loaded.
    """

    def __init__(
        self,
        lvs: LvsTable,
        stores: Stores,
        *,
        enabled: bool,
        siphons: bool = False,
        sources: Sources | None = None,
    ) -> None:
        self.lvs = lvs
        self.siphons = enabled and siphons
        self._sources = sources
        self._run = stores.run
        self._told = len(sources.notes) if sources is not None else 0
        self._store = stores.experience
        self._enabled = enabled

    def matches(self, form: Form, matching: Matching, *, at: float) -> dict[int, LabelMatch]:
        """LabelMatch(E) of a form's elements; labels that match nothing are asked of the sources.

        Sources that were passed over are asked again when it is time.
        """
        if self._sources is not None and self._sources.is_due:
            self._add_rows(self._sources.rows(), at=at)
        sigma, generic = matching.sigma, matching.generic
        found = match_elements(form, self.lvs, sigma=sigma, generic=generic)
        if self._sources is None or not self._sources.takes_labels:
            return found
        labels = [
            form.elements[at].label
            for at, match in found.items()
            if match.rule == "none" and form.elements[at].kind in TEXT_KINDS
        ]
        categories = [self._sources.category(clean(label)) for label in labels if label]
        new = [category.row() for category in categories if category is not None]
        self._add_rows(new, at=at)
        return match_elements(form, self.lvs, sigma=sigma, generic=generic) if new else found

    def _add_rows(self, rows: Iterable[Row], *, at: float) -> None:
        for row in rows:
            known = self.lvs.row(row.label)
            new = [v for v in row.values if known is None or v not in known.values]
            into = self.lvs.add_row(row)
            cause = "source: new category for the label"
            changes = (WeightChange(into.label, v, None, into.values.weight(v), cause) for v in new)
            self._keep([(into.label, v) for v in new], tuple(changes), at=at)
        assert self._sources is not None, "rows come from sources"
        for note in self._sources.notes[self._told :]:
            self._run.add_event("source", note, level="warning")
        self._told = len(self._sources.notes)

    def add_rows_of_person(self, rows: Iterable[AddedRow], *, at: float, log: bool) -> set[str]:
        """Add rows that a person gave, or their values to rows there are; labels of those rows.

        `log` notes the new values among what the run learned.
        """
        touched = set()
        for added in rows:
            values = FuzzyValueSet()
            for value, weight in added.values.items():
                values.add(value, weight, Provenance.PERSON)
            row = Row(added.label, added.aliases, values, Provenance.PERSON)
            known = self.lvs.row(row.label)
            new = [v for v in row.values if known is None or v not in known.values]
            into = self.lvs.add_row(row)
            touched.add(into.label)
            if log:
                changes = (WeightChange(into.label, v, None, values.weight(v), PERSON) for v in new)
                self._keep([(into.label, v) for v in new], tuple(changes), at=at)
        return touched

    def from_domains(
        self, elements: Iterable[tuple[ElementView, LabelMatch]], *, at: float
    ) -> None:
        """Crawling experience: the domains of a chosen form's finite elements."""
        if not self._enabled:
            return
        for element, match in elements:
            changes = self.lvs.learn(element, match)
            touched = [(change.row, change.value) for change in changes]
            self._keep(touched, changes, at=at)

    def from_outcome(
        self,
        pairs: list[tuple[str, str]],
        *,
        succeeded: bool,
        generic: bool,
        cause: str,
        at: float,
        submission: int,
    ) -> None:
        """Success or failure of a submission, for the (row, value) pairs it carried."""
        if not self._enabled or not pairs:
            return
        changes = self.lvs.reward(pairs, succeeded=succeeded, cause=cause, generic=generic)
        self._keep(pairs, changes, at=at, submission=submission)

    def from_results(self, row: str, values: Sequence[str], *, at: float) -> None:
        """Terms of harvested records that are about to be tried: they start low (`lvs.siphon`)."""
        if not self.siphons:
            return
        changes = add_results(self.lvs, row, values)
        self._keep([(change.row, change.value) for change in changes], changes, at=at)

    def _keep(
        self,
        touched: Iterable[tuple[str, str]],
        changes: tuple[WeightChange, ...],
        *,
        at: float,
        submission: int | None = None,
    ) -> None:
        rows = {row.label: row for row in self.lvs.rows}
        found = [(rows[label], value) for label, value in touched if label in rows]
        self._store.save_rows({row.label: _row_data(row) for row, _ in found})
        self._store.save_values(
            (row.label, value, _value_data(row, value))
            for row, value in found
            if value in row.values
        )
        self._store.log(
            [Change(c.row, c.value, c.before, c.after, c.cause, submission) for c in changes],
            at=at,
        )

    def begin(self) -> None:
        """Take up the run: note the table it begins with, or put back what it has learned."""
        if self._run.get(START) is None:
            counts = Counter(r.provenance for row in self.lvs.rows for r in row.values.records())
            self._run.set(START, {"rows": len(self.lvs.rows), "values": counts})
        self.restore()

    def restore(self) -> None:
        """Put back what earlier processes of the run learned."""
        self.lvs.restore(
            {**row, "values": [[value, *data] for value, data in values.items()]}
            for row, values in self._store.load().values()
        )


def _row_data(row: Row) -> dict[str, Any]:
    """A row without its values, as `lvs.snapshot` describes it."""
    return {
        "label": row.label,
        "aliases": list(row.aliases),
        "provenance": row.provenance.value,
        "category": row.category,
        "concept": row.concept,
        "generic": [row.generic_successes, row.generic_failures],
    }


def _value_data(row: Row, value: str) -> list[Any]:
    record = row.values.record(value)
    return [record.weight, record.start, record.provenance.value, record.successes, record.failures]
