"""The local engine: workers as asyncio tasks in this process, one browser between them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.engine.action import Action, Observation
    from hiwe.engine.worker import Worker

STOP_DEADLINE_S = 10.0


class LocalEngine:
    """Performs up to `slots` actions at once on one worker.

    `make_worker` starts the worker (and its browser); a crashed one is started anew.
    """

    def __init__(self, make_worker: Callable[[], Awaitable[Worker]], *, slots: int) -> None:
        self._make_worker = make_worker
        self._slots = slots
        self._worker: Worker | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._observations: asyncio.Queue[Observation] = asyncio.Queue()
        self._restarting = asyncio.Lock()
        self._faults: list[BaseException] = []

    async def start(self) -> None:
        """Start the worker; raises BrowserMissing when there is no browser to drive."""
        self._worker = await self._make_worker()

    @property
    def free(self) -> int:
        """Slots that hold no action now."""
        return self._slots - len(self._tasks)

    def perform(self, action: Action) -> None:
        """Begin an action in a task of its own."""
        task = asyncio.get_running_loop().create_task(self._perform(action))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def _perform(self, action: Action) -> None:
        worker = await self._living_worker()
        observation = await worker.perform(action)
        self._observations.put_nowait(observation)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A task that ended by an unforeseen error ends the run: faults are never hidden."""
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            self._faults.append(fault)

    async def _living_worker(self) -> Worker:
        async with self._restarting:
            if self._worker is None or not self._worker.alive:
                if self._worker is not None:
                    await self._worker.close()
                self._worker = await self._make_worker()
            return self._worker

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation; None after `timeout_s` seconds without one."""
        if self._faults:
            raise self._faults[0]
        try:
            return await asyncio.wait_for(self._observations.get(), timeout_s)
        except TimeoutError:
            return None

    async def stop(self) -> None:
        """Cancel what is in flight and close the worker, within a deadline."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_DEADLINE_S)
        if self._worker is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._worker.close(), STOP_DEADLINE_S)
