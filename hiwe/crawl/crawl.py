"""The crawl: the brain's loop. It alone decides and writes; an observation is taken as a whole.

    claim an action -> worker -> observation -> [robots | page | answer] -> new actions

What goes wrong on the way to a site ends one action and becomes a row and an event, never a stop
of the run.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from hiwe.crawl.action import DETAIL, RECHECK, SIGNPOST, SUBMISSION_KINDS
from hiwe.crawl.answers import Answers
from hiwe.crawl.assistance import Assistance
from hiwe.crawl.details import Details
from hiwe.crawl.dispatch import Dispatch
from hiwe.crawl.form_desk import FormDesk
from hiwe.crawl.frontier import Frontier
from hiwe.crawl.learning import Learning
from hiwe.crawl.links import Links
from hiwe.crawl.neighbours import Neighbours
from hiwe.crawl.politeness import Outcome
from hiwe.crawl.revisit import Revisit
from hiwe.crawl.signposts import Signposts
from hiwe.crawl.steering import Steering
from hiwe.crawl.topic import Topic
from hiwe.crawl.visits import Visits
from hiwe.engine.action import Failure, Fetched, RobotsRead, Submitted, Visited
from hiwe.repository.run import TIME_SPENT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Action, Observation
    from hiwe.engine.engine import Engine
    from hiwe.lvs.sources import Sources
    from hiwe.lvs.table import LvsTable
    from hiwe.task import Task

LOG = logging.getLogger(__name__)
LONGEST_WAIT_S = 1.0
TICK_S = 2.0
TOGETHER = 16  # most observations in one transaction: that many a killed process asks for again


class Crawl:
    """One task at work: sites, LVS, frontier and an engine that performs the actions."""

    def __init__(
        self,
        task: Task,
        sites: Sequence[Site],
        stores: Stores,
        lvs: LvsTable,
        engine: Engine,
        *,
        directory: Path,
        assist: Path,
        sources: Sources | None = None,
        neighbours: Neighbours | None = None,
        revisits: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`directory` is that of the run, `assist` the file of a person's corrections.

        `neighbours` are the other shards of a task that is split; `revisits`: a finished run that
        has nothing new to do is visited again.
        """
        self._task = task
        self._stores = stores
        self._engine = engine
        self._clock = clock
        self._interrupted = False
        self._ticked_at = 0.0
        self.frontier = Frontier(stores.db)
        self._neighbours = neighbours or Neighbours()
        self._revisits = revisits
        by_key = {site.key: site for site in sites}
        self._dispatch = Dispatch(by_key, stores, self.frontier, clock, self._neighbours.owns)
        learning = Learning(
            lvs,
            stores,
            enabled=task.lvs.learn,
            siphons=task.lvs.siphon,
            sources=sources,
        )
        self._desk = FormDesk(stores, self.frontier, learning, self._dispatch, clock)
        links = Links(stores.db, self.frontier, Topic.of_task(task, lvs), self._neighbours)
        self._signposts = Signposts(
            by_key, stores, self.frontier, self._dispatch, links, clock, self._neighbours
        )
        self._visits = Visits(
            by_key, stores, self.frontier, self._desk, self._dispatch, self._signposts, links,
            clock, self._neighbours,
        )  # fmt: skip
        self._details = Details(
            by_key, stores, self.frontier, self._dispatch, clock, self._neighbours
        )
        self._answers = Answers(
            stores, self.frontier, self._desk, self._dispatch, self._details, clock
        )
        self._revisit = Revisit(stores, self.frontier, self._desk, self._dispatch, clock)
        self._assistance = Assistance(assist, stores, self._desk, self._dispatch, learning, clock)
        self._steering = Steering(directory, stores.run, clock)

    def interrupt(self) -> None:
        """Stop giving out actions and end with the state saved; safe in a signal handler."""
        self._interrupted = True

    async def run(self) -> str:
        """Crawl until nothing is left, the time is spent or interrupted; returns the status."""
        await self._engine.start()
        ended = False
        try:
            self._begin()
            while self._goes_on():
                if not self._steering.is_paused:
                    self._give_out()
                if not self._is_idle():
                    self._neighbours.look(self._visits.admit)
                elif self._neighbours.is_over(self._visits.admit):
                    break
                await self._take_next()
                self._tick()
            ended = True
        finally:
            if not ended:
                self._stores.run.end("failed")
            await self._engine.stop()
            self._neighbours.leave()
        return self._end()

    def _is_idle(self) -> bool:
        """Whether nothing is left to do as things stand, nor in hand."""
        at_work = self._steering.is_paused or self._dispatch.in_flight
        return not at_work and self.frontier.next_due() is None

    def _begin(self) -> None:
        """Take up the run where the last process left it, or at its start pages."""
        before = self._stores.run.status
        with self._stores.db.atomic():
            self._stores.run.begin(self._task.task)
            self._stores.run.set_sites(
                {site.key: at for at, site in enumerate(self._dispatch.sites.values())
                 if self._neighbours.owns(site.start)}
            )  # fmt: skip
            self._dispatch.rest_claimed()
            self.frontier.release_claims()
            self._dispatch.reopen_stopped()
            self._visits.seed()
            self._assistance.prepare()
            self._desk.restore()
            self._assistance.begin()
            self._revisit.begin(before, anew=self._revisits)

    def _goes_on(self) -> bool:
        """Whether there is to be more, now that a person may have said something else."""
        self._steering.look()
        self._assistance.look()
        self._interrupted = self._interrupted or self._steering.is_stopped
        return not self._interrupted and not self._is_time_spent()

    def _give_out(self) -> None:
        """Claim what may leave now, in one transaction, and let it go."""
        claimed: list[Action] = []
        room = self._engine.free
        if room <= 0:
            return
        with self._stores.db.atomic():
            while len(claimed) < room:
                action = self._dispatch.next_action(self._assignment)
                if action is None:
                    break
                claimed.append(action)
        for action in claimed:
            LOG.info("%s", action)
            self._engine.perform(action)

    def _assignment(self, row: ActionRow) -> Action | None:
        """The action of a row that sends an assignment, for the first time or once more."""
        return self._revisit.action(row) if row.kind == RECHECK else self._desk.action(row)

    async def _take_next(self) -> None:
        """Wait for an observation; take it with those that are there, too, in one transaction."""
        first = await self._engine.observe(0.0) or await self._engine.observe(self._wait_s())
        if first is None:
            return
        with self._stores.db.atomic():
            self._take(first)
            for _ in range(TOGETHER - 1):
                further = await self._engine.observe(0.0)
                if further is None:
                    break
                self._take(further)

    def _take(self, observation: Observation) -> None:
        """The outcome, the learning and the new actions: all of it is kept, or nothing."""
        with self._stores.db.together():
            claimed = self._dispatch.landed(observation)
            if isinstance(observation, RobotsRead):
                self._dispatch.take_robots(claimed, observation)
                self._signposts.ask_sitemaps(claimed)
            elif isinstance(observation, Fetched):
                self._signposts.take(claimed, observation)
            elif isinstance(observation, Visited) and claimed.kind == DETAIL:
                self._details.take(claimed, observation)
            elif isinstance(observation, Visited):
                self._revisit.compare(claimed, observation)
                self._visits.take(claimed, observation)
            elif isinstance(observation, Submitted) and claimed.kind == RECHECK:
                self._desk.roads.take(self._desk.work_of(claimed), observation, claimed)
                self._revisit.take(claimed, observation)
            elif isinstance(observation, Submitted):
                self._desk.roads.take(self._desk.work_of(claimed), observation, claimed)
                self._answers.take(claimed, observation)
            elif isinstance(observation, Failure):
                self._take_failure(claimed, observation)
            if self._assistance.is_behind:
                self._assistance.catch_up()

    def _take_failure(self, claimed: ActionRow, failure: Failure) -> None:
        if failure.is_silence:
            self._dispatch.asked(claimed, Outcome.UNANSWERED, failure.duration_s)
        elif failure.is_loss:
            self._dispatch.rest(claimed)
        if claimed.kind in SUBMISSION_KINDS:
            self._answers.take_failure(claimed, failure)
        elif failure.is_loss:
            if not self.frontier.release_claims(claimed.id):
                self._visits.take_failure(claimed, failure)
        elif claimed.kind == SIGNPOST:
            self._signposts.take_failure(claimed, failure)
        elif claimed.kind == RECHECK:
            self._revisit.take_failure(claimed, failure)
        elif claimed.kind == DETAIL:
            self._details.take_failure(claimed, failure)
        else:
            self._visits.take_failure(claimed, failure)

    def _is_time_spent(self) -> bool:
        worked_s, budget_s = self._revisit.worked_s, self._task.budget.duration_s
        is_spent = worked_s >= budget_s
        if is_spent:
            why = f"{TIME_SPENT}: {worked_s:,.0f} s of {budget_s:,.0f} s used; raise it to go on"
            for key in self._stores.run.site_states():
                if key in self._dispatch.sites:
                    self._dispatch.stop_site(key, why)
        return is_spent

    def _wait_s(self) -> float:
        due = self.frontier.next_due()
        longest_s = min(LONGEST_WAIT_S, self._neighbours.look_s)
        if due is None or self._engine.free == 0 or self._steering.is_paused:
            return longest_s
        return min(longest_s, max(0.01, due - self._clock()))

    def _tick(self) -> None:
        if self._clock() - self._ticked_at > TICK_S:
            self._ticked_at = self._clock()
            self._stores.run.tick()

    def _end(self) -> str:
        """How the run ended: interrupted, failed (no site could be worked on) or finished."""
        status = "finished"
        if self._interrupted:
            status = "interrupted"
        elif self._dispatch.all_sites_failed():
            status = "failed"
        else:
            self._revisit.end()
        self._stores.run.end(status)
        return status
