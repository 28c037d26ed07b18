"""What comes between: dialogs are accepted, downloads read, tabs that a page opens adopted."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from playwright.async_api import Dialog, Download, Request
    from playwright.async_api import Page as PlaywrightPage

    from hiwe.page.traffic import Traffic

NO_CONTENT = (204, 205)
DOWNLOAD_S = 2.0  # between the answer's head and the driver's word that a file is being saved


class Interruptions:
    """Handles them as they come, beside whatever a verb of the tab is waiting for."""

    def __init__(
        self,
        page: PlaywrightPage,
        traffic: Traffic,
        keep: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        adopt: Callable[[PlaywrightPage], Coroutine[Any, Any, None]],
    ) -> None:
        """Listen to `page`. `keep` runs work in the background, `adopt` takes a new tab."""
        self._page = page
        self._traffic = traffic
        self._keep = keep
        self._dialogs: list[str] = []
        self._saving: set[asyncio.Task[None]] = set()
        self._saved = 0
        self.early: list[Request] = []  # requests of tabs that are not listened to yet
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("popup", lambda popup: keep(adopt(popup)))
        page.on("crash", self._on_crash)

    def take_dialogs(self) -> tuple[str, ...]:
        """The texts of boxes shown since the last call; 'Leave this page?' is none of them."""
        taken = tuple(self._dialogs)
        self._dialogs.clear()
        return taken

    def _on_dialog(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self._dialogs.append(dialog.message)
        self._keep(self._accept(dialog))

    async def _accept(self, dialog: Dialog) -> None:
        try:
            await dialog.accept()
        except PlaywrightError:
            return  # it went away by itself
        self._traffic.changed.set()

    def _on_download(self, download: Download) -> None:
        task = self._keep(self._save(download))
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def _save(self, download: Download) -> None:
        try:
            content: bytes | None = (await download.path()).read_bytes()
            await download.delete()
        except (PlaywrightError, OSError):
            content = None
        self._saved += 1
        hop = self._traffic.recorder.last_of(download.url)
        if hop is not None and content is not None:
            hop.content, hop.download, hop.taken = content, True, False
        self._traffic.changed.set()

    async def wait_for_download(self) -> None:
        """After a navigation that brought no document: a file to save is announced at once."""
        hops = self._traffic.recorder.hops
        answered = bool(hops) and hops[-1].response is not None
        if not answered or (hops[-1].response or {}).get("status") in NO_CONTENT:
            return
        until = time.monotonic() + DOWNLOAD_S
        while not self._traffic.downloads and time.monotonic() < until:
            await self._traffic.wait(0.05)

    async def wait_for_files(self, timeout_s: float) -> None:
        """Wait until every download that began is read."""
        until = time.monotonic() + min(timeout_s, DOWNLOAD_S)
        while self._traffic.downloads > self._saved + len(self._saving):
            left = until - time.monotonic()
            if left <= 0:
                return
            await self._traffic.wait(min(left, 0.05))
        if self._saving:
            await asyncio.wait(self._saving, timeout=timeout_s)

    def _on_crash(self, page: PlaywrightPage) -> None:
        self._keep(self._close(page))

    async def _close(self, page: PlaywrightPage) -> None:
        """A crashed page never answers: closing it ends every wait for it."""
        try:
            await page.close()
        except PlaywrightError:
            return

    @contextmanager
    def expecting_popups(self) -> Iterator[None]:
        """While this lasts, the first requests of tabs that the page opens are noted."""
        context = self._page.context
        self.early.clear()

        def note(request: Request) -> None:
            self.early.append(request)

        context.on("request", note)
        try:
            yield
        finally:
            context.remove_listener("request", note)

    def reset(self) -> None:
        """Forget what was noted, before the tab is used again."""
        self._dialogs.clear()
        self.early.clear()
        self._saved = 0
