"""The submissions in the order they ended: what SE over time and new records are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from hiwe.repository.submissions import COUNTED_STATES
from hiwe.repository.totals import share
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiwe.repository.database import Database, Row


@dataclass(frozen=True, slots=True)
class Step:
    """One submission of which a request left; `verdict` None when no answer came.

    A probe is no submission, and the records it found are known all the same.
    """

    id: int
    form: int
    at: float
    verdict: Verdict | None
    new_records: int
    probe: bool = False


def read_history(db: Database) -> list[Step]:
    """Return the submissions and probes, in the order they ended."""
    rows = db.rows(
        "SELECT id, form, coalesce(ended_at, claimed_at) AS at, verdict, new_records, probe"
        f" FROM submissions WHERE state IN {COUNTED_STATES} ORDER BY at, id"
    )
    return [_step(row) for row in rows]


def _step(row: Row) -> Step:
    verdict = Verdict(row["verdict"]) if row["verdict"] else None
    return Step(row["id"], row["form"], row["at"], verdict, row["new_records"], bool(row["probe"]))


def counted(steps: Sequence[Step]) -> list[Step]:
    """Return the steps without the probes."""
    return [step for step in steps if not step.probe]


def strict_so_far(steps: Sequence[Step]) -> list[float]:
    """Return SE-strict after each submission."""
    return _so_far(steps, lambda verdict: verdict.is_success)


def lenient_so_far(steps: Sequence[Step]) -> list[float]:
    """Return SE-lenient after each submission."""
    return _so_far(steps, lambda verdict: verdict.is_valid)


def records_so_far(steps: Sequence[Step]) -> list[float]:
    """Return how many distinct records were known after each submission."""
    known = accumulate(float(step.new_records) for step in steps)
    return [number for step, number in zip(steps, known, strict=True) if not step.probe]


def _so_far(steps: Sequence[Step], counts: Callable[[Verdict], bool]) -> list[float]:
    hits = accumulate(step.verdict is not None and counts(step.verdict) for step in counted(steps))
    return [share(hit, number) for number, hit in enumerate(hits, start=1)]
