"""Answer: what an explorer's steps bring back, as plain values, and its records as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.crawl.replay import outcome_of
from hiwe.errors import UsageError
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.engine.action import Submitted
    from hiwe.form.form import Form
    from hiwe.page.page import Link
    from hiwe.response.response import Judgement
    from hiwe.submission.assignment import ValueAssignment
    from hiwe.submission.outcome import Outcome

ADDRESS = "url"  # the column of a record's own address


@dataclass(frozen=True, slots=True)
class Opened:
    """A page as it was opened: where it landed, its forms as understood, its links.

    `status` is what it answered (HTTP): a page may be there and say that it is none (404).
    """

    url: str
    title: str
    forms: tuple[Form, ...]
    links: tuple[Link, ...]
    status: int = 200

    @property
    def search_forms(self) -> tuple[Form, ...]:
        """The forms that may be submitted, in the order of the page."""
        return tuple(form for form in self.forms if form.searchable)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an assignment: verdict, its reason, the records, where the answer landed.

    `records` are fields by name, `urls` their own addresses in the same order ('' for a record
    that links none); `outcome` is what `Plan.record` learns from.
    """

    verdict: Verdict | None
    reason: str
    records: tuple[dict[str, str], ...]
    url: str
    outcome: Outcome
    urls: tuple[str, ...] = ()


def answer_of(assignment: ValueAssignment, judgement: Judgement | None, told: Submitted) -> Answer:
    """The answer to an assignment: what a worker told of it, and how that was judged."""
    hits = judgement is not None and judgement.verdict is Verdict.RESULTS
    records = tuple(record for record, _ in told.records) if hits else ()
    outcome = outcome_of(
        assignment,
        judgement,
        told,
        keys=frozenset(record.key for record in records),
        new_records=len(records),
    )
    return Answer(
        verdict=judgement.verdict if judgement else None,
        reason=(judgement.reason if judgement else "") or told.reason,
        records=tuple(dict(record.fields) for record in records),
        url=told.landed,
        outcome=outcome,
        urls=tuple(record.url or "" for record in records),
    )


def rows(answers: Iterable[Answer] | Answer) -> list[dict[str, str]]:
    """The records of answers, each once: its fields, and `url` unless a field has that name."""
    listed = [answers] if isinstance(answers, Answer) else answers
    found = [
        {ADDRESS: url} | record
        for answer in listed
        for record, url in zip(answer.records, answer.urls, strict=True)
    ]
    return [dict(once) for once in dict.fromkeys(tuple(row.items()) for row in found)]


def frame(answers: Iterable[Answer] | Answer) -> Any:
    """The rows of answers as a pandas DataFrame; UsageError without pandas."""
    try:
        import pandas as pd
    except ImportError as exc:
        raise UsageError(
            "a DataFrame needs pandas: pip install pandas; hiwe.rows(answers) goes without"
        ) from exc
    return pd.DataFrame(rows(answers))
