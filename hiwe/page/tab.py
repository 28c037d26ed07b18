"""A tab: open an address, let it settle, read it, see where an answer lands."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import PageError, PageTimeout, SiteUnreachable
from hiwe.page.channel import Moved
from hiwe.page.file import is_html, page_of_file, page_without_document
from hiwe.page.interruptions import Interruptions
from hiwe.page.landing import landing_of
from hiwe.page.overlay import close_overlay
from hiwe.page.pointer import Pointer
from hiwe.page.settle import STATUS, Mark, Settling, mark
from hiwe.page.snapshot import SNAPSHOT_JS, parse_snapshot
from hiwe.page.wire import exchange_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from playwright.async_api import Page as PlaywrightPage

    from hiwe.page.channel import Channel
    from hiwe.page.exchange import Exchange
    from hiwe.page.landing import Landing
    from hiwe.page.navigation import Commit
    from hiwe.page.page import Page
    from hiwe.page.session import Session
    from hiwe.page.traffic import Traffic

CLOSE_S = 3.0
ABORTED = "net::ERR_ABORTED"  # no document will come: a download, an empty answer, a refusal
UNREACHABLE = (
    "CONNECTION_REFUSED", "NAME_NOT_RESOLVED", "ADDRESS_UNREACHABLE", "INTERNET_DISCONNECTED",
    "CONNECTION_TIMED_OUT", "CONNECTION_RESET", "CONNECTION_CLOSED", "EMPTY_RESPONSE", "SSL_",
    "CERT_", "TUNNEL", "PROXY", "ADDRESS_INVALID", "UNSAFE_PORT",
)  # fmt: skip
FORGET_JS = "() => { window.stop(); window.name = ''; try { sessionStorage.clear(); } catch { } }"


class Tab:
    """One tab of a session. Its verbs raise PageError and its kin, nothing of the browser's own.

    `answer` is the tab where the last answer landed: this one, or a tab that it opened.
    `pointer` is its mouse and keyboard, `traffic` what goes on in it.
    """

    def __init__(
        self, page: PlaywrightPage, channel: Channel, traffic: Traffic, session: Session
    ) -> None:
        """Wrap a page whose traffic is listened to; made by `Session.open`."""
        self._page, self._channel, self._session = page, channel, session
        self._aside = Interruptions(page, traffic, session)
        self._frame: str | None = None  # where the answer is read, None: the main document
        self._frame_commits = 0
        self._error = ""
        self._leaving: asyncio.Task[None] | None = None
        self.spent = False  # something may still come late: not to be used for another page
        self.early: list[asyncio.Task[None]] = []  # requests that left before we could listen
        self.traffic = traffic
        self.pointer = Pointer(channel)
        self.answer: Tab = self

    @property
    def url(self) -> str:
        """The address of the main document."""
        return self._channel.url

    def forbids(self, url: str) -> bool:
        """Whether our own rules (robots.txt, scope) keep us from asking for `url`."""
        return self._session.forbids(url)

    async def goto(
        self, url: str, *, referer: str | None = None, timeout_s: float | None = None
    ) -> None:
        """Open `url` and let it settle.

        What comes back, a refusal by our own rules included, is read by `snapshot`. Raises
        PageTimeout, SiteUnreachable, or PageError for an address that cannot be opened.
        """
        limit = self._channel.timeout_s if timeout_s is None else timeout_s
        until = time.monotonic() + limit
        if self._leaving is not None:
            await self._leaving
            self._leaving = None
        self._channel.url, self._error = url, ""
        self._look_at(None)
        parameters = {"url": url} | ({"referrer": referer} if referer else {})
        try:
            answer = await self._channel.send("Page.navigate", parameters, timeout_s=limit)
        except Moved:
            answer = {}
        except PageTimeout as exc:
            self.spent = True
            raise PageTimeout(url, f"no answer within {limit:.0f} s") from exc
        self._error = answer.get("errorText", "")
        self._raise_if_unreachable(url)
        if not self._error and not await self.settle(timeout_s=until - time.monotonic()):
            self.spent = True

    def _raise_if_unreachable(self, url: str) -> None:
        if any(name in self._error for name in UNREACHABLE):
            raise SiteUnreachable(url, f"cannot be reached ({self._error})")
        if "INVALID_URL" in self._error or "UNKNOWN_URL_SCHEME" in self._error:
            raise PageError(url, f"cannot be opened ({self._error})")

    async def settle(self, since: Mark | None = None, *, timeout_s: float | None = None) -> bool:
        """Wait until the tab is at rest; whether it came to rest in time."""
        settling = Settling(
            self.call,
            self.traffic,
            since=since,
            limit_s=self._channel.timeout_s if timeout_s is None else timeout_s,
            idle_timers=self._session.idle_timers,
        )
        return await settling.wait()

    async def mark(self) -> Mark:
        """Note how things stand, so that the effect of the next action can be told."""
        return self.mark_at(json.loads(await self.call(STATUS, {})))

    def mark_at(self, status: dict[str, Any]) -> Mark:
        """The same from a `status` that a page function just brought (`watch.js`)."""
        return mark(self.traffic, status)

    async def call(self, function: str, *arguments: Any, timeout_s: float | None = None) -> Any:
        """What a page function returns where the answer is read (a frame or the document)."""
        if self._frame is not None and self._frame_commits != self._commits_of(self._frame):
            await self._enter_frame(self._frame)
        return await self._channel.call(function, *arguments, timeout_s=timeout_s)

    async def snapshot(self, *, html: bool = True) -> Page:
        """The page as it is now, with the exchanges since the last snapshot."""
        commit = self._shown
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        if self._error or commit is None or commit.failed:
            return await self._page_without_document(at)
        if not is_html(commit.mime):
            return await self._file_page(commit, at)
        text, exchanges = await asyncio.gather(self._read(html), self.exchanges())
        commit = self._shown or commit
        hop = self.traffic.recorder.document_of(commit.loader, commit.url)
        main = exchange_of(hop) if hop else None
        return parse_snapshot(
            text,
            status=main.status if main else 200,
            headers=main.response_headers if main else (),
            exchanges=exchanges,
            dialogs=self._aside.take_dialogs(),
            fetched_at=at,
        )

    async def _read(self, html: bool) -> str:
        for _ in range(3):
            try:
                text: str = await self.call(SNAPSHOT_JS, {"html": html})
                return text
            except Moved:
                await self.settle()
        raise PageError(self.url, "moves on faster than it can be read")

    async def exchanges(self) -> tuple[Exchange, ...]:
        """What was sent and received since the last call, downloads read to their end."""
        if self.early:
            await asyncio.wait(self.early, timeout=self._channel.timeout_s)
        await self._aside.wait_for_files(self._channel.timeout_s)
        return tuple(exchange_of(hop) for hop in await self.traffic.hops())

    async def _file_page(self, commit: Commit, at: str) -> Page:
        exchanges = await self.exchanges()
        hop = self.traffic.recorder.document_of(commit.loader, commit.url)
        if hop is None:
            return await self._page_without_document(at)
        dialogs = self._aside.take_dialogs()
        return page_of_file(exchange_of(hop), exchanges=exchanges, dialogs=dialogs, fetched_at=at)

    async def _page_without_document(self, at: str) -> Page:
        """A download, an empty answer (204), a refusal: no document took its place."""
        if self._error == ABORTED:
            await self._aside.wait_for_download()
        exchanges, dialogs = await self.exchanges(), self._aside.take_dialogs()
        return page_without_document(self.url, exchanges=exchanges, dialogs=dialogs, fetched_at=at)

    @property
    def _shown(self) -> Commit | None:
        """The document that is read: the last one that took its place."""
        for commit in reversed(self.traffic.commits):
            if commit.is_main if self._frame is None else commit.frame == self._frame:
                return commit
        return None

    async def landing(
        self, since: Mark, *, in_frame: bool = False, timeout_s: float | None = None
    ) -> Landing:
        """Where the effects after `since` appeared; the answer is read there from now on.

        `in_frame`: the form stands in a frame or aims at one (`hiwe.page.landing`). A new tab
        settles within `timeout_s`; PageTimeout if nothing came by then.
        """
        landed, frame = landing_of(self.traffic, since, url=self.url, in_frame=in_frame)
        if landed == "popup" and self._aside.popups:
            self.answer = self._aside.popups[-1]
            settled = await self.answer.settle(timeout_s=timeout_s)
            if not settled and self.answer.traffic.navigation.main_under_way:
                raise PageTimeout(self.url, "the new tab stays empty")
        elif landed == "page":
            self._look_at(None)
        elif landed == "frame":
            await self._enter_frame(frame)
        elif landed == "none" and (await self.mark()).count != since.count:
            return "same_page"
        return landed

    async def answer_page(self, landed: Landing) -> Page:
        """The page where an answer landed, with the exchanges of all tabs that had a part."""
        if landed == "popup":
            own = await self.exchanges()
            page = await self.answer.snapshot()
            return replace(page, exchanges=own + page.exchanges)
        if landed != "download":
            return await self.snapshot()
        return await self._page_without_document(
            datetime.now(UTC).isoformat(timespec="milliseconds")
        )

    def _look_at(self, frame: str | None) -> None:
        self._frame = frame
        self._channel.context = None
        self.answer = self

    def _commits_of(self, frame: str) -> int:
        return sum(c.frame == frame for c in self.traffic.commits)

    async def _enter_frame(self, frame: str) -> None:
        """Read the answer in `frame` from now on."""
        context = await self._channel.context_of(frame)
        if context is None:
            raise PageError(self.url, "its frame cannot be read: it belongs to another site")
        self._frame, self._frame_commits = frame, self._commits_of(frame)
        self._channel.context = context

    async def close_overlay(self, control: int = -1) -> str:
        """Close a layer over the page: how, '' when there was none (`hiwe.page.overlay`)."""
        how = await close_overlay(self.call, control)
        if how:
            await self.settle(timeout_s=2.0)
        return how

    async def close_overlay_once(self) -> None:
        """Close a consent layer, once a session: the site remembers the choice."""
        if not self._session.looked_for_overlay:
            self._session.looked_for_overlay = True
            await self.close_overlay()

    def expecting_popups(self) -> AbstractContextManager[None]:
        """While this lasts, the first requests of tabs that the page opens are recorded."""
        return self._aside.expecting_popups()

    async def catch_up(self) -> None:
        """Learn which document this tab shows, if it opened before it was listened to."""
        tree = await self._channel.send("Page.getFrameTree")
        if not self.traffic.commits:
            self.traffic.on_navigated({"frame": tree["frameTree"]["frame"]})

    def forget(self) -> None:
        """Make ready for another page: nothing of the last one is kept."""
        self._leaving = self._session.keep(self._channel.leave(FORGET_JS))
        self._look_at(None)
        self._aside.reset()
        self.traffic.reset()

    async def close(self) -> None:
        """Give this tab back, close those it opened; never hangs, never asks."""
        await self._aside.close_popups()
        if not self._session.park(self):
            await self.end()

    async def end(self) -> None:
        """Close this tab for good."""
        await self._aside.close_popups()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._page.close()
        except (TimeoutError, PlaywrightError):
            return

    async def rest_blank(self) -> None:
        """Show the empty page, so that nothing of a page left behind goes on."""
        await self._channel.try_send("Page.navigate", {"url": "about:blank"})
