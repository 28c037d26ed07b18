"""The figures of a run, counted by the database: one source for progress, summary and report.

What counts as a submission is the contract's rule: a request left for its assignment, and it is no
probe. SE-strict is N_success / N_total, SE-lenient N_valid / N_total (paper, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.submissions import COUNTED_STATES
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from hiwe.repository.database import Database

COUNTED = f"state IN {COUNTED_STATES} AND probe = 0"
SUCCESS = tuple(str(verdict) for verdict in Verdict if verdict.is_success)
VALID = tuple(str(verdict) for verdict in Verdict if verdict.is_valid)


def share(part: int, whole: int) -> float:
    """Return part / whole, 0 for nothing at all."""
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Submissions counted: all, those with results, those semantically correct, those cut off.

    `truncated` have results, but not all there are.
    """

    submissions: int = 0
    success: int = 0
    valid: int = 0
    truncated: int = 0

    @property
    def se_strict(self) -> float:
        """N_success / N_total."""
        return share(self.success, self.submissions)

    @property
    def se_lenient(self) -> float:
        """N_valid / N_total."""
        return share(self.valid, self.submissions)


@dataclass(frozen=True, slots=True)
class RunTotals:
    """Figures of the whole run."""

    pages: int
    result_pages: int
    forms_seen: int
    forms_chosen: int
    tally: Tally
    records: int
    errors: int
    probes: int
    checks: int  # of plain HTTP with the browser
    open_actions: int


@dataclass(frozen=True, slots=True)
class SiteTotals:
    """Figures of one site; `stopped` says why no more is done there, '' when it is not stopped."""

    url: str
    pages: int
    forms_chosen: int
    tally: Tally
    records: int
    stopped: str


@dataclass(frozen=True, slots=True)
class FormTotals:
    """Figures of one form."""

    id: int
    tally: Tally
    probes: int
    records: int


class Totals:
    """Counts by SQL over what is committed."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def run(self) -> RunTotals:
        """Return the figures of the whole run."""
        return RunTotals(
            pages=self._count("pages WHERE purpose = 'visit'"),
            result_pages=self._count("pages WHERE purpose = 'result'"),
            forms_seen=self._count("forms"),
            forms_chosen=self._count("forms WHERE decision = 'chosen'"),
            tally=self._tallies("''").get("", Tally()),
            records=self._count("records"),
            errors=self._count("actions WHERE state = 'failed'"),
            probes=self._count(f"submissions WHERE state IN {COUNTED_STATES} AND probe = 1"),
            checks=self._count("pages WHERE purpose = 'check'"),
            open_actions=self._count("actions WHERE state IN ('open', 'claimed')"),
        )

    def _count(self, what: str) -> int:
        return int(self._db.value(f"SELECT count(*) FROM {what}"))

    def _tallies(self, group: str) -> dict[object, Tally]:
        """Return group -> tally, `group` being a column of submissions (or a constant)."""
        rows = self._db.rows(
            f"SELECT {group} AS part, count(*) AS submissions,"
            f" coalesce(sum(verdict IN ({_list(SUCCESS)})), 0) AS success,"
            f" coalesce(sum(verdict IN ({_list(VALID)})), 0) AS valid,"
            " coalesce(sum(truncated), 0) AS truncated"
            f" FROM submissions WHERE {COUNTED} GROUP BY part"
        )
        return {
            r["part"]: Tally(r["submissions"], r["success"], r["valid"], r["truncated"])
            for r in rows
        }

    def _grouped(self, sql: str) -> dict[object, int]:
        return {row[0]: row[1] for row in self._db.rows(sql)}

    def _grouped_by_id(self, sql: str) -> dict[int, int]:
        return {row[0]: row[1] for row in self._db.rows(sql)}

    def verdicts(self) -> dict[Verdict, int]:
        """Return verdict -> number of counted submissions; every verdict is there."""
        found = self._grouped(
            f"SELECT verdict, count(*) FROM submissions WHERE {COUNTED} GROUP BY verdict"
        )
        return {verdict: found.get(str(verdict), 0) for verdict in Verdict}

    def sites(self) -> list[SiteTotals]:
        """Return the figures of each site, in the order configured."""
        pages = self._grouped(
            "SELECT site, count(*) FROM pages WHERE purpose = 'visit' GROUP BY site"
        )
        forms = self._grouped(
            "SELECT site, count(*) FROM forms WHERE decision = 'chosen' GROUP BY site"
        )
        records = self._grouped("SELECT site, count(*) FROM records GROUP BY site")
        tallies = self._tallies("site")
        return [
            SiteTotals(
                url=row["url"],
                pages=pages.get(row["url"], 0),
                forms_chosen=forms.get(row["url"], 0),
                tally=tallies.get(row["url"], Tally()),
                records=records.get(row["url"], 0),
                stopped=row["stopped"],
            )
            for row in self._db.rows("SELECT url, stopped FROM sites ORDER BY position, url")
        ]

    def forms(self) -> dict[int, FormTotals]:
        """Return form id -> its figures."""
        tallies = self._tallies("form")
        records = self._grouped(
            "SELECT s.form, count(DISTINCT f.record) FROM record_finders f"
            " JOIN submissions s ON s.id = f.submission GROUP BY s.form"
        )
        probes = self._grouped(
            f"SELECT form, count(*) FROM submissions WHERE state IN {COUNTED_STATES}"
            " AND probe = 1 GROUP BY form"
        )
        return {
            row["id"]: FormTotals(
                row["id"],
                tallies.get(row["id"], Tally()),
                probes.get(row["id"], 0),
                records.get(row["id"], 0),
            )
            for row in self._db.rows("SELECT id FROM forms ORDER BY id")
        }

    def new_records(self) -> dict[int, int]:
        """Return form id -> records that its submissions, probes too, were the first to find."""
        return self._grouped_by_id(
            f"SELECT form, sum(new_records) FROM submissions WHERE state IN {COUNTED_STATES}"
            " GROUP BY form"
        )

    def skipped(self) -> dict[tuple[str, str], int]:
        """Return (kind, reason) -> how many actions were skipped or failed for that reason."""
        rows = self._db.rows(
            "SELECT kind, reason, count(*) AS number FROM actions"
            " WHERE state IN ('skipped', 'failed') GROUP BY kind, reason"
        )
        return {(row["kind"], row["reason"]): row["number"] for row in rows}


def _list(words: tuple[str, ...]) -> str:
    """Return words as an SQL list."""
    return ", ".join(f"'{word}'" for word in words)
