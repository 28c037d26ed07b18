"""The submissions one by one: assignment, verdict with its evidence, request, archive."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.report.words import shown
from hiwe.repository.codec import loads
from hiwe.repository.submissions import COUNTED_STATES
from hiwe.response.response import Signal
from hiwe.submission.assignment import ValueAssignment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.report.figures import FormFigures
    from hiwe.repository.database import Database, Row

LONGEST_BODY = 500
MOST_REFERENCES = 12
PLAIN = (
    "id", "form", "site", "rank", "state", "reason", "confidence", "records", "new_records",
    "method", "url", "transport", "duration_s", "ended_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """A submission as a person reads it; `id` is its row in the table `submissions`.

    `bindings` are (label, value, weight). `counts` is False for probes and for those of which no
    request left. `archive` holds (WARC file, offsets of its records).
    """

    id: int
    form: int
    site: str
    bindings: tuple[tuple[str, str, float], ...]
    rank: float
    probe: bool
    counts: bool
    state: str
    reason: str
    verdict: str
    confidence: float | None
    evidence: tuple[Signal, ...]
    records: int
    new_records: int
    truncated: bool
    method: str
    url: str
    body: str
    transport: str
    duration_s: float
    ended_at: float | None
    archive: tuple[tuple[str, tuple[str, ...]], ...]
    more_archive: int

    @property
    def gist(self) -> str:
        """The verdict's reason, or the strongest piece of evidence, in a few words."""
        if self.reason or not self.evidence:
            return self.reason
        strongest = max(self.evidence, key=lambda signal: signal.weight)
        return f"{strongest.name.replace('_', ' ')}: {strongest.text}"


@dataclass(frozen=True, slots=True)
class SubmissionRows:
    """The newest submissions, oldest first, and how many there are in all."""

    shown: tuple[SubmissionRow, ...]
    total: int


def read_submissions(db: Database, forms: Sequence[FormFigures], *, limit: int) -> SubmissionRows:
    """Return the last `limit` submissions."""
    titles = {form.id: [element.title for element in form.elements] for form in forms}
    rows = db.rows(
        "SELECT id, form, site, assignment, rank, probe, state, reason, verdict, confidence,"
        " evidence, records, new_records, truncated, method, url, body, transport, duration_s,"
        " ended_at, archived FROM submissions ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return SubmissionRows(
        tuple(_row(row, titles[row["form"]]) for row in reversed(rows)),
        int(db.value("SELECT count(*) FROM submissions")),
    )


def _row(row: Row, titles: list[str]) -> SubmissionRow:
    references = json.loads(row["archived"])
    return SubmissionRow(
        **{name: row[name] for name in PLAIN},
        bindings=_bindings(loads(ValueAssignment, row["assignment"]), titles),
        probe=bool(row["probe"]),
        counts=row["state"] in COUNTED_STATES and not row["probe"],
        verdict=row["verdict"] or "",
        evidence=loads(tuple[Signal, ...], row["evidence"]),
        truncated=bool(row["truncated"]),
        body=shown(row["body"], LONGEST_BODY),
        archive=_places(references[:MOST_REFERENCES]),
        more_archive=max(0, len(references) - MOST_REFERENCES),
    )


def _bindings(assignment: ValueAssignment, titles: list[str]) -> tuple[tuple[str, str, float], ...]:
    """Return (label, value, weight) of each binding."""
    return tuple(
        (
            titles[b.element] if b.element < len(titles) else f"element {b.element}",
            b.value,
            b.weight,
        )
        for b in assignment.bindings
    )


def _places(references: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return references (file#offset) by file."""
    files: dict[str, list[str]] = {}
    for reference in references:
        name, _, offset = reference.partition("#")
        files.setdefault(name, []).append(offset)
    return tuple((name, tuple(offsets)) for name, offsets in files.items())
