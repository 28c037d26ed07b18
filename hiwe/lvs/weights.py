"""How weights move: a damped, bounded estimate of a value's success, with blame shared wisely.

A value that may move weighs the mean of a Beta posterior: it starts with `PRIOR_STRENGTH` imagined
trials at its start weight, and each real one adds to them. So one failure never halves a weight,
and no number of them leaves [0, 1]. Fixed values (explicit, built-in) only have their record kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.lvs.value import WeightChange

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe.lvs.row import Row
    from hiwe.lvs.value_set import ValueRecord

PRIOR_STRENGTH = 4.0
LEAST_BLAME = 0.02  # even a value that never failed takes a little, so that shares are defined


def posterior(start: float, successes: float, failures: float) -> float:
    """Mean of the Beta posterior after the trials, in [0, 1]; `start` with none."""
    trials = PRIOR_STRENGTH + successes + failures
    return min(1.0, max(0.0, (PRIOR_STRENGTH * start + successes) / trials))


def expected_success(record: ValueRecord) -> float:
    """How likely the value is to succeed, by its record (fixed values have one too)."""
    return posterior(record.start, record.successes, record.failures)


def blame(records: Sequence[ValueRecord]) -> list[float]:
    """Shares, of sum 1, of one failure of an assignment: most to the value least proven."""
    doubts = [max(LEAST_BLAME, 1.0 - _proven(record)) for record in records]
    total = sum(doubts)
    return [doubt / total for doubt in doubts]


def _proven(record: ValueRecord) -> float:
    """Success by the record alone, from even odds: a start weight is an opinion, not a proof."""
    return posterior(0.5, record.successes, record.failures)


def reward(
    rows: Mapping[str, Row], pairs: Sequence[tuple[str, str]], *, succeeded: bool, cause: str
) -> tuple[WeightChange, ...]:
    """Count one submission for the (row label, value) pairs it carried; the weights that moved.

    A success counts fully for every value, a failure counts one in all, shared by `blame`. Pairs
    of rows or values that the table does not have (an element's own domain) are passed over.
    """
    known = [
        (rows[row], value) for row, value in pairs if row in rows and value in rows[row].values
    ]
    records = [row.values.record(value) for row, value in known]
    shares = [1.0] * len(known) if succeeded or not known else blame(records)
    changes = []
    for (row, value), record, share in zip(known, records, shares, strict=True):
        row.values.count(value, successes=share if succeeded else 0.0)
        row.values.count(value, failures=0.0 if succeeded else share)
        if record.provenance.is_fixed:
            continue
        after = row.values.record(value)
        row.values.set_weight(value, posterior(after.start, after.successes, after.failures))
        new = row.values.weight(value)
        if new != record.weight:
            changes.append(WeightChange(row.label, value, record.weight, new, cause))
    return tuple(changes)
