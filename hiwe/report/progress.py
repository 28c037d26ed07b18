"""Progress while a run goes on: a live picture on a terminal, plain lines on a pipe, or nothing.

A thread of its own looks at the database through a read-only connection, so that it shows what is
committed and never holds up the crawl.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Protocol

from rich.live import Live

from hiwe.errors import RunError
from hiwe.report.pace import Pace, last_event_id
from hiwe.report.picture import event_line, picture, short_site, totals_line
from hiwe.report.words import shown
from hiwe.repository.database import Database
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console

    from hiwe.report.pace import Moment, SiteMoment
    from hiwe.repository.run import Event

LIVE_EVERY_S = 0.25  # four pictures a second
PLAIN_EVERY_S = 0.5
LINE_EVERY_S = 5.0  # a line of totals on a pipe, while they change
LATER_EVERY_S = 30.0  # after the first minutes
EARLY_S = 120.0
SILENT_S = 60.0  # longest time without a line: nobody should wonder
SLOWEST = 20  # a look may take 1/20 of the time: with a large database they come less often
LONGEST_STOP_S = 5.0
PLAIN_KINDS = frozenset({"form", "form_done", "site_stopped", "error"})


class HasDatabase(Protocol):
    """What is needed of the crawl's stores."""

    @property
    def db(self) -> Database:
        """The run's database."""


class Progress(Protocol):
    """Shows a run from `start` to `stop`."""

    def start(self, stores: HasDatabase) -> None:
        """Begin to show the run of these stores."""

    def stop(self) -> None:
        """End, with the terminal as it was; safe to call twice and without `start`."""


def progress_for(console: Console, *, quiet: bool) -> Progress:
    """Return the progress that suits: none, live on a terminal, plain lines elsewhere."""
    if quiet:
        return NoProgress()
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveProgress(console)
    return PlainProgress(console)


class NoProgress:
    """Shows nothing (`--quiet`)."""

    def start(self, stores: HasDatabase) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Nothing was shown."""


class _Watcher:
    """Looks at the run in a thread until stopped; what a look is good for is the heir's."""

    every_s = PLAIN_EVERY_S

    def __init__(self, console: Console) -> None:
        self.console = console
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, stores: HasDatabase) -> None:
        """Begin to look; a run kept in memory cannot be seen from another thread."""
        path = stores.db.path
        if path is None or self._thread is not None:
            return
        after = last_event_id(stores.db)
        self._stopping.clear()
        self._thread = threading.Thread(
            target=self._watch, args=(path, after), name="hiwe progress", daemon=True
        )
        self._open()
        self._thread.start()

    def stop(self) -> None:
        """Look a last time, and leave the terminal as it was."""
        if self._thread is None:
            return
        self._stopping.set()
        self._thread.join(LONGEST_STOP_S)
        self._thread = None
        self._close()

    def _watch(self, path: Path, after: int) -> None:
        """Look until stopped. A database that cannot be read ends the picture, not the run."""
        try:
            with Database(path, read_only=True) as db:
                for moment in self._moments(Pace(db, after=after)):
                    self._show(moment)
        except RunError as error:
            logging.getLogger(__name__).warning("no more progress is shown: %s", error)

    def _moments(self, pace: Pace) -> Iterator[Moment]:
        """Yield the run's state again and again, and once more when stopped."""
        while not self._stopping.is_set():
            began = time.monotonic()
            yield pace.look()
            took_s = time.monotonic() - began
            self._stopping.wait(max(self.every_s - took_s, took_s * SLOWEST))
        yield pace.look()

    def _open(self) -> None:
        """Take the terminal."""

    def _close(self) -> None:
        """Give the terminal back."""

    def _show(self, moment: Moment) -> None:
        raise NotImplementedError


class LiveProgress(_Watcher):
    """One picture, drawn over itself; log lines appear above it."""

    every_s = LIVE_EVERY_S

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live: Live | None = None
        self._redirected: list[tuple[logging.StreamHandler[Any], Any]] = []

    def _open(self) -> None:
        self._live = Live(
            console=self.console, auto_refresh=False, transient=True, redirect_stdout=False
        )
        before = sys.stderr
        self._live.start()
        for handler in logging.getLogger("hiwe").handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is before:
                self._redirected.append((handler, before))
                handler.setStream(sys.stderr)

    def _close(self) -> None:
        for handler, stream in self._redirected:
            handler.setStream(stream)
        self._redirected.clear()
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _show(self, moment: Moment) -> None:
        live = self._live
        if live is not None:
            live.update(picture(moment, self.console.size), refresh=True)


class PlainProgress(_Watcher):
    """A line for each event of a site or a form, and one of totals every few seconds.

    Of a site's forms that are skipped for one reason the first is told of, the others are counted.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._said = ""
        self._said_at = float("-inf")
        self._skipped: dict[tuple[str, str], int] = {}  # (site, reason) -> not told of yet
        self._waits: dict[str, float] = {}  # site -> end of the last wait that was told of

    def _show(self, moment: Moment) -> None:
        for event in moment.events:
            is_told = event.kind in PLAIN_KINDS or event.level != "info"
            if is_told and not self._is_counted(event):
                self._say(moment, event_line(event).plain)
        for site in moment.sites:
            self._show_wait(moment, site)
        line = totals_line(moment).plain
        is_due = self._is_due(moment, line)
        if is_due or self._stopping.is_set():
            self._show_skipped(moment)
        if is_due:
            self._said, self._said_at = line, moment.elapsed_s
            self._say(moment, line)

    def _is_counted(self, event: Event) -> bool:
        """Whether an event tells of one more form that is skipped like another."""
        if not event.data.get("skipped"):
            return False
        alike = (event.site, event.data["skipped"])
        is_known = alike in self._skipped
        self._skipped[alike] = self._skipped.get(alike, -1) + 1
        return is_known

    def _show_skipped(self, moment: Moment) -> None:
        for (site, reason), number in self._skipped.items():
            if number:
                forms = count(number, "more form")
                self._say(moment, f"{short_site(site)}: skipped {forms} ({shown(reason)})")
            self._skipped[site, reason] = 0

    def _show_wait(self, moment: Moment, site: SiteMoment) -> None:
        """Tell once of each long wait that a host gave cause for."""
        until = site.trouble_until
        if until is not None and until > self._waits.get(site.totals.url, 0.0):
            self._waits[site.totals.url] = until
            self._say(moment, f"{short_site(site.totals.url)}: {shown(site.now)}")

    def _is_due(self, moment: Moment, line: str) -> bool:
        """Whether a line of totals is wanted now."""
        silent_s = moment.elapsed_s - self._said_at
        if line == self._said:
            return silent_s >= SILENT_S
        every_s = LINE_EVERY_S if moment.elapsed_s < EARLY_S else LATER_EVERY_S
        return silent_s >= every_s or self._stopping.is_set()

    def _say(self, moment: Moment, line: str) -> None:
        self.console.print(
            f"[{moment.elapsed_s:7.1f} s] {line}", markup=False, highlight=False, soft_wrap=True,
            emoji=False,
        )  # fmt: skip
