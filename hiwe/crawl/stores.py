"""Stores: the run's database by noun, opened once and shared by the parts of the crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.experience import Experience
from hiwe.repository.forms import Forms
from hiwe.repository.pages import Pages
from hiwe.repository.records import Records
from hiwe.repository.rounds import Rounds
from hiwe.repository.run import Run
from hiwe.repository.submissions import Submissions

if TYPE_CHECKING:
    from hiwe.repository.database import Database


@dataclass(frozen=True, slots=True)
class Stores:
    """What the crawl writes: one store a noun, one database under all."""

    db: Database
    run: Run
    pages: Pages
    forms: Forms
    submissions: Submissions
    records: Records
    experience: Experience
    rounds: Rounds

    @classmethod
    def of(cls, db: Database) -> Stores:
        """The stores of one open database."""
        return cls(
            db, Run(db), Pages(db), Forms(db), Submissions(db), Records(db), Experience(db),
            Rounds(db),
        )  # fmt: skip
