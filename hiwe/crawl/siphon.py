"""Siphon: what a site's records hold is tried on the same site, once a form's values are spent.

Switched on by `lvs.siphon`. A few terms at a time, and only while the site still gives records that
are new: the site showed them, so they find something (SE stays), and elsewhere they start low and
have to earn their weight like all that is learned.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from hiwe.crawl.form_work import restore_plan, view
from hiwe.crawl.replay import outcomes_of, records_of, values_from
from hiwe.lvs.fits import write
from hiwe.lvs.generic import TEXT_KINDS
from hiwe.lvs.harvest import TERM_ROW, Trials, terms, trials
from hiwe.lvs.value import Provenance
from hiwe.lvs.values_for import generic_success
from hiwe.repository.codec import to_plain
from hiwe.submission.assignment import Binding
from hiwe.submission.values import ElementValues
from hiwe.submission.wishes import bars
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.learning import Learning
    from hiwe.crawl.stores import Stores
    from hiwe.form.form import Form
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.table import LvsTable
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.plan import Plan

BATCH = 10  # terms tried in one element before the site's new records are counted again
LEAST_RECORDS = 10  # fewer say too little of what a site holds
EVEN = 0.5  # chance of a row that was not tried in boxes for anything
STATE = "siphon"  # where the form's state holds how many records there were at the last batch

Values = tuple[ElementValues, ...]


class Siphon:
    """Finds further values for a form whose own are spent."""

    def __init__(self, learning: Learning, stores: Stores, clock: Callable[[], float]) -> None:
        self._learning = learning
        self._stores = stores
        self._clock = clock

    def next(self, work: FormWork) -> ValueAssignment | None:
        """The form's next assignment with terms of the site's records, None when it has ended.

        Its plan is made anew with a batch of terms and the outcomes there were.
        """
        plan = work.plan
        if not self._learning.siphons or work.open_keys or plan.left <= 0 or not plan.exhausted:
            return None
        grown = self._more(work)
        if grown is None:
            return None
        work.plan = grown
        return work.next_assignment()

    def _more(self, work: FormWork) -> Plan | None:
        """The form's plan with a batch of terms added; None when none is worth trying.

        None is, when the last batch brought no new record to the site. Kept with the form, so
        that a resumed run plans with the same values.
        """
        state: dict[str, Any] = dict(self._stores.forms.get(work.id).state)
        count = self._stores.records.count(site=work.site.key)
        if count < LEAST_RECORDS or count <= state.get(STATE, 0):
            return None
        settings = work.site.settings
        records = records_of(self._stores, work.site.key)
        added = batch(
            work.form,
            work.matches,
            values := values_from(state["values"]),
            records,
            self._learning.lvs,
            sigma=settings.matching.sigma,
            weight=settings.ranking.rho_min,
        )
        added = [b for b in added if not bars(work.form, work.wishes, (b,))]
        if not added:
            return None
        for binding in added:
            self._learning.from_results(binding.row, [binding.row_value], at=self._clock())
        grown = with_batch(values, added)
        self._stores.forms.update(work.id, state={**state, "values": to_plain(grown), STATE: count})
        outcomes = (outcome for _, outcome in outcomes_of(self._stores, work.id, work.fingerprint))
        return restore_plan(work.form, grown, work.site, outcomes, records)


def batch(
    form: Form,
    matches: Mapping[int, LabelMatch],
    values: Values,
    records: Sequence[Mapping[str, str]],
    lvs: LvsTable,
    *,
    sigma: float,
    weight: float,
) -> list[Binding]:
    """Up to `BATCH` new bindings for each free-text element that matched a row or is for anything.

    They weigh `weight`, the least rank that is submitted: they come after all that is known.
    """
    tried = {v.element: {fold(b.value) for b in v.values} for v in values}
    offers = _Offers(records, lvs, sigma, form.language or None)
    added: list[Binding] = []
    for position, match in matches.items():
        element = form.elements[position]
        if element.kind not in TEXT_KINDS or element.is_finite or element.range_role:
            continue
        fresh: dict[str, Binding] = {}
        for row, value in offers.of(match):
            written = write(value, view(element, form))
            if written is None or fold(written) in tried.get(position, ()):
                continue
            source = value if written != value else ""
            provenance = str(Provenance.RESULTS)
            binding = Binding(position, written, weight, row, source=source, provenance=provenance)
            fresh.setdefault(fold(written), binding)
            if len(fresh) == BATCH:
                break
        added += fresh.values()
    return added


def with_batch(values: Values, added: Sequence[Binding]) -> Values:
    """The elements' values with bindings put behind; an element without values gets them too."""
    new: dict[int, tuple[Binding, ...]] = {}
    for binding in added:
        new[binding.element] = (*new.get(binding.element, ()), binding)
    grown = [replace(v, values=(*v.values, *new.pop(v.element, ()))) for v in values]
    grown += [
        ElementValues(at, found, optional=True, required=False, neutral_default=True)
        for at, found in new.items()
    ]
    return tuple(sorted(grown, key=lambda v: v.element))


class _Offers:
    """What the records offer, by row; counted once for all elements of a form."""

    def __init__(
        self,
        records: Sequence[Mapping[str, str]],
        lvs: LvsTable,
        sigma: float,
        language: str | None,
    ) -> None:
        found = trials(lvs, records, sigma=sigma, language=language)
        self._by_row = {one.row: one for one in found}
        self._lvs = lvs
        self._words = terms(records, language=language)

    def of(self, match: LabelMatch) -> Iterator[tuple[str, str]]:
        """(row, value) for an element of this match, best first.

        A box for anything takes what all rows have in turn, rows that brought results in such
        boxes before others, then words of the records; nothing of rows that brought none.
        """
        if match.row is not None:
            if (one := self._by_row.get(match.row.label)) is not None:
                yield from ((one.row, value) for value in one.values)
        elif match.generic:
            found = self._by_row.values()
            proven = [one for one in found if self._chance(one.row) > EVEN]
            untried = [one for one in found if self._chance(one.row) == EVEN]
            yield from _in_turn(proven)
            yield from _in_turn(untried)
            if self._chance(TERM_ROW) >= EVEN:
                frequent, rare = self._words
                yield from ((TERM_ROW, word) for word in (*frequent, *rare))

    def _chance(self, label: str) -> float:
        """Expected success of a row's values in boxes for anything, even when not tried yet."""
        row = self._lvs.row(label)
        return generic_success(row) if row is not None else EVEN


def _in_turn(found: Sequence[Trials]) -> Iterator[tuple[str, str]]:
    columns = [[(one.row, value) for value in one.values] for one in found]
    for turn in zip_longest(*columns):
        yield from (offer for offer in turn if offer)
