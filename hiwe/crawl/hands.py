"""Hands: how the workers of a run are started, in this process or on another machine."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.engine.worker import Worker
from hiwe.errors import RunError
from hiwe.page.browser import Browser
from hiwe.page.http import HttpClient
from hiwe.repository.database import FILE_NAME
from hiwe.repository.object_writer import ObjectWriter
from hiwe.repository.warc_writer import WarcWriter

if TYPE_CHECKING:
    from hiwe.engine.action import Archive, Permission
    from hiwe.repository.objects import ArchiveFile
    from hiwe.task import Task


@dataclass(frozen=True, slots=True)
class Hands:
    """Starts workers; each writes files of its own into the run's archive, named by its `series`.

    `archive` is a folder of the run directory, or one of an object storage. `bounds` say which
    addresses the workers may ask for at all. Picklable if there is no `browser`: that is one to
    work with and to leave open.
    """

    task: Task
    archive: ArchiveFile
    series: str = ""
    browser: Browser | None = None
    bounds: Permission | None = None

    async def __call__(self, number: int) -> Worker:
        """Start worker `number`. RunError where the run directory is not to be seen."""
        archive = self._archive(number)
        http = HttpClient(self.task.politeness.user_agent)
        used = self.browser or await _launch(self.task)
        return Worker(
            used, http, archive, owns_browser=self.browser is None, bounds=self.bounds
        )  # fmt: skip

    def _archive(self, number: int) -> Archive:
        """Where a worker leaves what it is answered."""
        if not isinstance(self.archive, Path):
            return ObjectWriter(self.archive, series=self.series, worker=number)
        if not (self.archive.parent / FILE_NAME).exists():
            raise RunError(
                self.archive.parent,
                f"is not to be seen on {socket.gethostname()}; give an --out that all nodes share,"
                " or as output an address such as s3://bucket/prefix",
            )
        return WarcWriter(self.archive, series=self.series, worker=number)


async def _launch(task: Task) -> Browser:
    return await Browser.launch(
        executable=task.browser.executable,
        headless=task.browser.headless,
        timeout_s=task.browser.timeout_s,
        user_agent=task.politeness.user_agent,
    )
