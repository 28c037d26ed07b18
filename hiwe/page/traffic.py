"""What goes on in a tab: navigations under way, documents committed, requests, downloads."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.page.network import BLOCKED, Recorder
from hiwe.page.wire import content_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.page.channel import Channel
    from hiwe.page.network import Hop

Event = dict[str, Any]

REQUEST_GRACE_S = 0.4  # a navigation that was asked for begins within this time, or never
WINDOW_S = 5.0  # a new tab shows itself within this time
LARGEST_POST_BYTES = 10_000_000
BUFFER_BYTES = 100_000_000
LARGEST_BODY_BYTES = 25_000_000
# Chromium asks for these by itself; nothing of what we read depends on them.
NOT_LOADED = (
    "*/favicon.ico",
    "*.woff",
    "*.woff2",
    "*.ttf",
    "*.otf",
    "*.eot",
    "*.mp4",
    "*.webm",
    "*.mp3",
    "*.avi",
    "*.mov",
)
GUARDED = [{"urlPattern": "*", "resourceType": kind} for kind in ("Document", "XHR", "Fetch")]
GUARDED_KINDS = frozenset({"document", "xhr", "fetch"})


@dataclass(frozen=True, slots=True)
class Commit:
    """A document that took its place in a frame."""

    frame: str
    loader: str
    url: str
    mime: str
    is_main: bool
    failed: bool = False


class Traffic:
    """Listens to one tab. `changed` is set whenever something happened that a waiter may want."""

    def __init__(self, channel: Channel, blocked: Callable[[str], bool] | None) -> None:
        """Listen on `channel`; `blocked` names addresses that must not be requested."""
        self._channel = channel
        self._blocked = blocked
        self._tasks: set[asyncio.Task[None]] = set()
        self._started: dict[str, float] = {}  # frame -> when its navigation began
        self._asked: dict[str, float] = {}  # frame -> when a navigation was asked for
        self.recorder = Recorder()
        self.commits: list[Commit] = []
        self.downloads = 0
        self.popups = 0
        self._windows: list[float] = []  # when new tabs were opened that are not listened to yet
        self.within = 0  # navigations inside a document: fragments, history
        self.changed = asyncio.Event()

    async def listen(self) -> None:
        """Switch the events on; all commands leave together."""
        self._subscribe()
        commands: list[tuple[str, Event]] = [
            ("Page.enable", {}),
            (
                "Network.enable",
                {
                    "maxPostDataSize": LARGEST_POST_BYTES,
                    "maxTotalBufferSize": BUFFER_BYTES,
                    "maxResourceBufferSize": LARGEST_BODY_BYTES,
                    "enableDurableMessages": True,
                },
            ),
            ("Network.setBlockedURLs", {"urls": list(NOT_LOADED)}),
        ]
        if self._blocked is not None:
            commands.append(("Fetch.enable", {"patterns": GUARDED}))
        await asyncio.gather(*(self._channel.send(m, p) for m, p in commands))

    def _subscribe(self) -> None:
        recorder = self.recorder
        for name, handler in (
            ("Network.requestWillBeSent", recorder.on_request),
            ("Network.requestWillBeSentExtraInfo", recorder.on_sent),
            ("Network.responseReceived", recorder.on_response),
            ("Network.responseReceivedExtraInfo", recorder.on_received),
            ("Network.requestServedFromCache", recorder.on_cached),
            ("Network.loadingFinished", self._on_finished),
            ("Network.loadingFailed", self._on_failed),
            ("Fetch.requestPaused", self._on_paused),
            ("Page.frameRequestedNavigation", self._on_asked),
            ("Page.frameStartedNavigating", self._on_started),
            ("Page.frameNavigated", self.on_navigated),
            ("Page.frameStoppedLoading", self._on_stopped),
            ("Page.frameDetached", self._on_stopped),
            ("Page.navigatedWithinDocument", self._on_within),
            ("Page.downloadWillBegin", self._on_download),
            ("Page.windowOpen", self._on_window),
        ):
            self._channel.on(name, handler)

    def _on_finished(self, event: Event) -> None:
        self.recorder.on_finished(event)
        self.changed.set()

    def _on_failed(self, event: Event) -> None:
        self.recorder.on_failed(event)
        hop = next(
            (h for h in reversed(self.recorder.hops) if h.request_id == event["requestId"]), None
        )
        if hop is not None and hop.kind == "document":
            self._started.pop(hop.frame, None)
            self._asked.pop(hop.frame, None)
        self.changed.set()

    def _on_paused(self, event: Event) -> None:
        url = event["request"]["url"]
        forbidden = self._blocked is not None and self._blocked(url)
        command, more = (
            ("Fetch.failRequest", {"errorReason": "BlockedByClient"})
            if forbidden
            else ("Fetch.continueRequest", {})
        )
        task = asyncio.ensure_future(
            self._answer(command, {"requestId": event["requestId"], **more})
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, command: str, parameters: Event) -> None:
        await self._channel.try_send(command, parameters)

    def _on_asked(self, event: Event) -> None:
        if event.get("disposition", "currentTab") == "currentTab":
            self._asked[event["frameId"]] = time.monotonic()
        self.changed.set()

    def _on_started(self, event: Event) -> None:
        self._asked.pop(event["frameId"], None)
        if event.get("navigationType") in ("sameDocument", "historySameDocument"):
            return
        self._started[event["frameId"]] = time.monotonic()
        self.changed.set()

    def on_navigated(self, event: Event) -> None:
        """Page.frameNavigated: a document took its place in a frame."""
        frame = event["frame"]
        self._started.pop(frame["id"], None)
        self._asked.pop(frame["id"], None)
        self.commits.append(
            Commit(
                frame=frame["id"],
                loader=frame["loaderId"],
                url=frame.get("unreachableUrl") or frame["url"],
                mime=frame.get("mimeType", ""),
                is_main="parentId" not in frame,
                failed="unreachableUrl" in frame,
            )
        )
        if "parentId" not in frame:
            self._channel.url = self.commits[-1].url
        self.changed.set()

    def _on_stopped(self, event: Event) -> None:
        self._started.pop(event["frameId"], None)
        self._asked.pop(event["frameId"], None)
        self.changed.set()

    def _on_within(self, event: Event) -> None:
        self._asked.pop(event["frameId"], None)
        self.within += 1
        self.changed.set()

    def _on_download(self, event: Event) -> None:
        self.downloads += 1
        self._started.pop(event["frameId"], None)
        self._asked.pop(event["frameId"], None)
        for hop in reversed(self.recorder.hops):
            if hop.url == event["url"] and hop.kind == "document":
                hop.download = True
                break
        self.changed.set()

    def _on_window(self, event: Event) -> None:
        self._windows.append(time.monotonic())
        self.changed.set()

    def on_popup(self) -> None:
        """A tab that the page opened is listened to from now on."""
        if self._windows:
            self._windows.pop(0)
        self.popups += 1
        self.changed.set()

    def _opening(self) -> bool:
        """A new tab was opened that is not listened to yet."""
        now = time.monotonic()
        self._windows = [at for at in self._windows if now - at < WINDOW_S]
        return bool(self._windows)

    def reset(self) -> None:
        """Forget everything, before the tab is used again."""
        self.recorder.clear()
        self.commits.clear()
        self._started.clear()
        self._asked.clear()
        self._windows.clear()
        self.downloads = self.popups = self.within = 0

    @property
    def navigating(self) -> bool:
        """A document was asked for and has neither arrived nor failed."""
        if self._started or self._opening():
            return True
        if not self._asked:
            return False
        now = time.monotonic()
        self._asked = {f: at for f, at in self._asked.items() if now - at < REQUEST_GRACE_S}
        return bool(self._asked)

    async def wait(self, seconds: float) -> None:
        """Wait until something happens, at most so long."""
        self.changed.clear()
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                await self.changed.wait()
        except TimeoutError:
            return

    async def hops(self) -> list[Hop]:
        """The hops since the last call, with the bodies that the browser still holds."""
        fresh = [h for h in self.recorder.take() if not (h.from_cache and h.kind != "document")]
        wanted = [
            h
            for h in fresh
            if h.content is None
            and h.response is not None
            and h.is_over
            and not h.redirected
            and not h.download
            and h.error == ""
        ]
        await asyncio.gather(*(self._read_body(hop) for hop in wanted))
        return [h for h in fresh if h.error != BLOCKED or h.kind in GUARDED_KINDS]

    async def _read_body(self, hop: Hop) -> None:
        answer = await self._channel.try_send(
            "Network.getResponseBody", {"requestId": hop.request_id}
        )
        hop.content = content_of(hop, answer) if answer is not None else b""
