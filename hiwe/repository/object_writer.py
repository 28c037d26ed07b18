"""Write the archive to an object storage: one object for each action, there before it is judged."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from hiwe.repository.archive import Batch
from hiwe.repository.filing import Filing, file_name, warcinfo

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.repository.archive import Original
    from hiwe.repository.objects import ObjectPlace

PREFIX = "hiwe"


@dataclass
class Segment:
    """What one action has stored so far."""

    name: str
    octets: bytearray = field(default_factory=bytearray)
    fresh: dict[str, Original] = field(default_factory=dict)


class ObjectWriter:
    """Writes the objects of one worker, named as files are. Actions may be under way side by side.

    What an action stores is collected and uploaded when it ends, before its observation goes back:
    so it outlives the worker. Other objects refer to a body in it only from then on.
    """

    def __init__(self, directory: ObjectPlace, *, series: str, worker: int) -> None:
        """`directory` is the archive. One that takes a dead worker's place has its number, too."""
        self._directory, self._series = directory, series
        self._worker = f"{worker:02d}{token_hex(2)}"
        self._number = 0
        self._filing = Filing()
        self._segment: ContextVar[Segment | None] = ContextVar("segment", default=None)

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Around an action: on its end what it stored is uploaded. ArchiveError if that fails."""
        segment = self._new_segment()
        token = self._segment.set(segment)
        try:
            yield
        finally:
            self._segment.reset(token)
        if segment.octets:
            await asyncio.to_thread(self._upload, segment)
            self._filing.remember(segment.fresh)

    def store(
        self,
        exchanges: Sequence[Exchange],
        snapshot: Page | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> tuple[str, ...]:
        """Collect exchanges and the rendered page; return their references 'object#offset'.

        Outside an action they are uploaded at once. As `WarcWriter.store`.
        """
        segment = self._segment.get()
        if segment is not None:
            return self._add(segment, exchanges, snapshot, note)
        segment = self._new_segment()
        refs = self._add(segment, exchanges, snapshot, note)
        self._upload(segment)
        self._filing.remember(segment.fresh)
        return refs

    def _add(
        self,
        segment: Segment,
        exchanges: Sequence[Exchange],
        snapshot: Page | None,
        note: Mapping[str, Any] | None,
    ) -> tuple[str, ...]:
        batch = Batch(segment.name, len(segment.octets))
        if not segment.octets:
            batch.add_info(warcinfo({}))
        refs = self._filing.add(batch, exchanges, snapshot, note, segment.fresh)
        segment.octets += batch.octets
        return tuple(str(ref) for ref in refs)

    def _new_segment(self) -> Segment:
        time = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        self._number += 1
        return Segment(file_name(PREFIX, time, self._series, self._worker, self._number))

    def _upload(self, segment: Segment) -> None:
        (self._directory / segment.name).write(bytes(segment.octets))

    def close(self) -> None:
        """Nothing is open: each object was complete when its action ended."""
