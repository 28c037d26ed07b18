"""Answers: what a submission brought back is stored, judged and learned from; the next is planned.

Stored before judged. A throttled answer gives the assignment back for later; a refused one leaves
it open and the form goes on with the next: it may be the value that the site does not like.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.crawl.chains import Chains
from hiwe.crawl.missing_pages import HONEST
from hiwe.crawl.politeness import Outcome as Manners
from hiwe.crawl.refusals import barred, manners_of
from hiwe.crawl.replay import facts_of, outcome_of
from hiwe.crawl.rows import page_row, sent_row, slim
from hiwe.response.response import Judgement, Verdict
from hiwe.response.verdict import judge
from hiwe.submission.missing import missing_elements

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.details import Details
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.form_desk import FormDesk
    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Failure, Submitted
    from hiwe.repository.submissions import StoredSubmission
    from hiwe.response.response import ResponseFeatures
    from hiwe.submission.assignment import ValueAssignment

MOST_TRIES = 2  # an assignment that met an error or no answer is tried once more (design, 5)
LASTING = ("status 4", "missing page", "the same answer")  # errors that asking again repeats
EXPIRED_STATUSES = frozenset({419, 440, 498})  # a form page that was kept too long


class Answers:
    """Takes the observations of submissions."""

    def __init__(
        self,
        stores: Stores,
        frontier: Frontier,
        desk: FormDesk,
        dispatch: Dispatch,
        details: Details,
        clock: Callable[[], float],
    ) -> None:
        self._stores = stores
        self._frontier = frontier
        self._desk = desk
        self._dispatch = dispatch
        self._details = details
        self._clock = clock
        self._chains = Chains(stores, desk, clock)

    def take(self, row: ActionRow, answer: Submitted) -> None:
        """Store and judge one submission, then plan the form's next one."""
        work = self._desk.work_of(row)
        stored = self._stores.submissions.find(work.id, row.payload["key"])
        assert stored is not None, "claimed before it was sent"
        features = answer.pages[0].features if answer.pages else None
        self._learn_missing(work, row, answer)
        judgement = self._judge(work, answer, features)
        if answer.instead is not None and (bar := barred(answer.instead)) is not None:
            judgement, features = bar, answer.instead
        manners = self._note_manners(row, answer, features, judgement)
        if judgement is not None and judgement.verdict is Verdict.BLOCKED:
            self._take_refusal(work, row, stored, judgement, manners)
            return
        work.answered(stored.key)
        again = self._again(stored.attempts, answer, judgement)
        if again:
            self._stores.submissions.reopen(stored.id, again)
            self._frontier.give_back(row.id, again)
            self._event(work, "again", again, stored.id, level="warning")
            return
        self._frontier.done(row.id)
        if self._chains.leads_on(work, row, stored, answer):
            self._desk.settled(work)
            return
        self._store(work, stored, answer, judgement)
        if not stored.probe and judgement is not None:
            work.sent += 1
            work.succeeded += judgement.verdict.is_success
        if not stored.assignment.discover:
            work.unsent_streak = 0 if judgement is not None else work.unsent_streak + 1
        self._desk.settled(work)

    def _take_refusal(
        self,
        work: FormWork,
        row: ActionRow,
        stored: StoredSubmission,
        judgement: Judgement,
        manners: Manners,
    ) -> None:
        """A refusal is no answer: the assignment stays open, and is not counted."""
        why = f"blocked: {judgement.reason}"
        self._stores.submissions.reopen(stored.id, why)
        self._event(work, "again", why, stored.id, level="warning")
        if manners is Manners.THROTTLED:
            self._frontier.give_back(row.id, why)
            return
        self._frontier.skip(row.id, "blocked")
        self._leave_open(work, stored)

    def _leave_open(self, work: FormWork, stored: StoredSubmission) -> None:
        """Go on with the form's next assignment; this one waits for the end, or a later run."""
        work.refused(stored.key)
        if not stored.probe:
            refused = Judgement(Verdict.BLOCKED, 1.0, ())
            work.plan.record(
                outcome_of(stored.assignment, refused, None, keys=frozenset(), new_records=0)
            )
        self._desk.settled(work)

    def _learn_missing(self, work: FormWork, row: ActionRow, answer: Submitted) -> None:
        """Keep what the host says to a made-up path, if the worker asked for one."""
        if answer.missing is None:
            return
        features, archived = answer.missing.features, answer.missing.archived
        self._desk.missing_pages.asked(row.host, features.status)
        self._stores.pages.add(page_row(work, features, archived, self._clock(), "missing"))
        if features.status < HONEST:
            work.knowledge = work.knowledge.with_missing(features)

    def take_failure(self, row: ActionRow, failure: Failure) -> None:
        """No form to fill, so nothing left: tried once more, then left open and not counted.

        One that was lost with its worker is tried as often as after a killed process.
        """
        work = self._desk.work_of(row)
        stored = self._stores.submissions.find(work.id, row.payload["key"])
        assert stored is not None, "claimed before it was sent"
        self._stores.submissions.reopen(stored.id, failure.message)
        if failure.is_loss and self._frontier.release_claims(row.id):
            return
        if not failure.is_loss and stored.attempts < MOST_TRIES:
            self._frontier.give_back(row.id, failure.message)
            return
        self._frontier.failed(row.id, failure.message)
        self._event(work, "error", failure.message, stored.id, level="error")
        self._leave_open(work, stored)

    def _judge(
        self, work: FormWork, answer: Submitted, features: ResponseFeatures | None
    ) -> Judgement | None:
        """The verdict with all that is known of the form now; None when no request left."""
        if answer.outcome == "not_sent":
            return None
        if features is None:
            return Judgement(Verdict.ERROR, 1.0, (), answer.reason or "no answer")
        judgement = judge(features, work.knowledge)
        left = answer.pages_left and judgement.verdict is Verdict.RESULTS
        return replace(judgement, truncated=True) if left else judgement

    def _note_manners(
        self,
        row: ActionRow,
        answer: Submitted,
        features: ResponseFeatures | None,
        judgement: Judgement | None,
    ) -> Manners:
        """Tell the host's pace how it answered."""
        outcome = Manners.OK
        if judgement is not None:
            outcome = manners_of(features, judgement) if features else Manners.UNANSWERED
        wait_s = features.retry_after_s if features else None
        self._dispatch.asked(row, outcome, answer.response_s, wait_s)
        return outcome

    def _again(self, attempts: int, answer: Submitted, judgement: Judgement | None) -> str:
        """Why the assignment goes back to the frontier; '' if its answer stands.

        A passing error, an expired or missing form page or silence is tried once more.
        """
        if judgement is None:
            gone = answer.reason == "form_gone" and attempts < MOST_TRIES
            return answer.reason if gone else ""
        passing = not judgement.reason.startswith(LASTING)
        if judgement.verdict is Verdict.ERROR and passing and attempts < MOST_TRIES:
            return f"error: {judgement.reason}"
        status = answer.pages[0].features.status if answer.pages else 0
        return "expired" if status in EXPIRED_STATUSES and attempts < MOST_TRIES else ""

    def _store(
        self,
        work: FormWork,
        stored: StoredSubmission,
        answer: Submitted,
        judgement: Judgement | None,
    ) -> None:
        """Write the submission, its pages and records; teach form, LVS and plan."""
        now, submission, probe = self._clock(), stored.id, stored.probe
        assignment = stored.assignment
        keys, new = self._add_records(work, submission, answer, judgement, now)
        features = answer.pages[0].features if answer.pages else None
        missing: tuple[int, ...] = ()
        if features is not None and judgement is not None:
            bound = assignment.template
            missing = missing_elements(work.form, judgement.verdict, features.signals, bound)
        outcome = outcome_of(
            assignment, judgement, answer, keys=keys, new_records=new, missing=missing
        )
        self._stores.submissions.record(
            submission, sent_row(answer, {"features": slim(features), "facts": facts_of(outcome)}),
            at=now,
        )  # fmt: skip
        for page in answer.pages:
            self._stores.pages.add(page_row(work, page.features, page.archived, now))
        for text in answer.dialogs:
            self._event(work, "dialog", text, submission)
        if judgement is not None:
            self._stores.submissions.judge(
                submission, judgement, records=len(keys), new_records=new
            )
            self._learn(work, submission, features, judgement, assignment, probe=probe, now=now)
        if not probe:
            self._desk.record(work, outcome)
        if new:
            self._desk.show(work.site, [dict(record.fields) for record, _ in answer.records])
        values = ", ".join(binding.value for binding in assignment.bindings)
        reason = f" ({judgement.reason})" if judgement and judgement.reason else ""
        said = f"{judgement.verdict}{reason}" if judgement else answer.reason
        self._event(
            work,
            "probe" if probe else "submission",
            f"{values}: {said}, {new} new of {len(keys)}",
            submission,
        )

    def _add_records(
        self,
        work: FormWork,
        submission: int,
        answer: Submitted,
        judgement: Judgement | None,
        now: float,
    ) -> tuple[frozenset[str], int]:
        """Credit the records of an answer with results; their keys and how many are new."""
        if judgement is None or judgement.verdict is not Verdict.RESULTS:
            return frozenset(), 0
        new = self._stores.records.add_all(
            answer.records, site=work.site.key, submission=submission, at=now
        )
        for record, _ in answer.records:
            self._details.ask(work.site, record, parent=work.parent)
        return frozenset(record.key for record, _ in answer.records), new

    def _learn(
        self,
        work: FormWork,
        submission: int,
        features: ResponseFeatures | None,
        judgement: Judgement,
        assignment: ValueAssignment,
        *,
        probe: bool,
        now: float,
    ) -> None:
        if features is not None:
            key = assignment.key(work.fingerprint)
            known = work.knowledge.probed(features) if probe else work.knowledge
            work.knowledge = known.learned(features, judgement, key)
            self._stores.forms.update(work.id, knowledge=work.knowledge.to_json())
        if probe or not judgement.verdict.is_valid:
            return
        self._desk.learning.from_outcome(
            [(b.row, b.row_value) for b in assignment.bindings if b.row],
            succeeded=judgement.verdict.is_success,
            generic=any(
                work.matches[b.element].generic
                for b in assignment.bindings
                if b.element in work.matches
            ),
            cause=f"{judgement.verdict} at {work.form.action}",
            at=now,
            submission=submission,
        )

    def _event(
        self, work: FormWork, kind: str, text: str, submission: int, *, level: str = "info"
    ) -> None:
        self._stores.run.add_event(
            kind, text, level=level, site=work.site.key,
            data={"form": work.id, "submission": submission},
        )  # fmt: skip
