"""The actor of a Ray cluster: one living worker, a few actions at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hiwe.engine.living import LivingWorker
from hiwe.version import __version__

if TYPE_CHECKING:
    from functools import partial
    from typing import Any

    from hiwe.engine.action import Action, Observation


class RayWorker:
    """One living worker, up to `slots` actions at once; others wait their turn."""

    def __init__(self, make_worker: partial[Any], slots: int) -> None:
        """Nothing runs before `start`."""
        self._worker = LivingWorker(make_worker)
        self._slots = asyncio.Semaphore(slots)

    async def start(self) -> str:
        """Start the worker; the version of hiwe that it runs."""
        await self._worker.start()
        return __version__

    async def stay(self) -> None:
        """Never return: who awaits it is told when the process ends."""
        await asyncio.Event().wait()

    async def perform(self, action: Action) -> Observation:
        """What comes of an action."""
        async with self._slots:
            return await self._worker.perform(action)

    async def close(self) -> None:
        """Close the browser and the archive."""
        await self._worker.close()
