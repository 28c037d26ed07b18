"""FormActions: what waits in the frontier to be sent through one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.action import ANSWERED_KINDS, SUBMISSION_KINDS
from hiwe.form.corrected import SAID_SO

if TYPE_CHECKING:
    from hiwe.repository.database import Database


class FormActions:
    """Closes or withdraws the actions of a form that a person corrected."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def close(self, form: int, reason: str) -> int:
        """Give the form's open actions up, and say why; how many."""
        marks = ", ".join("?" for _ in ANSWERED_KINDS)
        return self._db.execute(
            "UPDATE actions SET state = 'skipped', reason = ?, not_before = 0 WHERE state = 'open'"
            f" AND kind IN ({marks}) AND json_extract(payload, '$.form') = ?",
            (reason, *ANSWERED_KINDS, form),
        )

    def withdraw(self, form: int) -> None:
        """Forget its open submissions, and those a person closed: the plan gives them out."""
        marks = ", ".join("?" for _ in SUBMISSION_KINDS)
        with self._db.atomic():
            self._db.execute(
                "UPDATE actions SET state = 'withdrawn' WHERE (state = 'open'"
                " OR (state = 'skipped' AND reason = ?))"
                f" AND kind IN ({marks}) AND json_extract(payload, '$.form') = ?",
                (SAID_SO, *SUBMISSION_KINDS, form),
            )
            self._db.execute("DELETE FROM actions WHERE state = 'withdrawn'")
