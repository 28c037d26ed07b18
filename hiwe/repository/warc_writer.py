"""Write the archive: one worker's files, whole batches at a time."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from hiwe.errors import ArchiveError
from hiwe.repository.archive import Batch
from hiwe.repository.filing import Filing, file_name, warcinfo
from hiwe.repository.salvage import marker_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.repository.archive import Original

LARGEST_FILE_BYTES = 1_000_000_000


class WarcWriter:
    """Writes the files of one worker, named PREFIX-TIME-SERIES-WORKER-NUMBER.warc.gz.

    `series` is the run's own, so that files of several runs may lie in one directory.
    What one call stores is handed to the operating system in one piece before the call returns, so
    that nothing is judged that the archive does not hold. `info` goes into each file's first
    record.
    """

    def __init__(
        self,
        directory: Path,
        prefix: str = "hiwe",
        *,
        series: str = "",
        worker: int = 0,
        info: Mapping[str, str] | None = None,
        largest_bytes: int = LARGEST_FILE_BYTES,
    ) -> None:
        self._directory = directory
        self._prefix = re.sub(r"[^A-Za-z0-9_]+", "_", prefix)
        self._series, self._worker = series, f"{worker:02d}"
        self._info = dict(info or {})
        self._largest_bytes = largest_bytes
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        self._number = 0
        self._filing = Filing()

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Nothing is left to do after an action: what it stored is kept already."""
        yield

    def store(
        self,
        exchanges: Sequence[Exchange],
        snapshot: Page | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> tuple[str, ...]:
        """Store exchanges and the rendered page; return their references 'file#offset'.

        One reference for each exchange over http or https (its response, or its request where no
        answer came), the page's last. `note` is kept with the page: what it was fetched for.
        ArchiveError if the file cannot be written.
        """
        fresh: dict[str, Original] = {}
        try:
            file, name = self._open_file()
            batch = Batch(name, file.tell())
            refs = self._filing.add(batch, exchanges, snapshot, note, fresh)
            file.write(batch.octets)
            file.flush()
        except OSError as exc:
            place = self._path or self._directory
            raise ArchiveError(place, f"cannot be written: {exc.strerror or exc}") from exc
        self._filing.remember(fresh)
        return tuple(str(ref) for ref in refs)

    def _open_file(self) -> tuple[BinaryIO, str]:
        """Return the file to append to, a new one when there is none or it is full."""
        if self._file is not None and self._file.tell() >= self._largest_bytes:
            self.close()
        if self._file is None or self._path is None:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._path, self._file = self._new_file()
            batch = Batch(self._path.name, 0)
            batch.add_info(warcinfo(self._info))
            self._file.write(batch.octets)
            self._file.flush()
        return self._file, self._path.name

    def _new_file(self) -> tuple[Path, BinaryIO]:
        """Return a new file under a name that none has had."""
        time = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        while True:
            name = file_name(self._prefix, time, self._series, self._worker, self._number)
            self._number += 1
            path = self._directory / name
            try:
                file = path.open("xb")
            except FileExistsError:
                continue
            marker_of(path).touch()
            return path, file

    def close(self) -> None:
        """Close the file; a later call to `store` begins another one."""
        if self._file is not None and self._path is not None:
            self._file.close()
            marker_of(self._path).unlink(missing_ok=True)
        self._file = self._path = None
