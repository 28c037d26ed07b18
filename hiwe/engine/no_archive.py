"""An archive that keeps nothing: for a look by hand, and where the way alone is measured."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page

NOWHERE = "nowhere#0"


class NoArchive:
    """Takes what an `Archive` takes."""

    def store(
        self,
        exchanges: tuple[Exchange, ...],
        snapshot: Page | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> tuple[str, ...]:
        """A reference that leads nowhere for each exchange, and for the page."""
        return (NOWHERE,) * (len(exchanges) + (snapshot is not None))

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Nothing is kept."""
        yield

    def close(self) -> None:
        """Nothing to close."""
