"""Hands: how the workers of a run are started, in this process or on another machine."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.engine.worker import Worker
from hiwe.errors import RunError
from hiwe.page.browser import Browser
from hiwe.page.http import HttpClient
from hiwe.repository.database import FILE_NAME
from hiwe.repository.warc_writer import WarcWriter

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.engine.action import Permission
    from hiwe.task import Task


@dataclass(frozen=True, slots=True)
class Hands:
    """Starts workers; each writes files of its own into the run's archive, named by its `series`.

    `bounds` say which addresses the workers may ask for at all. Picklable if there is no
    `browser`: that is one to work with and to leave open.
    """

    task: Task
    directory: Path
    series: str = ""
    browser: Browser | None = None
    bounds: Permission | None = None

    async def __call__(self, number: int) -> Worker:
        """Start worker `number`. RunError where the run directory is not to be seen."""
        if not (self.directory / FILE_NAME).exists():
            raise RunError(
                self.directory,
                f"is not to be seen on {socket.gethostname()}; give an --out that all nodes share",
            )
        archive = WarcWriter(self.directory / "warc", series=self.series, worker=number)
        http = HttpClient(self.task.politeness.user_agent)
        used = self.browser or await _launch(self.task)
        return Worker(used, http, archive, owns_browser=self.browser is None, bounds=self.bounds)


async def _launch(task: Task) -> Browser:
    return await Browser.launch(
        executable=task.browser.executable,
        headless=task.browser.headless,
        timeout_s=task.browser.timeout_s,
        user_agent=task.politeness.user_agent,
    )
