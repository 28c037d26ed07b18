"""What a person says of answers: the sample drawn to be judged, and the verdicts given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.totals import COUNTED
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.repository.database import Database


@dataclass(frozen=True, slots=True)
class Stratum:
    """The submissions that hiwe gave one verdict: how many, and how a person judged the sample."""

    verdict: Verdict
    submissions: int
    judged: dict[Verdict, int]


class Judged:
    """The sample of a run and a person's verdicts."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def draw(self, submissions: Iterable[int], *, at: float) -> None:
        """Keep submissions as drawn at random; those drawn before stay."""
        with self._db.atomic():
            for submission in submissions:
                self._db.execute("INSERT OR IGNORE INTO drawn VALUES (?, ?)", (submission, at))

    def drawn(self) -> list[int]:
        """Return the ids of the sample."""
        return [row[0] for row in self._db.rows("SELECT submission FROM drawn ORDER BY submission")]

    def judge(self, submission: int, verdict: Verdict, *, at: float, note: str = "") -> None:
        """Keep what a person says of an answer; a later word stands."""
        self._db.execute(
            "INSERT INTO judged VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET verdict = excluded.verdict, note = excluded.note, at = excluded.at",
            (submission, str(verdict), note, at),
        )

    def verdicts(self) -> dict[int, Verdict]:
        """Return submission -> what a person said of it."""
        rows = self._db.rows("SELECT submission, verdict FROM judged ORDER BY submission")
        return {row[0]: Verdict(row[1]) for row in rows}

    def population(self) -> dict[int, Verdict]:
        """Return the submissions that count -> hiwe's verdict."""
        rows = self._db.rows(
            f"SELECT id, verdict FROM submissions WHERE {COUNTED} AND verdict IS NOT NULL"
        )
        return {row[0]: Verdict(row[1]) for row in rows}

    def strata(self) -> list[Stratum]:
        """Return hiwe's verdicts, each with what a person said of its drawn submissions."""
        rows = self._db.rows(
            "SELECT s.verdict AS ours, j.verdict AS theirs, count(*) AS number FROM submissions s"
            " LEFT JOIN (SELECT judged.* FROM judged JOIN drawn USING (submission)) j"
            f" ON j.submission = s.id WHERE {COUNTED} AND s.verdict IS NOT NULL"
            " GROUP BY ours, theirs"
        )
        strata: list[Stratum] = []
        for verdict in Verdict:
            some = [row for row in rows if row["ours"] == verdict]
            judged = {Verdict(row["theirs"]): row["number"] for row in some if row["theirs"]}
            if some:
                strata.append(Stratum(verdict, sum(row["number"] for row in some), judged))
        return strata
