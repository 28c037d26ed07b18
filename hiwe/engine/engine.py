"""The seam between brain and hands: start, free, perform, observe, stop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hiwe.engine.action import Action, Observation
    from hiwe.engine.worker import Worker


class Engine(Protocol):
    """Runs workers somewhere; the crawl sees actions go in and observations come out."""

    async def start(self) -> None:
        """Bring the workers up; raises BrowserMissing when there is no browser to drive."""
        ...

    @property
    def free(self) -> int:
        """How many more actions may be given out now (back-pressure)."""
        ...

    def perform(self, action: Action) -> None:
        """Give an action to a worker; its observation comes later."""
        ...

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation, None when none came within `timeout_s` seconds.

        Of an action whose worker was lost it is a Failure of kind LOST.
        """
        ...

    async def stop(self) -> None:
        """End the workers within a deadline; actions in flight are lost."""
        ...


# Starts a worker, browser included. The number is its own among the workers of a run: it goes into
# the names of its files. An engine that runs workers elsewhere needs it to be picklable.
MakeWorker = Callable[[int], Awaitable["Worker"]]

# An engine of so many workers, or of one that does so many actions at once; not yet started.
MakeEngine = Callable[[MakeWorker, int], Engine]
