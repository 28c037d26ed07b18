"""Submissions: one row for an assignment, however often it had to be sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hiwe.repository.codec import dumps, loads, plain_dumps
from hiwe.response.response import Judgement, Signal, Verdict
from hiwe.submission.assignment import ValueAssignment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.repository.database import Database, Row

# States of a submission of which a request left: those that count (contract).
COUNTED_STATES = ("sent", "failed", "judged")


@dataclass(frozen=True, slots=True)
class Sent:
    """How an assignment was carried to the site: outcome, request, where the answer lies.

    `outcome` is sent, not_sent or failed; `request` is method, address and body, None if no
    request was seen.
    """

    outcome: str
    reason: str = ""
    request: tuple[str, str, str] | None = None
    landed: str = ""
    fills: tuple[Any, ...] = ()
    transport: str = "browser"
    result_pages: int = 0
    archived: tuple[str, ...] = ()
    duration_s: float = 0.0
    features: Any = None  # JSON values


@dataclass(frozen=True, slots=True)
class StoredSubmission:
    """A submission with its id. `features` is the JSON of the first response's features."""

    id: int
    form: int
    key: str
    site: str
    assignment: ValueAssignment
    probe: bool
    state: str
    reason: str
    judgement: Judgement | None
    request: tuple[str, str, str]
    landed: str
    transport: str
    attempts: int
    result_pages: int
    records: int
    new_records: int
    archived: tuple[str, ...]
    claimed_at: float
    ended_at: float | None
    duration_s: float
    features: Any = field(default=None)
    fills: Any = field(default=None)


