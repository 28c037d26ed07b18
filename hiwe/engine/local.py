"""The local engine: one worker in this process, its actions as asyncio tasks on one browser."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from hiwe.engine.in_flight import InFlight
from hiwe.engine.living import LivingWorker

if TYPE_CHECKING:
    from hiwe.engine.action import Action, Observation
    from hiwe.engine.engine import MakeWorker

STOP_DEADLINE_S = 10.0
SPARE_THREADS = 4  # for whoever else in this process waits in one


class LocalEngine:
    """Performs up to `slots` actions at once on one worker."""

    def __init__(self, make_worker: MakeWorker, slots: int) -> None:
        """Nothing runs before `start`."""
        self._worker = LivingWorker(partial(make_worker, 0))
        self._slots = slots
        self._in_flight = InFlight()

    async def start(self) -> None:
        """Start the worker; raises BrowserMissing when there is no browser to drive."""
        # Plain HTTP waits in threads; asyncio has but four more of them than there are processors.
        threads = ThreadPoolExecutor(SPARE_THREADS + self._slots, "hiwe")
        asyncio.get_running_loop().set_default_executor(threads)
        await self._worker.start()

    @property
    def free(self) -> int:
        """Slots that hold no action now."""
        return self._in_flight.room(self._slots)

    def perform(self, action: Action) -> None:
        """Begin an action in a task of its own."""
        self._in_flight.begin(self._worker.perform(action))

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation; None after `timeout_s` seconds without one."""
        return await self._in_flight.observe(timeout_s)

    async def stop(self) -> None:
        """Cancel what is in flight and close the worker, within a deadline."""
        await self._in_flight.cancel(STOP_DEADLINE_S)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._worker.close(), STOP_DEADLINE_S)
