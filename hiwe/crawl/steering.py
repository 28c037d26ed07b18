"""Steering: a person pauses, resumes or stops the running crawl, by `control.json` of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.file_watch import FileWatch
from hiwe.errors import RunError
from hiwe.task.control import CONTROL_FILE, Control, read_control

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiwe.repository.run import Run

TOLD = {"run": "resumed", "pause": "paused", "stop": "stopped"}


class Steering:
    """What is wanted of the crawl. The time of a pause is no time worked."""

    def __init__(self, directory: Path, run: Run, clock: Callable[[], float]) -> None:
        self._directory = directory
        self._run = run
        self._clock = clock
        self._watch = FileWatch(directory / CONTROL_FILE, clock)
        self._control = Control()
        self._looked_at = clock()

    @property
    def is_paused(self) -> bool:
        """Nothing new is to be begun."""
        return self._control.state == "pause"

    @property
    def is_stopped(self) -> bool:
        """The crawl is to end, with its state saved."""
        return self._control.state == "stop"

    def look(self) -> None:
        """Take up what is wanted now; a file that cannot be read changes nothing and is told of."""
        now = self._clock()
        if self.is_paused:
            self._run.rest(now - self._looked_at)
        self._looked_at = now
        if not self._watch.has_changed():
            return
        try:
            wanted = read_control(self._directory)
        except RunError as exc:
            self._run.add_event("control", str(exc), level="warning")
            return
        if wanted.state != self._control.state:
            self._run.add_event("control", f"{TOLD[wanted.state]} by a person")
        self._control = wanted
