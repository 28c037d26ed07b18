"""Revisit: a finished run that is started again looks for what has changed, with few requests.

Its pages are asked for anew, by a conditional request where they bear a validator (RFC 9110, 13);
those that changed before come first. Of its answers those are asked for again that together show
most of the known records (`cover`). Records come out new, changed or gone; a form that changed has
another fingerprint and is worked on as a new one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiwe.crawl.action import RECHECK
from hiwe.crawl.agenda import KNOWN_STATUSES, Agenda
from hiwe.crawl.politeness import Outcome
from hiwe.crawl.refusals import manners_of
from hiwe.crawl.rows import page_row
from hiwe.engine.action import Submit
from hiwe.form.corrected import SAID_SO
from hiwe.repository.rounds import CHANGED, GONE, NEW, PAGE, RECORD, Change
from hiwe.repository.sketches import Sketches
from hiwe.response.response import Judgement, Verdict
from hiwe.response.verdict import judge
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.form_desk import FormDesk
    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Failure, Submitted, Visited
    from hiwe.repository.rounds import Round
    from hiwe.repository.submissions import StoredSubmission

GONE_STATUSES = frozenset({404, 410})
NOT_MODIFIED = 304
BEFORE, BUDGET = "worked_before_revisit_s", "requests_of_revisit"
# A field that differs in more than this share of a form's records is no news but a clock.
VOLATILE = 0.5
LEAST_SEEN = 10  # records before that can be said
RETRY_S = 1.0


class Revisit:
    """Opens a round on a finished run, takes its observations and closes it."""

    def __init__(
        self,
        stores: Stores,
        frontier: Frontier,
        desk: FormDesk,
        dispatch: Dispatch,
        clock: Callable[[], float],
    ) -> None:
        self._stores = stores
        self._frontier = frontier
        self._desk = desk
        self._dispatch = dispatch
        self._clock = clock
        self._sketches = Sketches(stores.db)
        self._round: Round | None = None
        self._opened = 0.0  # requests for forms' pages, by this process
        self._worked_before_s = 0.0

    def begin(self, status: str, *, anew: bool = True) -> None:
        """Take up a revisit that was cut off, or (`anew`) open one if the run had ended (`status`).

        A finished run with work left (a larger budget, a site that was stopped) goes on with that.
        """
        self._round = self._stores.rounds.open()
        over = anew and status == "finished" and not self._frontier.count("open")
        if self._round is None and over:
            self._round = self._stores.rounds.begin(self._clock())
            self._stores.run.set(BEFORE, self._stores.run.duration_s)
            agenda = Agenda(self._stores, self._frontier, self._desk.works, self._round.number)
            pages, answers = agenda.fill()
            self._stores.run.set(BUDGET, agenda.requests)
            self._stores.run.add_event(
                "revisit",
                f"revisit {self._round.number}: {count(pages, 'page')} and"
                f" {count(answers, 'answer')} asked for anew",
            )
        self._worked_before_s = float(self._stores.run.get(BEFORE, 0.0))
        if self._round is not None:
            self._dispatch.explore_anew(self._round.began_at)

    @property
    def worked_s(self) -> float:
        """Seconds worked on the revisit, or on the run when there was none."""
        return self._stores.run.duration_s - self._worked_before_s

    def action(self, row: ActionRow) -> Submit | None:
        """The assignment of a claimed row, to be sent once more; None if its form is unknown."""
        work = self._desk.works.get(row.payload["form"])
        stored = self._stores.submissions.find(row.payload["form"], row.payload["key"])
        if work is None or stored is None:
            self._frontier.skip(row.id, "form is not in the run")
            return None
        if self._is_spent():
            self._frontier.skip(row.id, "budget")
            return None
        if not work.may_send(stored.assignment, stored.key):
            self._frontier.skip(row.id, SAID_SO)
            return None
        return Submit(
            id=row.id,
            page_url=work.page_url,
            form=work.form,
            assignment=stored.assignment,
            key=stored.key,
            identity=work.fingerprint,
            knowledge=work.knowledge,
            terms=self._dispatch.terms(work.site, row.host),
            max_pages=work.site.settings.budget.result_pages_per_submission,
            steps=work.steps,
            road=self._desk.roads.road(work, stored.assignment, probe=False, sampled=False),
        )

    def _is_spent(self) -> bool:
        """Whether the requests are made that a revisit may make: some answers cost more now."""
        assert self._round is not None, "answers belong to a round"
        asked = self._stores.submissions.exchanges(since=self._round.began_at)
        return asked + self._opened >= float(self._stores.run.get(BUDGET, "inf"))

    def take(self, row: ActionRow, answer: Submitted) -> None:
        """Compare an answer with what the run holds; nothing of it counts as a submission."""
        work = self._desk.work_of(row)
        stored = self._stores.submissions.find(work.id, row.payload["key"])
        assert stored is not None, "asked for by its key"
        judgement = self._judge(work, answer)
        first = answer.pages[0].features if answer.pages else None
        manners = manners_of(first, judgement) if first else Outcome.UNANSWERED
        wait_s = first.retry_after_s if first else None
        self._dispatch.asked(row, manners, answer.response_s, wait_s)
        if judgement.verdict in (Verdict.BLOCKED, Verdict.ERROR) and self._later(row, judgement):
            return
        self._frontier.done(row.id)
        if answer.transport == "browser":
            self._opened += self._stores.submissions.requests_of_visit()
        self._keep(work, stored, answer, judgement)

    def _judge(self, work: FormWork, answer: Submitted) -> Judgement:
        if not answer.pages:
            return Judgement(Verdict.ERROR, 1.0, (), answer.reason or "no answer")
        return judge(answer.pages[0].features, work.knowledge)

    def _later(self, row: ActionRow, judgement: Judgement) -> bool:
        """Ask once more later, a few times; whether that is to be."""
        when = self._clock() + RETRY_S
        return self._frontier.retry_at(row.id, when, judgement.reason or str(judgement.verdict))

    def _keep(
        self, work: FormWork, stored: StoredSubmission, answer: Submitted, judgement: Judgement
    ) -> None:
        assert self._round is not None, "answers belong to a round"
        now, shown = self._clock(), 0
        for page in answer.pages:
            self._stores.pages.add(page_row(work, page.features, page.archived, now, RECHECK))
        if judgement.verdict is Verdict.RESULTS:
            for record, warc in answer.records:
                shown += 1
                told = self._stores.records.revise(
                    record, site=work.site.key, submission=stored.id, at=now, warc=warc
                )
                if told.new or told.after:
                    kind = NEW if told.new else CHANGED
                    self._note(
                        work.site.key, RECORD, kind, record.key,
                        form=work.id, before=told.before, after=told.after,
                    )  # fmt: skip
        valid = judgement.verdict in (Verdict.RESULTS, Verdict.NO_RESULTS)
        cut = answer.pages_left or (stored.judgement is not None and stored.judgement.truncated)
        self._stores.rounds.add_recheck(
            self._round.number, stored.id,
            at=now, verdict=str(judgement.verdict), complete=valid and not cut, records=shown,
        )  # fmt: skip
        values = ", ".join(binding.value for binding in stored.assignment.bindings)
        self._stores.run.add_event(
            RECHECK, f"{values}: {judgement.verdict}, {count(shown, 'record')}", site=work.site.key,
            data={"form": work.id, "submission": stored.id},
        )  # fmt: skip

    def take_failure(self, row: ActionRow, failure: Failure) -> None:
        """An answer that did not come is asked for again later, a few times."""
        if self._frontier.retry_at(row.id, self._clock() + RETRY_S, failure.kind):
            return
        self._frontier.failed(row.id, failure.message)

    def compare(self, row: ActionRow, page: Visited) -> None:
        """Note how a page differs from what it was; before the visit itself is taken."""
        if self._round is None or page.status == NOT_MODIFIED:
            return
        known = self._stores.pages.latest(page.url) or self._stores.pages.latest(row.url)
        if known is None or known.status not in KNOWN_STATUSES:
            if page.status == 200:
                self._note(row.site, PAGE, NEW, row.url)
        elif page.status in GONE_STATUSES:
            self._note(row.site, PAGE, GONE, row.url)
        elif page.status == 200 and page.digest != known.digest and self._says_else(row, page):
            self._note(row.site, PAGE, CHANGED, row.url)

    def _says_else(self, row: ActionRow, page: Visited) -> bool:
        return self._sketches.renew(row.site, page.url, page.sketch)

    def _note(
        self, site: str, what: str, kind: str, ref: str, *,
        form: int | None = None,
        before: dict[str, str] | None = None,
        after: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        assert self._round is not None, "changes belong to a round"
        self._stores.rounds.add(
            Change(
                self._round.number,
                self._clock(),
                site,
                what,
                kind,
                ref,
                form,
                before or {},
                after or {},
            )
        )

    def end(self) -> None:
        """Close the round once nothing of it is open: what is gone, what was only a clock."""
        if self._round is None:
            return
        now, number = self._clock(), self._round.number
        self._drop_volatile(number)
        self._stores.rounds.mark_gone(number, since=self._round.began_at, at=now)
        self._stores.rounds.end(number, now)
        counts = self._stores.rounds.counts(number)
        told = ", ".join(f"{counts.get((RECORD, kind), 0)} {kind}" for kind in (NEW, CHANGED, GONE))
        self._stores.run.add_event("revisit", f"revisit {number}: records: {told}")
        self._round = None

    def _drop_volatile(self, number: int) -> None:
        """Forget fields that differ in most of a form's records: they would differ each time."""
        seen = self._stores.rounds.seen_by_form(number)
        differing: dict[int, Counter[str]] = {}
        for change in self._stores.rounds.changes(number):
            if change.what == RECORD and change.kind == CHANGED and change.form is not None:
                differing.setdefault(change.form, Counter()).update(change.after.keys())
        for form, names in differing.items():
            total = seen.get(form, 0)
            volatile = {n for n, times in names.items() if times > VOLATILE * total}
            if volatile and total >= LEAST_SEEN:
                self._stores.rounds.forget_fields(number, form, volatile)
