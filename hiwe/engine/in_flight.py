"""What is in flight: each action in a task of its own, their observations in order of arrival."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from hiwe.engine.action import Observation

AHEAD = 2  # most actions given out and not observed yet, as a multiple of those under way


class InFlight:
    """Actions under way, their observations, and faults: one ends the run, none is hidden."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._observations: asyncio.Queue[Observation] = asyncio.Queue()
        self._fault: BaseException | None = None

    def room(self, slots: int) -> int:
        """How many more actions may begin, of so many at a time.

        Workers that are quicker than the crawl wait for it: observations that lie here unread take
        room, too, so that memory is bounded.
        """
        under_way = len(self._tasks)
        return min(slots - under_way, AHEAD * slots - under_way - self._observations.qsize())

    def begin(self, work: Coroutine[Any, Any, Observation]) -> None:
        """Run `work` in a task; what it returns is observed later."""
        task = asyncio.get_running_loop().create_task(self._observed(work))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def _observed(self, work: Coroutine[Any, Any, Observation]) -> None:
        self._observations.put_nowait(await work)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            self.fail(fault)

    def fail(self, fault: BaseException) -> None:
        """Let the next `check` or `observe` raise an unforeseen error."""
        self._fault = self._fault or fault

    def check(self) -> None:
        """Raise the first fault, if there was one."""
        if self._fault is not None:
            raise self._fault

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation; None after `timeout_s` seconds without one."""
        self.check()
        if not self._observations.empty():
            return self._observations.get_nowait()
        if timeout_s <= 0:
            return None
        try:
            return await asyncio.wait_for(self._observations.get(), timeout_s)
        except TimeoutError:
            return None

    async def cancel(self, deadline_s: float) -> None:
        """End what is under way; gives up waiting for it after `deadline_s` seconds."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=deadline_s)
