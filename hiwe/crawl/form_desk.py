"""FormDesk: every form the crawl meets is decided here, once, and every chosen one is worked.

Decision and reason are rows (contract: login, contact, too_small, no_match, robots, duplicate...).
A chosen form has a plan; its next assignment goes to the frontier when the last one is judged, so
that each is chosen with all that was learned before. A form that a person corrects is decided anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.crawl import roads
from hiwe.crawl.action import SUBMISSION_KINDS, NewAction, Priority
from hiwe.crawl.form_actions import FormActions
from hiwe.crawl.form_work import FormWork, probe_assignment, restore_plan
from hiwe.crawl.missing_pages import MissingPages
from hiwe.crawl.politeness import MAX_STREAK
from hiwe.crawl.replay import outcomes_of, records_of
from hiwe.crawl.siphon import Siphon
from hiwe.crawl.understanding import CHOSEN, FormReader
from hiwe.crawl.works import Works
from hiwe.engine.action import Submit
from hiwe.form.corrected import SAID_SO
from hiwe.repository.codec import from_plain, to_plain
from hiwe.response.knowledge import FormKnowledge
from hiwe.submission.assignment import ValueAssignment
from hiwe.submission.chain import chain_fingerprint, sent_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.learning import Learning
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.crawl.understanding import Understanding
    from hiwe.form.form import Form
    from hiwe.repository.forms import StoredForm
    from hiwe.submission.chain import Step
    from hiwe.submission.outcome import Outcome

BLOCKED = "blocked"  # why a form stopped: assignments are open that the site refused
LEAST_TRIALS = 8  # submissions without a single result after which a form is given up
MOST_UNSENT = 15  # assignments in a row that could not be sent after which a form is given up


class FormDesk:
    """Decides about forms, keeps their plans, and feeds the frontier with assignments."""

    def __init__(
        self,
        stores: Stores,
        frontier: Frontier,
        learning: Learning,
        dispatch: Dispatch,
        clock: Callable[[], float],
    ) -> None:
        self.works = Works(stores.submissions.asked_alone)
        self.learning = learning
        self.reader = FormReader(stores, learning, dispatch, clock)
        self._stores = stores
        self._frontier = frontier
        self._dispatch = dispatch
        self._clock = clock
        self._siphon = Siphon(learning, stores, clock)
        self._actions = FormActions(stores.db)
        self.missing_pages = MissingPages(stores.run)
        self.roads = roads.Roads(stores, clock)
        self._known: set[tuple[str, str]] = set()

    def is_known(self, site: Site, form: Form, steps: tuple[Step, ...] = ()) -> bool:
        """Whether a form (behind these steps) was met before."""
        return (site.key, chain_fingerprint(form, steps)) in self._known

    def meet(self, site: Site, form: Form, *, parent: int, steps: tuple[Step, ...] = ()) -> bool:
        """Note a form seen on a page; a new one is decided about. Returns whether it is new.

        `steps` are the forms that had to be sent before it showed.
        """
        kept = replace(form, fingerprint=chain_fingerprint(form, steps))
        if self.is_known(site, form, steps):
            self._stores.forms.add(site.key, kept, decision="", reason="", at=self._clock())
            return False
        self._known.add((site.key, kept.fingerprint))
        others = [work.form for work in self.works.of_site(site.key)]
        seen = self.reader.read(site, form, steps, others)
        form_id = self._stores.forms.add(
            site.key, kept, decision=seen.decision, reason=seen.reason, at=self._clock()
        )
        assert form_id is not None, "a form is added once a run"
        state = {"steps": to_plain(steps), "fingerprint": form.fingerprint}
        self.reader.keep(site, form_id, kept, seen, state)
        if seen.decision == CHOSEN:
            self._take_up(self._stores.forms.get(form_id), site, seen, parent)
        return True

    def reconsider(self, form_id: int) -> None:
        """Decide anew about a form, from what was found and what a person says of it now.

        Nothing of it may be under way. What was sent counts as sent; only by another button than
        before it is sent again, and what was learned of the answers is forgotten.
        """
        stored = self._stores.forms.get(form_id)
        site = self._dispatch.sites.get(stored.site)
        if site is None:
            return
        others = [w.form for w in self.works.of_site(site.key) if w.id < form_id]
        seen = self.reader.read_again(site, stored, others)
        state = stored.state | {"earlier": self._stores.submissions.count(form=form_id)}
        if sent_identity(seen.form, seen.steps) != self.reader.identity(stored):
            state.pop(roads.STATE, None)
            self._stores.forms.update(form_id, knowledge={}, transport="browser")
        self._stores.forms.decide(form_id, seen.decision, seen.reason)
        self._stores.forms.update(form_id, stopped="")
        self.reader.keep(site, form_id, stored.form, seen, state)
        before = self.works.pop(form_id, None)
        if seen.decision == CHOSEN:
            self._actions.withdraw(form_id)
            parent = before.parent if before else None
            self._take_up(self._stores.forms.get(form_id), site, seen, parent)
        else:
            self._actions.close(form_id, SAID_SO)

    def _take_up(
        self, stored: StoredForm, site: Site, seen: Understanding, parent: int | None = None
    ) -> None:
        """Work on a chosen form: the same outcomes in the same order give the same plan."""
        identity = sent_identity(seen.form, seen.steps)
        outcomes = tuple(outcome for _, outcome in outcomes_of(self._stores, stored.id, identity))
        records = records_of(self._stores, site.key)
        work = FormWork(
            stored.id,
            site,
            seen.form,
            seen.matches,
            restore_plan(seen.form, seen.values, site, outcomes, records),
            FormKnowledge.from_json(stored.knowledge) if stored.knowledge else FormKnowledge(),
            parent=parent,
            stopped=stored.stopped,
            steps=seen.steps,
            wishes=seen.wishes,
            earlier=stored.state.get("earlier", 0),
        )
        work.sent = self._stores.submissions.count(form=stored.id)
        work.succeeded = sum(o.verdict.is_success for o in outcomes)
        self.works[stored.id] = work
        roads.restore_roads(work, stored.state)
        if stored.stopped in ("budget", "site budget", "cannot be filled", BLOCKED):
            work.stopped = ""  # a larger budget, or another day
        self._start(work, known=self._stores.submissions.known_keys(stored.id))

    def _start(self, work: FormWork, *, known: Container[str]) -> None:
        """Begin with the nonsense probe, unless it is switched off, impossible or done."""
        probe = probe_assignment(work.form) if work.site.settings.response.probe else None
        if probe is None or probe.key(work.fingerprint) in known or work.stopped:
            self.top_up(work)
        else:
            self._enqueue(work, probe, kind="probe", priority=Priority.PROBE)

    def record(self, work: FormWork, outcome: Outcome) -> None:
        """Tell the form's plan of an outcome, and those of the site's other forms what was vain."""
        work.plan.record(outcome)
        self.works.note(work, outcome)

    def show(self, site: Site, records: Sequence[Mapping[str, str]]) -> None:
        """Tell the plans of a site's forms of records (field -> text) that were found."""
        for work in self.works.of_site(site.key):
            work.plan.show(records)

    def top_up(self, work: FormWork) -> None:
        """Put the form's next assignment into the frontier, or note why there is none."""
        if work.stopped or work.waiting:
            return
        reason = self._why_stop(work)
        if len(self.works.of_site(work.site.key)) > 1:
            work.plan.put_off(self.works.vain_of(work.site.key))
        assignment = None if reason else work.next_assignment() or self._siphon.next(work)
        if assignment is None:
            ended = BLOCKED if work.open_keys else work.plan.stop_reason or "exhausted"
            self.stop(work, reason or ended)
            return
        self._enqueue(work, assignment, kind="submit", priority=Priority.SUBMIT)

    def _why_stop(self, work: FormWork) -> str:
        """Why no more is sent through a form, '' if more is."""
        budget = work.site.settings.budget
        if work.sent >= budget.submissions_per_form:
            return "budget"
        if self._stores.submissions.count(site=work.site.key) >= budget.submissions_per_site:
            return "site budget"
        if work.refusals >= MAX_STREAK:
            return BLOCKED
        if work.unsent_streak >= MOST_UNSENT:
            return "cannot be filled"
        if work.sent - work.earlier >= LEAST_TRIALS and not work.succeeded:
            return "no results"
        return ""

    def stop(self, work: FormWork, reason: str) -> None:
        """Send no more through a form."""
        work.stopped = reason
        work.plan = restore_plan(work.form, (), work.site, ())  # what it remembers is a lot
        self.works.release(work.site.key)
        self._stores.forms.update(work.id, stopped=reason)
        self._tell(work.site, "form_done", f"{work.form.action}: {reason}", work.id)

    def _tell(self, site: Site, kind: str, text: str, form: int, *, level: str = "info") -> None:
        self._stores.run.add_event(kind, text, level=level, site=site.key, data={"form": form})

    def _enqueue(
        self, work: FormWork, assignment: ValueAssignment, *, kind: str, priority: Priority
    ) -> None:
        key = assignment.key(work.fingerprint)
        work.waiting = True
        before = self._stores.submissions.attempts(work.id, key)
        added = self._frontier.add(
            NewAction(
                kind=kind,
                site=work.site.key,
                url=work.page_url,
                method=work.form.method,
                priority=priority,
                score=-assignment.rank,
                payload={"form": work.id, "assignment": to_plain(assignment), "key": key},
                parent=work.parent,
                identity=f"{work.id}:{key}:{before}",
            )
        )
        assert added, "an assignment is planned once"

    def action(self, row: ActionRow) -> Submit | None:
        """The submission of a claimed row; None if its form is no longer worked on."""
        work = self.works.get(row.payload["form"])
        if work is None or work.stopped:
            self._frontier.skip(row.id, "form is done")
            return None
        assignment = from_plain(ValueAssignment, row.payload["assignment"])
        probe = row.kind == "probe"
        claimed = self._stores.submissions.claim(
            work.id,
            row.payload["key"],
            site=work.site.key,
            assignment=assignment,
            at=self._clock(),
            probe=probe,
        )
        if claimed is None:
            self._frontier.skip(row.id, "done before")
            self._record_known(work, row.payload["key"])
            self.settled(work)
            return None
        return Submit(
            id=row.id,
            page_url=work.page_url,
            form=work.form,
            assignment=assignment,
            key=row.payload["key"],
            identity=work.fingerprint,
            knowledge=work.knowledge,
            terms=self._dispatch.terms(work.site, row.host),
            max_pages=work.site.settings.budget.result_pages_per_submission,
            probe=probe,
            steps=work.steps,
            may_ask_missing=not probe and self.missing_pages.may_ask(row.host),
            road=self.roads.road(work, assignment, probe=probe),
        )

    def _record_known(self, work: FormWork, key: str) -> None:
        """Tell the plan what became of an assignment that an earlier process dealt with."""
        known = self._stores.submissions.find(work.id, key)
        outcomes = {o[0]: o[1] for o in outcomes_of(self._stores, work.id, work.fingerprint)}
        if known is not None and known.id in outcomes:
            work.plan.record(outcomes[known.id])

    def settled(self, work: FormWork) -> None:
        """The waiting assignment has been dealt with: the next one may come."""
        work.waiting = False
        self.top_up(work)

    def work_of(self, row: ActionRow) -> FormWork:
        """The work a claimed submission belongs to."""
        return self.works[row.payload["form"]]

    def restore(self) -> None:
        """Rebuild the works of an earlier process from what the database keeps."""
        self.learning.begin()
        self._frontier.withdraw(SUBMISSION_KINDS)  # the plans give them out again
        for stored in self._stores.forms.all():
            self._known.add((stored.site, stored.form.fingerprint))
            site = self._dispatch.sites.get(stored.site)
            if stored.decision == CHOSEN and site is not None:
                self._take_up(stored, site, self.reader.remembered(site, stored))
