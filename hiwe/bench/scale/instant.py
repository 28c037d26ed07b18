"""An engine whose workers know all answers: what is left is the crawl's own work."""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter, deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.engine.action import ReadRobots, RobotsRead, Submit, Submitted, Visit, Visited

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.engine.action import Action, Observation

IN_FLIGHT = 64
WINDOW = 1_000  # observations of one measured rate


@dataclass(frozen=True, slots=True)
class Seen:
    """What a worker brought back of one site: its page, answers of its form."""

    visited: Visited
    submitted: tuple[Submitted, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """How long to go on: so many observations or seconds; sites at work, submissions of each."""

    observations: int
    limit_s: float
    at_once: int
    submissions: int


class Instant:
    """Answers from memory and takes the time; what it needs itself is left out.

    Sites are slow to show their first page: no more than `extent.at_once` are at work at a time.
    """

    def __init__(self, seen: Seen, extent: Extent) -> None:
        """Nothing was asked yet."""
        self._seen = seen
        self._extent = extent
        self._ready: deque[Observation] = deque()
        self._visits: deque[Visited] = deque()
        self._given: Counter[str] = Counter()
        self._at_work = 0
        self._aside_s = self._aside_cpu_s = 0.0
        self.stop_crawl: Callable[[], None] = lambda: None
        self.observed = 0
        self.times: list[float] = []
        self.cpu_times: list[float] = []
        self.memory_mib: list[float] = []

    async def start(self) -> None:
        """Take the time."""
        self._mark()

    def _mark(self) -> None:
        self.times.append(time.perf_counter() - self._aside_s)
        self.cpu_times.append(time.process_time() - self._aside_cpu_s)
        self.memory_mib.append(_memory_mib())

    @property
    def free(self) -> int:
        """Room for more actions."""
        return IN_FLIGHT - len(self._ready)

    def perform(self, action: Action) -> None:
        """Know the answer."""
        began, cpu_began = time.perf_counter(), time.process_time()
        if isinstance(action, ReadRobots):
            self._ready.append(RobotsRead(action.id, 404, "", 0.0))
        elif isinstance(action, Visit):
            self._visits.append(self._page(action))
        else:
            assert isinstance(action, Submit)
            self._ready.append(self._result(action))
            self._given[action.terms.key] += 1
            self._at_work -= self._given[action.terms.key] == self._extent.submissions
        while self._visits and self._at_work < self._extent.at_once:
            self._ready.append(self._visits.popleft())
            self._at_work += 1
        self._aside_s += time.perf_counter() - began
        self._aside_cpu_s += time.process_time() - cpu_began

    def _page(self, action: Visit) -> Visited:
        """The page that was seen, at another address."""
        seen, find = self._seen.visited, f"{action.url}find"
        forms = tuple(
            replace(
                form, page_url=action.url, action=find,
                submitters=tuple(
                    replace(one, action=find) if one.action else one for one in form.submitters
                ),
            )
            for form in seen.forms
        )  # fmt: skip
        return replace(seen, action_id=action.id, url=action.url, forms=forms)

    def _result(self, action: Submit) -> Submitted:
        """The answer to an author: every other record is one that no answer has shown yet."""
        number = int(action.assignment.bindings[0].value[-5:])
        model = self._seen.submitted[number % len(self._seen.submitted)]
        asked = f"{action.form.action}?author={number}"
        records = tuple(
            (replace(record, key=f"{record.key}{number}"), place) if at % 2 else (record, place)
            for at, (record, place) in enumerate(model.records)
        )
        page = model.pages[0]
        features = replace(page.features, url=asked, digest=str(number))
        return replace(
            model, action_id=action.id, pages=(replace(page, features=features),),
            request=("GET", asked, ""), records=records,
        )  # fmt: skip

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next answer; None, after a while, without one."""
        if not self._ready:
            await asyncio.sleep(min(timeout_s, 0.001))
            return None
        self.observed += 1
        if self.observed % WINDOW == 0:
            self._mark()
            is_late = self.times[-1] - self.times[0] > self._extent.limit_s
            if is_late or self.observed >= self._extent.observations:
                self.stop_crawl()
        return self._ready.popleft()

    async def stop(self) -> None:
        """Nothing runs."""


def _memory_mib() -> float:
    """What the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20
