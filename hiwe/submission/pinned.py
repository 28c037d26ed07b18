"""Pinned: what a person wants tried is offered before all that the answers promise."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from hiwe.submission.rank import rank
from hiwe.submission.sources import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.submission.catalogue import Catalogue
    from hiwe.submission.ledger import Ledger
    from hiwe.submission.sources import Bindings


def pinned(catalogue: Catalogue, ledger: Ledger) -> Candidate | None:
    """The first pinned value that was not sent yet, in the smallest assignment that holds it.

    It is sent even if all that it can bring is known. Values of elements that depend on each other
    come first in their lists instead: what goes with them has to be read.
    """
    for bindings in _smallest(catalogue, ledger.asked_for):
        ranked = rank((b.weight for b in bindings), catalogue.function) >= catalogue.rho_min
        if ranked and not ledger.is_given(bindings):
            return Candidate(bindings)
    return None


def _smallest(catalogue: Catalogue, required: frozenset[int]) -> Iterator[Bindings]:
    """Every pinned value with the first choice of the elements that have to be bound."""
    parents = {values.parent for values in catalogue.values}
    core = [axis for axis in catalogue.core(required) if axis.choices]
    for values in catalogue.values:
        if values.parent is not None or values.element in parents:
            continue
        for bindings in islice(values.bindings(), values.pinned):
            bound = {binding.element for binding in bindings}
            rest = (axis.choices[0].bindings for axis in core if not bound & set(axis.elements))
            yield (*(b for others in rest for b in others), *bindings)
