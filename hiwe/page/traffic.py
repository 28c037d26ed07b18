"""What goes on in a tab: navigations under way, documents committed, requests, downloads."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hiwe.page.navigation import Navigation
from hiwe.page.network import BLOCKED, Recorder
from hiwe.page.redirects import goes_round
from hiwe.page.wire import content_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.page.channel import Channel
    from hiwe.page.navigation import Commit
    from hiwe.page.network import Hop

Event = dict[str, Any]

LARGEST_POST_BYTES = 10_000_000
BUFFER_BYTES = 100_000_000
LARGEST_BODY_BYTES = 25_000_000
# Fonts, media, counters: nothing of what we read depends on them, and sites are spared requests.
NOT_LOADED = (
    *("*/favicon.ico", "*.woff", "*.woff2", "*.ttf", "*.otf", "*.eot"),
    *("*.mp4", "*.webm", "*.mp3", "*.avi", "*.mov"),
    *("*.google-analytics.com/*", "*.googletagmanager.com/*", "*.doubleclick.net/*"),
    *("*.googlesyndication.com/*", "*connect.facebook.net/*", "*.hotjar.com/*", "*.clarity.ms/*"),
    *("*.quantserve.com/*", "*.scorecardresearch.com/*", "*.statcounter.com/*", "*.segment.io/*"),
    *("*/piwik.js*", "*/matomo.js*", "*.newrelic.com/*", "*.nr-data.net/*", "*mc.yandex.ru/*"),
)
INTERNAL_REDIRECT = "Internal Redirect"  # http to https, by the browser itself
GUARDED = [{"urlPattern": "*", "resourceType": kind} for kind in ("Document", "XHR", "Fetch")]
GUARDED_KINDS = frozenset({"document", "xhr", "fetch"})


class Traffic:
    """Listens to one tab. `changed` is set whenever something happened that a waiter may want."""

    def __init__(self, channel: Channel, blocked: Callable[[str], bool] | None) -> None:
        """Listen on `channel`; `blocked` names addresses that must not be requested."""
        self._channel = channel
        self._blocked = blocked
        self._tasks: set[asyncio.Task[Event | None]] = set()
        self._chains: dict[str, list[str]] = {}  # document on its way -> its redirects so far
        self.opening: dict[str, list[str]] | None = None  # frame -> its documents, while one opens
        self.recorder = Recorder()
        self.navigation = Navigation()
        self.downloads = 0
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
        recorder, navigation = self.recorder, self.navigation
        for name, handler in (
            ("Network.requestWillBeSent", recorder.on_request),
            ("Network.requestWillBeSentExtraInfo", recorder.on_sent),
            ("Network.responseReceived", recorder.on_response),
            ("Network.responseReceivedExtraInfo", recorder.on_received),
            ("Network.requestServedFromCache", recorder.on_cached),
            ("Network.loadingFinished", recorder.on_finished),
            ("Network.loadingFailed", self._on_failed),
            ("Fetch.requestPaused", self._on_paused),
            ("Page.frameRequestedNavigation", navigation.on_asked),
            ("Page.frameStartedNavigating", navigation.on_started),
            ("Page.frameNavigated", self.on_navigated),
            ("Page.frameStoppedLoading", navigation.on_stopped),
            ("Page.frameDetached", navigation.on_stopped),
            ("Page.navigatedWithinDocument", navigation.on_within),
            ("Page.downloadWillBegin", self._on_download),
            ("Page.windowOpen", navigation.on_window),
        ):
            self._channel.on(name, self._then_wake(handler))

    def _then_wake(self, handler: Callable[[Event], None]) -> Callable[[Event], None]:
        """The handler, and after it whoever waits for something to happen."""

        def handle(event: Event) -> None:
            handler(event)
            self.changed.set()

        return handle

    def _on_failed(self, event: Event) -> None:
        self.recorder.on_failed(event)
        hop = next(
            (h for h in reversed(self.recorder.hops) if h.request_id == event["requestId"]), None
        )
        if hop is not None and hop.kind == "document":
            self.navigation.end(hop.frame)

    def _on_paused(self, event: Event) -> None:
        url = event["request"]["url"]
        if self._blocked is not None and self._blocked(url):
            reason = "BlockedByClient"
        else:
            reason = self._why_round(event)
        command, more = (
            ("Fetch.failRequest", {"errorReason": reason})
            if reason
            else ("Fetch.continueRequest", {})
        )
        answer = self._channel.try_send(command, {"requestId": event["requestId"], **more})
        task = asyncio.ensure_future(answer)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _why_round(self, event: Event) -> str:
        """How a document is refused that an address which is being opened leads to too often.

        By redirects: then nothing comes. By itself, with script or refresh: then the page stays. An
        answer to a form may do either while it is made: that is the site's way to wait.
        """
        if event.get("resourceType") != "Document" or self.opening is None:
            return ""
        network_id: str = event.get("networkId") or event["requestId"]
        chain = self._chains.setdefault(network_id, [])
        chain.append(event["request"]["url"])
        if len(chain) > 1:
            return "BlockedByClient" if goes_round(chain) else ""
        documents = self.opening.setdefault(event["frameId"], [])
        documents.append(chain[0])
        return "Aborted" if goes_round(documents) else ""

    def on_navigated(self, event: Event) -> None:
        """Page.frameNavigated: a document took its place in a frame."""
        self.navigation.on_navigated(event)
        if self.commits[-1].is_main:
            self._channel.url = self.commits[-1].url

    def _on_download(self, event: Event) -> None:
        self.downloads += 1
        self.navigation.end(event["frameId"])
        hop = self.recorder.last_of(event["url"])
        if hop is not None and hop.kind == "document":
            hop.download = True

    @property
    def commits(self) -> list[Commit]:
        """Documents that took their place, in order."""
        return self.navigation.commits

    def reset(self) -> None:
        """Forget everything, before the tab is used again."""
        self.recorder.clear()
        self.navigation.reset()
        self._chains.clear()
        self.downloads = 0

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
        return [h for h in fresh if _counts(h)]

    async def _read_body(self, hop: Hop) -> None:
        answer = await self._channel.try_send(
            "Network.getResponseBody", {"requestId": hop.request_id}
        )
        hop.content = content_of(hop, answer) if answer is not None else b""


def _counts(hop: Hop) -> bool:
    """Whether something left the browser, or our own rules held it back."""
    if hop.error == BLOCKED:
        return hop.kind in GUARDED_KINDS
    return (hop.response or {}).get("statusText") != INTERNAL_REDIRECT
