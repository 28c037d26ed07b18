"""Dispatch: claimed rows become actions for workers; hosts' manners are kept on the way back.

No address of a host is asked before its robots.txt was read (RFC 9309), and none that it forbids.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.address import host_of
from hiwe.crawl import robots
from hiwe.crawl.action import ANSWERED_KINDS, DETAIL, SIGNPOST
from hiwe.crawl.known_pages import KnownPages
from hiwe.crawl.politeness import (
    Outcome,
    Pace,
    after_request,
    outcome_of,
    quiet_until,
    resumed,
    usual_delay,
)
from hiwe.crawl.traps import Traps
from hiwe.engine.action import Fetch, ReadRobots, Visit
from hiwe.repository.hosts import Hosts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hiwe.crawl.frontier import ActionRow, Frontier
    from hiwe.crawl.robots import RobotsPolicy
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Action, Observation, RobotsRead, SiteTerms

    Build = Callable[[ActionRow], Action | None]


class Dispatch:
    """Hands out actions and keeps pace, robots.txt and the state of hosts and sites."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        stores: Stores,
        frontier: Frontier,
        clock: Callable[[], float],
        owns: Callable[[str], bool] = lambda url: True,
    ) -> None:
        """`owns` says which addresses are asked for here: those of this shard of the task."""
        self.sites = sites
        self.owns = owns
        self.in_flight: dict[int, ActionRow] = {}
        self._stores = stores
        self._frontier = frontier
        self._clock = clock
        self._hosts = Hosts(stores.db)
        self._traps = Traps(stores.db)
        self._known = KnownPages(stores)
        self._chance = random.Random(0)
        self._policies: dict[str, tuple[float, RobotsPolicy]] = {}  # host -> until, policy
        self._failed: set[str] = set()
        self._explored_since: float | None = None  # when the revisit began, None in a first run

    def next_action(self, submission: Build) -> Action | None:
        """The next action that may leave now; None when no host may be asked."""
        while (row := self._frontier.claim()) is not None:
            action = self._action(row, submission)
            if action is not None:
                self.in_flight[row.id] = row
                return action
        return None

    def _action(self, row: ActionRow, submission: Build) -> Action | None:
        """The action of a claimed row; None when it was skipped on the way."""
        site = self.sites.get(row.site)
        if site is None:
            self._frontier.skip(row.id, "site is not in the configuration")
            return None
        if self._is_quiet(row, site):
            return None
        policy = self.policy(row.host, site)
        if policy is None:
            return ReadRobots(row.id, robots.robots_url(row.url), self.terms(site, row.host))
        if policy.is_temporary:  # not read yet: ask again, then decide
            until = self._hosts.robots(row.host).expires_at
            self._frontier.give_back(row.id, "robots.txt could not be read", when=until)
            return None
        if not policy.allows(row.url):
            self._frontier.skip(row.id, "robots")
            if row.depth == 0 and row.kind == "visit":
                self.stop_site(site.key, "robots.txt forbids the start page", failed=True)
            return None
        if row.kind in ANSWERED_KINDS:
            return submission(row)
        if row.kind == SIGNPOST:
            return Fetch(row.id, row.url, self.terms(site, row.host))
        unwanted = self._why_no_visit(row, site)
        if unwanted:
            self._frontier.skip(row.id, unwanted)
            return None
        terms = self.terms(site, row.host)
        is_again = self._explored_since is not None and row.kind != DETAIL
        return Visit(row.id, row.url, terms, known=self._known.of(row) if is_again else None)

    def explore_anew(self, since: float) -> None:
        """Visit pages as a revisit does: with a budget of its own, and conditionally."""
        self._explored_since = since

    def _is_quiet(self, row: ActionRow, site: Site) -> bool:
        """Whether the site wants no requests at this hour; the host then rests until it does."""
        until = quiet_until(site.settings.politeness.quiet_hours, self._clock())
        if until is None:
            return False
        self._hosts.save(replace(self._hosts.get(row.host), next_allowed_at=until))
        self._frontier.give_back(row.id, "quiet hours")
        return True

    def _why_no_visit(self, row: ActionRow, site: Site) -> str:
        """Why a page is not visited after all: the budget is spent, its shape is a trap."""
        if row.kind == DETAIL:
            read = self._stores.pages.count(site.key, DETAIL)
            return "budget" if read >= site.settings.budget.details_per_site else ""
        visited = self._stores.pages.count(site.key, since=self._explored_since or 0.0)
        if visited >= site.settings.budget.pages_per_site:
            return "budget"
        return "trap" if self._traps.is_closed(row.url) else ""

    def terms(self, site: Site, host: str) -> SiteTerms:
        """What a worker must know to work on a site now."""
        pace_s = usual_delay(self._hosts.get(host), Pace(site.settings.politeness.delay_s))
        return site.terms(delay_s=pace_s, permits=self.policy(host, site))

    def policy(self, host: str, site: Site) -> RobotsPolicy | None:
        """What robots.txt of a host allows; None when it has to be read first."""
        if not site.settings.politeness.robots:
            return robots.ALLOW_EVERYTHING
        until, known = self._policies.get(host, (0.0, None))
        if known is not None and until > self._clock():
            return known
        stored = self._hosts.robots(host)
        found = robots.policy(stored, site.settings.politeness.user_agent)
        if found is None or stored.expires_at <= self._clock():
            return None
        self._policies[host] = (stored.expires_at, found)
        return found

    def landed(self, observation: Observation) -> ActionRow:
        """The claimed row an observation belongs to, no longer in flight."""
        return self.in_flight.pop(observation.action_id)

    def take_robots(self, row: ActionRow, read: RobotsRead) -> None:
        """Keep a host's robots.txt and open the action that had to wait for it."""
        url = robots.robots_url(row.url)
        stored = robots.read(
            self._hosts.robots(row.host), url, read.status, read.text, now=self._clock()
        )
        self._hosts.save_robots(row.host, stored)
        site = self.sites[row.site]
        policy = robots.policy(stored, site.settings.politeness.user_agent)
        state = self._hosts.get(row.host)
        if policy is not None:
            self._hosts.save(replace(state, delay_s=policy.crawl_delay_s))
        self.asked(row, outcome_of(read.status), read.duration_s)
        self._frontier.give_back(row.id, "")
        if stored.failures > 1:
            why = f"robots.txt answers {read.status}" if read.status else "the host does not answer"
            self.stop_site(row.site, f"unreachable: {why}", failed=True)

    def asked(
        self,
        row: ActionRow,
        outcome: Outcome,
        response_s: float,
        retry_after_s: float | None = None,
    ) -> bool:
        """Note how a request to a host went; returns whether the host was stopped by it."""
        host = host_of(row.url)
        pace = Pace(self.sites[row.site].settings.politeness.delay_s)
        state = after_request(
            self._hosts.get(host), outcome, pace, now=self._clock(), response_s=response_s,
            retry_after_s=retry_after_s, chance=self._chance,
        )  # fmt: skip
        self._hosts.save(state)
        if state.stopped:
            self.stop_site(row.site, state.stopped, failed=True)
        return bool(state.stopped)

    def rest(self, row: ActionRow) -> None:
        """Let a host rest as after a request: a lost action may have asked it just now."""
        state = self._hosts.get(row.host)
        pace_s = usual_delay(state, Pace(self.sites[row.site].settings.politeness.delay_s))
        due = max(state.next_allowed_at, self._clock() + pace_s)
        self._hosts.save(replace(state, next_allowed_at=due))

    def rest_claimed(self) -> None:
        """Let the hosts rest that a process which was killed may have asked just now."""
        for row in self._frontier.in_state("claimed"):
            if row.site in self.sites:
                self.rest(row)

    def stop_site(self, key: str, reason: str, *, failed: bool = False) -> None:
        """Give out no more work for a site; what is open stays open for a later run."""
        if failed:
            self._failed.add(key)
        if self._stores.run.why_stopped(key):
            return
        self._stores.run.stop_site(key, reason)
        self._stores.run.add_event("site_stopped", reason, level="warning", site=key)
        host = host_of(self.sites[key].start)
        self._hosts.save(replace(self._hosts.get(host), stopped=reason))

    def reopen_stopped(self) -> None:
        """Let sites that an earlier process stopped go on: the reason may have passed."""
        for key, reason in self._stores.run.site_states().items():
            if reason and key in self.sites:
                self.resume_site(key)

    def resume_site(self, key: str) -> None:
        """Let a stopped site go on."""
        self._stores.run.stop_site(key, "")
        host = host_of(self.sites[key].start)
        self._hosts.save(resumed(self._hosts.get(host)))

    def is_stopped(self, key: str) -> bool:
        """Whether no more work is given out for a site."""
        return bool(self._stores.run.why_stopped(key))

    def all_sites_failed(self) -> bool:
        """Whether every site was stopped by a fault: the run itself has failed then."""
        ours = {key for key, site in self.sites.items() if self.owns(site.start)}
        return bool(ours) and self._failed >= ours