class Submissions:
    """The submissions of a run."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def claim(
        self, form: int, key: str, *, site: str, assignment: ValueAssignment, at: float,
        probe: bool = False,
    ) -> int | None:  # fmt: skip
        """Take an assignment in hand; return the submission's id, None if it has been dealt with.

        One that was claimed by a killed process, or given back, may be claimed again.
        """
        row = self._db.row(
            "INSERT INTO submissions (form, key, site, assignment, rank, probe, claimed_at,"
            " attempts) VALUES (?, ?, ?, ?, ?, ?, ?, 1)"
            " ON CONFLICT (form, key) DO UPDATE SET state = 'claimed', attempts = attempts + 1,"
            " claimed_at = excluded.claimed_at WHERE state IN ('claimed', 'open') RETURNING id",
            (form, key, site, dumps(assignment), assignment.rank, int(probe), at),
        )
        return None if row is None else int(row["id"])

    def record(self, submission: int, sent: Sent, *, at: float) -> None:
        """Keep how it was carried out, before it is judged."""
        method, url, body = sent.request or ("", "", "")
        self._db.execute(
            "UPDATE submissions SET state = :state, reason = :reason, method = :method, url = :url,"
            " body = :body, landed = :landed, fills = :fills, transport = :transport,"
            " result_pages = :result_pages, archived = :archived, duration_s = :duration_s,"
            " features = :features, ended_at = :at WHERE id = :id",
            {
                "state": sent.outcome, "reason": sent.reason, "method": method, "url": url,
                "body": body, "landed": sent.landed, "fills": dumps(sent.fills),
                "transport": sent.transport, "result_pages": sent.result_pages,
                "archived": dumps(sent.archived), "duration_s": sent.duration_s,
                "features": plain_dumps(sent.features), "at": at, "id": submission,
            },
        )  # fmt: skip

    def judge(
        self, submission: int, judgement: Judgement, *, records: int = 0, new_records: int = 0
    ) -> None:
        """Keep the verdict; may be done again when rules or knowledge improved."""
        self._db.execute(
            "UPDATE submissions SET state = iif(state = 'sent', 'judged', state), verdict = ?,"
            " confidence = ?, evidence = ?, reason = iif(? = '', reason, ?), truncated = ?,"
            " records = ?, new_records = ? WHERE id = ?",
            (str(judgement.verdict), judgement.confidence, dumps(judgement.evidence),
             judgement.reason, judgement.reason, int(judgement.truncated), records, new_records,
             submission),
        )  # fmt: skip

    def reopen(self, submission: int, reason: str) -> None:
        """Give an assignment back untried: it was refused or throttled, and does not count."""
        self._db.execute(
            "UPDATE submissions SET state = 'open', reason = ?, verdict = NULL WHERE id = ?",
            (reason, submission),
        )

    def get(self, submission: int) -> StoredSubmission:
        """Return a submission; KeyError if there is none with this id."""
        row = self._db.row("SELECT * FROM submissions WHERE id = ?", (submission,))
        if row is None:
            raise KeyError(submission)
        return _stored(row)

    def find(self, form: int, key: str) -> StoredSubmission | None:
        """Return the form's submission with this key, None if there is none."""
        row = self._db.row("SELECT * FROM submissions WHERE form = ? AND key = ?", (form, key))
        return None if row is None else _stored(row)

    def attempts(self, form: int, key: str) -> int:
        """Return how often the form's submission with this key was claimed."""
        found = self._db.value(
            "SELECT attempts FROM submissions WHERE form = ? AND key = ?", (form, key)
        )
        return int(found or 0)

    def id_of(self, form: int, key: str) -> int:
        """Return the id of the form's submission with this key; KeyError if there is none."""
        found = self._db.value("SELECT id FROM submissions WHERE form = ? AND key = ?", (form, key))
        if found is None:
            raise KeyError(key)
        return int(found)

    def known_keys(self, form: int) -> set[str]:
        """Return the keys of a form that were dealt with: assignments not to be tried again."""
        rows = self._db.rows(
            "SELECT key FROM submissions WHERE form = ? AND state NOT IN ('claimed', 'open')",
            (form,),
        )
        return {row["key"] for row in rows}

    def count(self, *, form: int | None = None, site: str | None = None) -> int:
        """Return how many submissions count (a request left, no probe)."""
        # Each condition as it is asked for: one that may be NULL keeps SQLite from the index.
        which = {"form": form, "site": site}
        given = {name: value for name, value in which.items() if value is not None}
        conditions = "".join(f" AND {name} = :{name}" for name in given)
        return int(
            self._db.value(
                f"SELECT count(*) FROM submissions WHERE state IN {COUNTED_STATES} AND probe = 0"
                f"{conditions}",
                given,
            )
        )

    def asked_alone(self, site: str) -> tuple[tuple[str, str, bool], ...]:
        """Values that a site's forms were asked for alone: row, value, whether ever found."""
        rows = self._db.rows(
            "WITH asked AS (SELECT s.verdict, json_extract(b.value, '$.row') AS row,"
            " coalesce(nullif(json_extract(b.value, '$.source'), ''),"
            " json_extract(b.value, '$.value')) AS value, count(*) OVER (PARTITION BY s.id) AS n"
            " FROM submissions s, json_each(s.assignment, '$.bindings') b"
            " WHERE s.site = ? AND s.probe = 0 AND s.verdict IN ('results', 'no_results')"
            " AND coalesce(json_extract(b.value, '$.row'), '') <> '')"
            " SELECT row, value, max(verdict = 'results') AS found FROM asked WHERE n = 1"
            " GROUP BY row, value",
            (site,),
        )
        return tuple((row["row"], row["value"], bool(row["found"])) for row in rows)

    def requests(self) -> int:
        """Return how many requests the run made: all that the archive holds for its pages, and
        as many for each form's page that was opened as a visit took.

        What its revisits asked for is not counted.
        """
        first = self._db.value("SELECT min(began_at) FROM rounds")
        pages = self.exchanges(until=1e99 if first is None else float(first))
        return pages + round(self.opened() * self.requests_of_visit())

    def exchanges(self, *, since: float = 0.0, until: float = 1e99) -> int:
        """Return how many exchanges the archive holds for pages that were fetched in a time."""
        return int(
            self._db.value(
                "SELECT coalesce(sum(json_array_length(archived) - (warc <> '' AND"
                " json_extract(archived, '$[#-1]') = warc)), 0) FROM pages"
                " WHERE fetched_at >= ? AND fetched_at < ?",
                (since, until),
            )
        )

    def opened(self) -> int:
        """Return how often a form's page was opened in the browser to send an assignment."""
        return int(
            self._db.value(
                "SELECT coalesce(sum(attempts), 0) FROM submissions WHERE transport = 'browser'"
            )
        )

    def requests_of_visit(self) -> float:
        """Return how many requests a visited page took in the mean, what it loads included."""
        return float(
            self._db.value(
                "SELECT avg(json_array_length(archived) - 1) FROM pages"
                " WHERE purpose = 'visit' AND status = 200 AND json_array_length(archived) > 1"
            )
            or 1.0
        )

    def each(self, *, form: int | None = None) -> Iterator[StoredSubmission]:
        """Yield the submissions, of one form or of all, in the order they were claimed."""
        for row in self._db.each(
            "SELECT * FROM submissions WHERE :form IS NULL OR form = :form ORDER BY id",
            {"form": form},
        ):
            yield _stored(row)


def _stored(row: Row) -> StoredSubmission:
    judgement = None
    if row["verdict"] is not None:
        judgement = Judgement(
            Verdict(row["verdict"]),
            row["confidence"],
            loads(tuple[Signal, ...], row["evidence"]),
            row["reason"],
            bool(row["truncated"]),
        )
    return StoredSubmission(
        id=row["id"], form=row["form"], key=row["key"], site=row["site"],
        assignment=loads(ValueAssignment, row["assignment"]), probe=bool(row["probe"]),
        state=row["state"], reason=row["reason"], judgement=judgement,
        request=(row["method"], row["url"], row["body"]), landed=row["landed"],
        transport=row["transport"], attempts=row["attempts"], result_pages=row["result_pages"],
        records=row["records"], new_records=row["new_records"],
        archived=tuple(json.loads(row["archived"])), claimed_at=row["claimed_at"],
        ended_at=row["ended_at"], duration_s=row["duration_s"],
        features=json.loads(row["features"]), fills=json.loads(row["fills"]),
    )  # fmt: skip
