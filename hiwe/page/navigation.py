"""Documents that take their place in a tab and its frames, and those still on their way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]

REQUEST_GRACE_S = 0.4  # a navigation that was asked for begins within this time, or never
WINDOW_S = 60.0  # a new tab is announced once its first answer came, which may take its time


@dataclass(frozen=True, slots=True)
class Commit:
    """A document that took its place in a frame."""

    frame: str
    loader: str
    url: str
    mime: str
    is_main: bool
    failed: bool = False


class Navigation:
    """The navigations of one tab; `on_*` methods take the parameters of the browser's events."""

    def __init__(self) -> None:
        """Nothing is on its way yet."""
        self.commits: list[Commit] = []
        self.popups = 0
        self.within = 0  # navigations inside a document: fragments, history
        self._main = ""  # the main frame, once it is known
        self._started: dict[str, float] = {}  # frame -> when its navigation began
        self._asked: dict[str, float] = {}  # frame -> when a navigation was asked for
        self._windows: list[float] = []  # when new tabs were opened that are not listened to yet

    def on_asked(self, event: Event) -> None:
        """Page.frameRequestedNavigation: a link, a form or a script asks for a document."""
        if event.get("disposition", "currentTab") == "currentTab":
            self._asked[event["frameId"]] = time.monotonic()

    def on_started(self, event: Event) -> None:
        """Page.frameStartedNavigating: a document is on its way."""
        self._asked.pop(event["frameId"], None)
        if event.get("navigationType") not in ("sameDocument", "historySameDocument"):
            self._started[event["frameId"]] = time.monotonic()

    def on_navigated(self, event: Event) -> None:
        """Page.frameNavigated: a document took its place in a frame."""
        frame = event["frame"]
        self.end(frame["id"])
        is_main = "parentId" not in frame
        if is_main:
            self._main = frame["id"]
        self.commits.append(
            Commit(
                frame=frame["id"],
                loader=frame["loaderId"],
                url=frame.get("unreachableUrl") or frame["url"],
                mime=frame.get("mimeType", ""),
                is_main=is_main,
                failed="unreachableUrl" in frame,
            )
        )

    def on_stopped(self, event: Event) -> None:
        """Page.frameStoppedLoading, Page.frameDetached: nothing more comes in this frame."""
        self.end(event["frameId"])

    def on_within(self, event: Event) -> None:
        """Page.navigatedWithinDocument: the address changed, the document did not."""
        self._asked.pop(event["frameId"], None)
        self.within += 1

    def on_window(self, _: Event) -> None:
        """Page.windowOpen: a new tab is about to open."""
        self._windows.append(time.monotonic())

    def on_popup(self) -> None:
        """A tab that the page opened is listened to from now on."""
        if self._windows:
            self._windows.pop(0)
        self.popups += 1

    def end(self, frame: str) -> None:
        """The navigation of `frame` came to its end."""
        self._started.pop(frame, None)
        self._asked.pop(frame, None)

    def reset(self) -> None:
        """Forget everything, before the tab is used again."""
        self.commits.clear()
        self._started.clear()
        self._asked.clear()
        self._windows.clear()
        self.popups = self.within = 0

    @property
    def main_under_way(self) -> bool:
        """The tab is about to show another document, or a new tab is about to open."""
        now = time.monotonic()
        self._windows = [at for at in self._windows if now - at < WINDOW_S]
        return bool(self._windows) or any(self._is_main(f) for f in self._under_way(now))

    def frames_under_way(self, since: float = 0.0) -> bool:
        """A document was asked for in some frame after `since` and has not arrived."""
        return any(at >= since for at in self._under_way(time.monotonic()).values())

    def _is_main(self, frame: str) -> bool:
        return not self._main or frame == self._main

    def _under_way(self, now: float) -> dict[str, float]:
        self._asked = {f: at for f, at in self._asked.items() if now - at < REQUEST_GRACE_S}
        return self._asked | self._started
