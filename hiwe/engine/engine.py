"""The seam between brain and hands: start, perform, observe, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hiwe.engine.action import Action, Observation


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
        """The next observation, None when none came within `timeout_s` seconds."""
        ...

    async def stop(self) -> None:
        """End the workers within a deadline; actions in flight are lost."""
        ...
