"""A worker without a browser, for tests of engines. Picklable, as those that go elsewhere are."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from hiwe.engine.action import Failure, Fetch, Fetched, SiteTerms

if TYPE_CHECKING:
    from hiwe.engine.action import Observation

ENDING, BREAKING, SLOW = "ending", "breaking", "slow"  # parts of addresses


class FakeWorker:
    """Answers with its number and pid; its 'browser' ends where an address says so."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.alive = True

    async def perform(self, action: Fetch) -> Observation:
        await asyncio.sleep(2.5 if SLOW in action.url else 0.0)
        if BREAKING in action.url:
            raise LookupError(action.url)
        if ENDING in action.url:
            self.alive = False
            return Failure(action.id, "crash", "the browser ended")
        body = f"{self.number} {os.getpid()}"
        return Fetched(action.id, action.url, 200, body.encode(), 0.0)

    async def close(self) -> None:
        self.alive = False


async def make_fake(number: int) -> FakeWorker:
    """Start one."""
    return FakeWorker(number)


def fetch(number: int, path: str = "", site: str = "a") -> Fetch:
    """An action of a site."""
    return Fetch(number, f"http://{site}.org/{path}", SiteTerms(site, 0.0, 1.0))
