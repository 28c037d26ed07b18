"""What is kept of an answer: its records in the database, its exchange and page in the archive."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from hiwe.crawl.stores import Stores
from hiwe.repository.codec import to_plain
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.submissions import Sent
from hiwe.repository.warc_writer import WarcWriter
from hiwe.response.knowledge import FormKnowledge
from hiwe.response.verdict import judge
from hiwe.submission.assignment import Binding, ValueAssignment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.response.response import ResponseFeatures

SITE = "http://limits.example/"


def database_write(
    directory: Path, form: Form, answers: Sequence[ResponseFeatures], until: ExitStack
) -> Callable[[], int]:
    """A submission, its verdict and its records, in one transaction; all new each time."""
    db = until.enter_context(Database(directory / FILE_NAME))
    stores, numbers = Stores.of(db), count(1)
    form_id = stores.forms.add(SITE, form, decision="chosen", reason="search", at=0.0)
    assert form_id is not None, "the database was empty"

    def work() -> int:
        for features in answers:
            number = next(numbers)
            with stores.db.atomic():
                _keep(stores, form_id, features, number)
        return len(answers)

    return work


def _keep(stores: Stores, form_id: int, features: ResponseFeatures, number: int) -> None:
    assignment = ValueAssignment((Binding(0, f"value {number}", 1.0),), 1.0)
    submission = stores.submissions.claim(
        form_id, f"key {number}", site=SITE, assignment=assignment, at=0.0
    )
    assert submission is not None, "the key is new"
    sent = Sent(
        "sent", request=("GET", features.url, ""), result_pages=1, features=to_plain(features)
    )
    stores.submissions.record(submission, sent, at=0.0)
    for record in features.records:
        fresh = replace(record, key=f"{record.key} {number}")
        stores.records.add(fresh, site=SITE, submission=submission, at=0.0)
    found = len(features.records)
    verdict = judge(features, FormKnowledge())
    stores.submissions.judge(submission, verdict, records=found, new_records=found)


def archive_write(directory: Path, answers: Sequence[Page], until: ExitStack) -> Callable[[], int]:
    """Request, response and page of an answer; the body another one each time."""
    writer, numbers = WarcWriter(directory), count()
    until.callback(writer.close)

    def work() -> int:
        for page in answers:
            told = page.exchanges[-1]
            fresh = replace(told, body=told.body + f"<!-- {next(numbers)} -->".encode())
            writer.store((fresh,), page, {"purpose": "result"})
        return len(answers)

    return work
