"""When an answer has settled: navigation over, document at rest, no data of its own under way.

Silence on the network alone says little (long polling never ends, timers wait in silence), so we
ask the document: when did it last change, and which timers are still to come (`watch.js`).
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.errors import PageTimeout
from hiwe.page.channel import Moved

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.page.traffic import Traffic

    Call = Callable[..., Awaitable[Any]]  # runs a page function where the answer is expected

QUIET_MS = 110.0  # without a change of the document
LOAD_TIMERS_MS = 1500.0  # after load, scripts that build the page later than this are not awaited
ANSWER_TIMERS_MS = 3000.0  # after an action, timers due within this time may bring the answer
CHANGED_TIMERS_MS = 400.0  # the same once data came and the document changed
LOAD_DATA_GRACE_S = 2.5  # requests of a page that just loaded may be long polls
LOAD_DATA_S = 10.0  # nor is one after the other awaited for ever
ANSWER_DATA_GRACE_S = 2.0  # the same after an action that already changed the document
PARSE_PATIENCE_MS = 15_000.0  # a script that never comes holds the rest of the page back
NOTHING_MS = 250.0  # after an action that seems to do nothing
WAIT_PAGE_S = 10.0  # a please-wait page is followed so long in all,
LOOK_S = 0.25  # an event may slip by: look anew so often
WAIT_PAGE_HOPS = 3  # and so many times
DATA_KINDS = frozenset({"xhr", "fetch", "script"})

REST = "(o) => { const w = window[Symbol.for('hiwe.watch')]; return w ? w.rest(o) : '{}'; }"
STATUS = (
    "(o) => { const w = window[Symbol.for('hiwe.watch')];"
    " return JSON.stringify(w ? w.status() : {}); }"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """How things stood before an action; what came after it is its effect."""

    hops: int = 0
    ended: int = 0
    commits: int = 0
    within: int = 0
    downloads: int = 0
    popups: int = 0
    count: float = 0.0
    at_ms: float = 0.0
    at_s: float = 0.0  # monotonic


def mark(traffic: Traffic, status: dict[str, Any]) -> Mark:
    """Note the present state of a tab whose document just gave its `status`."""
    recorder = traffic.recorder
    return Mark(
        hops=len(recorder.hops),
        ended=recorder.ended_data,
        commits=len(traffic.commits),
        within=traffic.navigation.within,
        downloads=traffic.downloads,
        popups=traffic.navigation.popups,
        count=float(status.get("count", 0)),
        at_ms=float(status.get("at", 0)),
        at_s=time.monotonic(),
    )


class Settling:
    """One wait for a tab to come to rest, after it was opened or after an action on it."""

    def __init__(
        self,
        call: Call,
        traffic: Traffic,
        *,
        since: Mark | None,
        limit_s: float,
        idle_timers: set[str],
    ) -> None:
        """Prepare to wait at most `limit_s` for the effects after `since` (None: of loading).

        `idle_timers` names pages (host and path) whose timers were seen to change nothing; they
        are not waited for again. What is learned here is added.
        """
        self._call = call
        self._traffic = traffic
        self._since = since
        self._base = since or Mark()
        self._began = time.monotonic()
        self._until = self._began + limit_s
        self._patient_until = self._began + min(limit_s - 1.0, WAIT_PAGE_S)
        self._idle_timers = idle_timers
        self._timer_count: float | None = None  # changes when only timers were left to wait for
        self._changed_at: float | None = None
        self._count = self._base.count
        self.status: dict[str, Any] = {}

    async def wait(self) -> bool:
        """Whether the tab came to rest in time."""
        waited_s, hops = 0.0, 0
        while await self._rest():
            self._learn()
            refresh = self.status.get("refresh")
            if refresh is None or hops >= WAIT_PAGE_HOPS or not is_wait_page(refresh, self.status):
                return True
            began, commits = time.monotonic(), len(self._traffic.commits)
            allowed = min(WAIT_PAGE_S - waited_s, refresh["delay"] + 2.0)
            if not await self._next_document(commits, allowed):
                return True
            waited_s += time.monotonic() - began
            hops += 1
        return False

    @property
    def _page_key(self) -> str:
        """What pages of one template have in common."""
        url = next((c.url for c in reversed(self._traffic.commits) if c.is_main), "")
        return url.split("?")[0].split("#")[0]

    def _learn(self) -> None:
        if self._timer_count is not None and self._timer_count == self.status.get("count"):
            self._idle_timers.add(self._page_key)
        self._timer_count = None

    async def _next_document(self, commits: int, seconds: float) -> bool:
        """Whether a timed refresh brings a new document within `seconds`."""
        until = min(self._until, time.monotonic() + seconds)
        while time.monotonic() < until:
            await self._traffic.wait(until - time.monotonic())
            if len(self._traffic.commits) > commits:
                return True
        return self._navigating

    @property
    def _navigating(self) -> bool:
        """A document is on its way that is worth waiting for.

        That of the tab always, those of frames if the action asked for them; frames that a page
        brings along get a while.
        """
        navigation, since = self._traffic.navigation, self._base.at_s
        if navigation.main_under_way or not navigation.frames_under_way(since):
            return navigation.main_under_way
        late = time.monotonic() - self._began > LOAD_DATA_GRACE_S
        return not late or (self._since is not None and not self._moved)

    async def _rest(self) -> bool:
        while True:
            left = self._until - time.monotonic()
            if left <= 0:
                return False
            if self._navigating:
                await self._traffic.wait(min(left, LOOK_S))
                continue
            text = await self._ask(left)
            if text is None:
                continue
            self.status = json.loads(text)
            if not self._navigating and not await self._must_wait(left):
                return True

    async def _ask(self, left_s: float) -> str | None:
        """What the document says of itself; None when it is about to be left, or was.

        A document that is being left may not answer any more, so nobody waits for it then.
        """
        asked = asyncio.ensure_future(self._call(REST, self._terms(left_s), timeout_s=left_s + 1))
        while not asked.done():
            if self._navigating:
                asked.add_done_callback(_ignore)
                asked.cancel()
                return None
            changed = asyncio.ensure_future(self._traffic.wait(LOOK_S))
            await asyncio.wait({asked, changed}, return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
        try:
            return str(asked.result())
        except (Moved, PageTimeout):
            return None

    def _terms(self, left_s: float) -> dict[str, float]:
        """What the document is asked to wait for."""
        if self._since is None or self._moved:
            idle = self._page_key in self._idle_timers
            horizon, start = 0.0 if idle else LOAD_TIMERS_MS, 0.0
        else:
            start = self._base.at_ms
            horizon = CHANGED_TIMERS_MS if self._data_changed_it else ANSWER_TIMERS_MS
        return {
            "quiet": QUIET_MS,
            "limit": min(left_s * 1000, 400.0),
            "horizon": horizon,
            "from": start,
            "count": self._base.count if self._is_untouched else -1,
            "until": self._base.at_ms + NOTHING_MS,
        }

    @property
    def _is_untouched(self) -> bool:
        """Nothing has come of the action yet, so that it may still be on its way."""
        traffic, navigation, base = self._traffic, self._traffic.navigation, self._base
        return self._since is not None and (
            (len(traffic.commits), traffic.downloads, navigation.within, navigation.popups)
            == (base.commits, base.downloads, base.within, base.popups)
        )

    @property
    def _moved(self) -> bool:
        """The main document is another one than before the action."""
        return any(c.is_main for c in self._traffic.commits[self._base.commits :])

    @property
    def _data_changed_it(self) -> bool:
        return self._traffic.recorder.ended_data > self._base.ended and self._changed_at is not None

    async def _must_wait(self, left: float) -> bool:
        """Whether something is still to come; waits a little if so."""
        status, now = self.status, time.monotonic()
        if not status:
            return False  # no document of ours: a file viewer, an error page
        if status["count"] != self._count:
            self._count, self._changed_at = status["count"], now
        if not status["rest"]:
            if status["timers"] and self._timer_count is None and status["still"] > QUIET_MS:
                self._timer_count = status["count"]
            return not self._patience_is_over(status)
        if status["busy"] and now < self._patient_until:
            await self._traffic.wait(min(left, LOOK_S))
            return True
        if self._awaits_data(now):
            await self._traffic.wait(min(left, LOOK_S))
            return True
        return False

    def _patience_is_over(self, status: dict[str, Any]) -> bool:
        """A document that never rests (clocks, carousels) is taken as it is after a while."""
        if status["interactive"] < 0:
            return bool(status["age"] > PARSE_PATIENCE_MS)
        restless_ms = (
            status["age"]
            if self._moved or self._since is None
            else (status["at"] - self._base.at_ms)
        )
        return bool(restless_ms > 2 * ANSWER_TIMERS_MS and status["timers"] == 0)

    def _awaits_data(self, now: float) -> bool:
        since = self._base.hops
        open_hops = self._traffic.recorder.pending(DATA_KINDS, since=since)
        if not open_hops:
            return False
        if self._since is None or self._moved:
            young = any(now - hop.noted < LOAD_DATA_GRACE_S for hop in open_hops)
            return young and bool(self.status["age"] < LOAD_DATA_S * 1000)
        return not self._data_changed_it or now - (self._changed_at or now) < ANSWER_DATA_GRACE_S


def _ignore(task: asyncio.Future[Any]) -> None:
    """Look at a task's failure, so that nobody complains that it was never looked at."""
    if not task.cancelled():
        task.exception()


def is_wait_page(refresh: dict[str, Any], status: dict[str, Any]) -> bool:
    """A timed refresh soon to come: to another address, or of a page that says next to nothing."""
    if refresh["delay"] > WAIT_PAGE_S:
        return False
    elsewhere = refresh["url"] not in ("", status.get("url", ""))
    return elsewhere or status.get("length", 0) < 400
