"""Chains: an answer that is but the next form goes on, instead of counting as an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.crawl.replay import STEP, step_outcome
from hiwe.crawl.rows import page_row, sent_row
from hiwe.crawl.understanding import CHOSEN
from hiwe.submission.chain import MOST_STEPS, Step, chain_fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.form_desk import FormDesk
    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Submitted
    from hiwe.repository.submissions import StoredSubmission


class Chains:
    """Takes the answers that lead on to a further form."""

    def __init__(self, stores: Stores, desk: FormDesk, clock: Callable[[], float]) -> None:
        self._stores = stores
        self._desk = desk
        self._clock = clock

    def leads_on(
        self, work: FormWork, row: ActionRow, stored: StoredSubmission, answer: Submitted
    ) -> bool:
        """Go on with the form that an answer shows; whether it is the next step of a chain.

        It is, when the form shows in no other way and the task has values for it.
        """
        form, steps = answer.further, (*work.steps, Step(work.form, stored.assignment))
        if form is None or stored.probe or len(steps) > MOST_STEPS:
            return False
        if self._desk.is_known(work.site, form):
            return False
        self._desk.meet(work.site, form, parent=row.id, steps=steps)
        found = self._stores.forms.find(work.site.key, chain_fingerprint(form, steps))
        if found is None or found.decision != CHOSEN:
            return False
        self._store_step(work, stored, answer)
        return True

    def _store_step(self, work: FormWork, stored: StoredSubmission, answer: Submitted) -> None:
        """A step is neither success nor failure of its own: it counts in no figure."""
        now = self._clock()
        sent = replace(sent_row(answer, None), outcome=STEP, reason="further form")
        self._stores.submissions.record(stored.id, sent, at=now)
        for page in answer.pages:
            self._stores.pages.add(page_row(work, page.features, page.archived, now, STEP))
        work.plan.record(step_outcome(stored.assignment, stored.key))
        values = ", ".join(binding.value for binding in stored.assignment.bindings)
        self._stores.run.add_event(
            STEP,
            f"{values}: leads on to a further form",
            site=work.site.key,
            data={"form": work.id, "submission": stored.id},
        )
