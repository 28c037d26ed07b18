"""A tab: open an address, let it settle, read it, point and type as a person does."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error as PlaywrightError

from hiwe.errors import BrowserError, PageError, PageTimeout, SiteUnreachable
from hiwe.page.channel import Moved
from hiwe.page.file import is_html, page_of_file
from hiwe.page.network import BLOCKED, exchange_of
from hiwe.page.overlay import close_overlay
from hiwe.page.page import Page
from hiwe.page.popup import add_early, belongs_to
from hiwe.page.settle import LOAD_TIMERS_MS, Mark, Settling, mark
from hiwe.page.snapshot import SNAPSHOT_JS, parse_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.async_api import Dialog, Download, Request
    from playwright.async_api import Page as PlaywrightPage

    from hiwe.page.channel import Channel
    from hiwe.page.exchange import Exchange
    from hiwe.page.session import Session
    from hiwe.page.traffic import Commit, Traffic

Landing = Literal["page", "same_page", "frame", "popup", "download", "none"]

CLOSE_S = 3.0
UNREACHABLE = (
    "CONNECTION_REFUSED",
    "NAME_NOT_RESOLVED",
    "ADDRESS_UNREACHABLE",
    "INTERNET_DISCONNECTED",
    "CONNECTION_TIMED_OUT",
    "CONNECTION_RESET",
    "CONNECTION_CLOSED",
    "EMPTY_RESPONSE",
    "SSL_",
    "CERT_",
    "TUNNEL",
    "PROXY",
    "ADDRESS_INVALID",
    "UNSAFE_PORT",
)
KEYS = {
    "Enter": {"windowsVirtualKeyCode": 13, "code": "Enter", "text": "\r"},
    "Escape": {"windowsVirtualKeyCode": 27, "code": "Escape"},
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "ArrowDown": {"windowsVirtualKeyCode": 40, "code": "ArrowDown"},
    "Backspace": {"windowsVirtualKeyCode": 8, "code": "Backspace"},
}


class Tab:
    """One tab of a session. Its verbs raise PageError and its kin, nothing of the browser's own.

    `answer` is the tab where the last answer landed: this one, or a tab that it opened.
    """

    def __init__(
        self, page: PlaywrightPage, channel: Channel, traffic: Traffic, session: Session
    ) -> None:
        """Wrap a page whose traffic is listened to; made by `Session.open`."""
        self._page = page
        self._channel = channel
        self._session = session
        self._dialogs: list[str] = []
        self._saving: list[asyncio.Task[None]] = []
        self._frame: str | None = None  # where the answer is read, None: the main document
        self._frame_commits = 0
        self._error = ""
        self._early: list[Request] = []
        self.traffic = traffic
        self.popups: list[Tab] = []
        self.answer: Tab = self
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("popup", self._on_popup)

    @property
    def url(self) -> str:
        """The address of the main document."""
        return self._channel.url

    @property
    def timeout_s(self) -> float:
        """The deadline of a step that is given none of its own."""
        return self._channel.timeout_s

    # -- going somewhere ---------------------------------------------------------------------

    async def goto(
        self, url: str, *, referer: str | None = None, timeout_s: float | None = None
    ) -> None:
        """Open `url` and let it settle.

        What comes back, a refusal by our own rules included, is read by `snapshot`. Raises
        PageTimeout, SiteUnreachable, or PageError for an address that cannot be opened.
        """
        limit = self.timeout_s if timeout_s is None else timeout_s
        until = time.monotonic() + limit
        self._channel.url, self._error = url, ""
        self._look_at(None)
        parameters = {"url": url} | ({"referrer": referer} if referer else {})
        try:
            answer = await self._channel.send("Page.navigate", parameters, timeout_s=limit)
        except Moved:
            answer = {}
        except PageTimeout as exc:
            await self._channel.try_send("Page.stopLoading")
            raise PageTimeout(url, f"no answer within {limit:.0f} s") from exc
        self._error = answer.get("errorText", "")
        self._raise_if_unreachable(url)
        if not self._error:
            await self.settle(timeout_s=until - time.monotonic())

    def _raise_if_unreachable(self, url: str) -> None:
        if any(name in self._error for name in UNREACHABLE):
            raise SiteUnreachable(url, f"cannot be reached ({self._error})")
        if "INVALID_URL" in self._error or "UNKNOWN_URL_SCHEME" in self._error:
            raise PageError(url, f"cannot be opened ({self._error})")

    async def settle(self, since: Mark | None = None, *, timeout_s: float | None = None) -> bool:
        """Wait until the tab is at rest; whether it came to rest in time."""
        limit = self.timeout_s if timeout_s is None else timeout_s
        key = self._session.timer_key(self.url)
        idle = since is None and key in self._session.idle_timers
        settling = Settling(
            self.call,
            self.traffic,
            since=since,
            limit_s=limit,
            load_timers_ms=0.0 if idle else LOAD_TIMERS_MS,
        )
        return await settling.wait()

    async def mark(self) -> Mark:
        """Note how things stand, so that the effect of the next action can be told."""
        return await mark(self.call, self.traffic)

    # -- reading -----------------------------------------------------------------------------

    async def call(self, function: str, *arguments: Any, timeout_s: float | None = None) -> Any:
        """What a page function returns where the answer is read (a frame or the document)."""
        if self._frame is not None and self._frame_commits != self._commits_of(self._frame):
            await self._enter_frame(self._frame)
        return await self._channel.call(function, *arguments, timeout_s=timeout_s)

    async def snapshot(self, *, html: bool = True) -> Page:
        """The page as it is now, with the exchanges since the last snapshot."""
        exchanges = await self.exchanges()
        commit = self._shown
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        dialogs, self._dialogs = tuple(self._dialogs), []
        hop = self.traffic.recorder.document_of(commit.loader, commit.url) if commit else None
        main = exchange_of(hop) if hop else None
        if self._error or commit is None or commit.failed:
            return self._page_without_document(exchanges, dialogs, at)
        if main is not None and not is_html(main.content_type) and not is_html(commit.mime):
            return page_of_file(main, exchanges=exchanges, dialogs=dialogs, fetched_at=at)
        return parse_snapshot(
            await self._read(html),
            status=main.status if main else 200,
            headers=main.response_headers if main else (),
            exchanges=exchanges,
            dialogs=dialogs,
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
        if self._saving:
            await asyncio.wait(self._saving, timeout=self.timeout_s)
            self._saving.clear()
        return tuple(exchange_of(hop) for hop in await self.traffic.hops())

    def _page_without_document(
        self, exchanges: tuple[Exchange, ...], dialogs: tuple[str, ...], at: str
    ) -> Page:
        """A download, an empty answer (204), a refusal: no document took its place."""
        last = next((e for e in reversed(exchanges) if e.kind == "document"), None)
        if last is not None and last.download:
            return page_of_file(last, exchanges=exchanges, dialogs=dialogs, fetched_at=at)
        refused = last is not None and last.error == BLOCKED
        return Page(
            url=last.url if last else self.url,
            status=0 if last is None or refused else last.status,
            html="",
            content_type=last.content_type if last else "",
            headers=last.response_headers if last else (),
            dialogs=dialogs,
            exchanges=exchanges,
            fetched_at=at,
        )

    @property
    def _shown(self) -> Commit | None:
        """The document that is read: the last one that took its place."""
        for commit in reversed(self.traffic.commits):
            if commit.is_main if self._frame is None else commit.frame == self._frame:
                return commit
        return None

    async def answer_page(self, landed: Landing) -> Page:
        """The page where an answer landed, with the exchanges of all tabs that had a part."""
        if landed == "popup":
            own = await self.exchanges()
            page = await self.answer.snapshot()
            return replace(page, exchanges=own + page.exchanges)
        if landed != "download":
            return await self.snapshot()
        exchanges = await self.exchanges()
        dialogs, self._dialogs = tuple(self._dialogs), []
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        return self._page_without_document(exchanges, dialogs, at)

    async def close_overlay(self, control: int = -1) -> str:
        """Close a layer over the page: how, '' when there was none (`hiwe.page.overlay`)."""
        how = await close_overlay(self.call, control)
        if how:
            await self.settle(timeout_s=2.0)
        return how

    async def close_overlay_once(self) -> None:
        """Close a consent layer, at most once a session: the site remembers the choice."""
        if self._session.overlay_closed:
            return
        self._session.overlay_closed = bool(await self.close_overlay())

    # -- where an answer lands ---------------------------------------------------------------

    async def landing(self, since: Mark) -> Landing:
        """Where the effects after `since` appeared; the answer is read there from now on."""
        traffic = self.traffic
        commits = traffic.commits[since.commits :]
        if self.popups and traffic.popups > since.popups:
            self.answer = self.popups[-1]
            return "popup"
        if any(c.is_main for c in commits):
            self._look_at(None)
            return "page"
        if traffic.downloads > since.downloads:
            return "download"
        if commits:
            await self._enter_frame(commits[-1].frame)
            return "frame"
        changed = (await self.mark()).count != since.count
        asked = len(traffic.recorder.hops) > since.hops
        return "same_page" if changed or asked or traffic.within > since.within else "none"

    def _look_at(self, frame: str | None) -> None:
        self._frame = frame
        self._channel.context = None
        self.answer = self

    def _commits_of(self, frame: str) -> int:
        return sum(c.frame == frame for c in self.traffic.commits)

    async def _enter_frame(self, frame: str) -> None:
        """Read the answer in `frame` from now on."""
        found: list[int] = []

        def note(event: dict[str, Any]) -> None:
            context = event["context"]
            facts = context.get("auxData", {})
            if facts.get("frameId") == frame and facts.get("isDefault"):
                found.append(context["id"])

        self._channel.on("Runtime.executionContextCreated", note)
        await self._channel.send("Runtime.enable")
        await self._channel.try_send("Runtime.disable")
        self._channel.off("Runtime.executionContextCreated", note)
        if not found:
            raise PageError(self.url, "its frame cannot be read: it belongs to another site")
        self._frame, self._frame_commits = frame, self._commits_of(frame)
        self._channel.context = found[-1]

    # -- pointing and typing -----------------------------------------------------------------

    async def click(self, x: float, y: float) -> None:
        """Press and release the mouse at a point of the window, in CSS pixels."""
        point = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await self._input({"type": "mouseMoved", "x": x, "y": y})
        await self._input({"type": "mousePressed", "buttons": 1, **point})
        await self._input({"type": "mouseReleased", **point})

    async def _input(self, event: dict[str, Any]) -> None:
        try:
            await self._channel.send("Input.dispatchMouseEvent", event)
        except Moved:
            return  # the click already did its work

    async def press(self, key: str) -> None:
        """Press one named key (`KEYS`) on what has the focus."""
        facts = {"key": key, **KEYS[key]}
        down = "keyDown" if "text" in facts else "rawKeyDown"
        for kind in (down, "keyUp"):
            try:
                await self._channel.send("Input.dispatchKeyEvent", {"type": kind, **facts})
            except Moved:
                return

    async def type(self, text: str) -> None:
        """Type `text` on what has the focus, key by key."""
        for letter in text:
            await self._channel.send(
                "Input.dispatchKeyEvent", {"type": "keyDown", "text": letter, "key": letter}
            )
            await self._channel.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": letter})

    # -- what happens by itself --------------------------------------------------------------

    def _on_dialog(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self._dialogs.append(dialog.message)
        self._session.keep(self._accept(dialog))

    async def _accept(self, dialog: Dialog) -> None:
        try:
            await dialog.accept()
        except PlaywrightError:
            return  # it went away by itself
        self.traffic.changed.set()

    def _on_download(self, download: Download) -> None:
        self._saving.append(self._session.keep(self._save(download)))

    async def _save(self, download: Download) -> None:
        hop = next((h for h in reversed(self.traffic.recorder.hops) if h.url == download.url), None)
        try:
            content = (await download.path()).read_bytes()
            await download.delete()
        except (PlaywrightError, OSError):
            return
        if hop is not None:
            hop.content, hop.download, hop.taken = content, True, False

    def _on_popup(self, page: PlaywrightPage) -> None:
        self._session.keep(self._adopt(page))

    async def _adopt(self, page: PlaywrightPage) -> None:
        try:
            tab = await self._session.adopt(page)
            await tab.catch_up([r for r in self._early if belongs_to(r, page)])
        except (PlaywrightError, BrowserError, PageError):
            return
        self.popups.append(tab)
        self.traffic.on_popup()

    async def catch_up(self, early: list[Request]) -> None:
        """Learn what this tab did before it was listened to."""
        tree = await self._channel.send("Page.getFrameTree")
        if not self.traffic.commits:
            self.traffic.on_navigated({"frame": tree["frameTree"]["frame"]})
        for request in early:
            self._session.keep(add_early(self.traffic, request))

    @contextmanager
    def expecting_popups(self) -> Iterator[None]:
        """While this lasts, the first requests of tabs that the page opens are noted."""
        context = self._page.context
        self._early.clear()

        def note(request: Request) -> None:
            self._early.append(request)

        context.on("request", note)
        try:
            yield
        finally:
            context.remove_listener("request", note)

    async def close(self) -> None:
        """Close this tab and those it opened; never hangs, never asks."""
        for popup in self.popups:
            await popup.close()
        self.popups.clear()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._page.close()
        except (TimeoutError, PlaywrightError):
            return
