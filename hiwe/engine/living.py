"""A worker that outlives its browser: one whose browser has ended is started anew."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.engine.action import LOST, Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.engine.action import Action, Observation
    from hiwe.engine.worker import Worker


MOMENT_S = 0.2  # the end of a browser is known this much after that of its tabs


class LivingWorker:
    """Performs actions on a worker; every engine's hands are one of these or several."""

    def __init__(self, make_worker: Callable[[], Awaitable[Worker]]) -> None:
        """`make_worker` starts a worker and its browser."""
        self._make_worker = make_worker
        self._worker: Worker | None = None
        self._restarting = asyncio.Lock()

    async def start(self) -> None:
        """Start the worker; raises BrowserMissing when there is no browser to drive."""
        self._worker = await self._make_worker()

    async def perform(self, action: Action) -> Observation:
        """What comes of an action; it is lost when the browser ended under it."""
        worker = await self._living()
        observation = await worker.perform(action)
        if isinstance(observation, Failure) and observation.kind == "crash":
            await asyncio.sleep(MOMENT_S)
            return observation if worker.alive else replace(observation, kind=LOST)
        return observation

    async def _living(self) -> Worker:
        async with self._restarting:
            if self._worker is None or not self._worker.alive:
                if self._worker is not None:
                    await self._worker.close()
                self._worker = await self._make_worker()
            return self._worker

    async def close(self) -> None:
        """Close the worker, if there is one."""
        if self._worker is not None:
            await self._worker.close()
