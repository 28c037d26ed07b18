"""What a tab shows: its document, or the frame of it where an answer landed, as a Page."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hiwe.errors import PageError
from hiwe.page.channel import Moved
from hiwe.page.file import is_html, page_of_file, page_without_document
from hiwe.page.snapshot import SNAPSHOT_JS, parse_snapshot
from hiwe.page.wire import exchange_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiwe.page.channel import Channel
    from hiwe.page.exchange import Exchange
    from hiwe.page.interruptions import Interruptions
    from hiwe.page.navigation import Commit
    from hiwe.page.page import Page
    from hiwe.page.traffic import Traffic

ABORTED = "net::ERR_ABORTED"  # no document will come: a download, an empty answer, a refusal
READ_TRIES = 3


class View:
    """Reads a tab. `error` is the browser's word on the last address opened, '' when it came."""

    def __init__(self, channel: Channel, traffic: Traffic, aside: Interruptions) -> None:
        """Read over `channel`; what was exchanged comes from `traffic` and `aside`."""
        self._channel = channel
        self._traffic = traffic
        self._aside = aside
        self._frame: str | None = None  # where the answer is read, None: the main document
        self._frame_commits = 0
        self.early: list[asyncio.Task[None]] = []  # requests that left before we could listen
        self.error = ""

    async def call(self, function: str, *arguments: Any, timeout_s: float | None = None) -> Any:
        """What a page function returns where the answer is read (a frame or the document)."""
        if self._frame is not None and self._frame_commits != self._commits_of(self._frame):
            await self.enter(self._frame)
        return await self._channel.call(function, *arguments, timeout_s=timeout_s)

    async def page(self, html: bool, settle: Callable[[], Awaitable[bool]]) -> Page:
        """The page as it is now, with the exchanges since the last reading.

        `settle` is awaited when the document moves on while it is read.
        """
        commit, at = self._shown, _now()
        if self.error or commit is None or commit.failed:
            return await self.without_document()
        if not is_html(commit.mime):
            return await self._file(commit, at)
        text, exchanges = await asyncio.gather(self._read(html, settle), self.exchanges())
        commit = self._shown or commit
        hop = self._traffic.recorder.document_of(commit.loader, commit.url)
        main = exchange_of(hop) if hop else None
        return parse_snapshot(
            text,
            status=main.status if main else 200,
            headers=main.response_headers if main else (),
            exchanges=exchanges,
            dialogs=self._aside.take_dialogs(),
            fetched_at=at,
        )

    async def _read(self, html: bool, settle: Callable[[], Awaitable[bool]]) -> str:
        for _ in range(READ_TRIES):
            try:
                text: str = await self.call(SNAPSHOT_JS, {"html": html})
                return text
            except Moved:
                await settle()
        raise PageError(self._channel.url, "moves on faster than it can be read")

    async def exchanges(self) -> tuple[Exchange, ...]:
        """What was sent and received since the last call, downloads read to their end."""
        limit = self._channel.timeout_s
        if self.early:
            await asyncio.wait(self.early, timeout=limit)
        await self._aside.wait_for_files(limit)
        return tuple(exchange_of(hop) for hop in await self._traffic.hops())

    async def _file(self, commit: Commit, at: str) -> Page:
        exchanges = await self.exchanges()
        hop = self._traffic.recorder.document_of(commit.loader, commit.url)
        if hop is None:
            return await self.without_document()
        dialogs = self._aside.take_dialogs()
        return page_of_file(exchange_of(hop), exchanges=exchanges, dialogs=dialogs, fetched_at=at)

    async def without_document(self) -> Page:
        """The answer where no document took its place: a download, nothing (204), a refusal."""
        if self.error == ABORTED:
            await self._aside.wait_for_download()
        exchanges = await self.exchanges()
        return page_without_document(
            self._channel.url,
            exchanges=exchanges,
            dialogs=self._aside.take_dialogs(),
            fetched_at=_now(),
        )

    @property
    def _shown(self) -> Commit | None:
        """The document that is read: the last one that took its place."""
        for commit in reversed(self._traffic.commits):
            if commit.is_main if self._frame is None else commit.frame == self._frame:
                return commit
        return None

    def leave_frame(self) -> None:
        """Read the main document from now on."""
        self._frame = None
        self._channel.context = None

    async def enter(self, frame: str) -> None:
        """Read `frame` from now on."""
        context = await self._channel.context_of(frame)
        if context is None:
            raise PageError(
                self._channel.url, "its frame cannot be read: it belongs to another site"
            )
        self._frame, self._frame_commits = frame, self._commits_of(frame)
        self._channel.context = context

    def _commits_of(self, frame: str) -> int:
        return sum(c.frame == frame for c in self._traffic.commits)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
