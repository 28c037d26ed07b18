"""Object storage: files at an address (`s3://bucket/prefix`) that any machine reaches.

The only module that imports fsspec, which speaks to each kind of storage through a package of its
own. What these packages raise becomes an ArchiveError here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from hiwe.errors import ArchiveError, UsageError, one_line

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

OWN = frozenset({"builtins", "hiwe", "__main__"}) | sys.stdlib_module_names
CHECK_OCTETS = b"hiwe can write here\n"
CHECK_FAILED = "cannot be written and read; check the address, and the keys to its storage"
LONGEST_REASON = 300
WITHOUT_FOLDERS = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "oss"})


class _Translated:
    """Lets what a storage's own packages raise be an ArchiveError that names the address."""

    def __init__(self, url: str, failed: str) -> None:
        self._url, self._failed = url, failed

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or not isinstance(error, Exception):
            return
        foreign = type(error).__module__.split(".")[0] not in OWN
        if foreign or isinstance(error, OSError | ValueError | ImportError):
            reason = one_line(error)[:LONGEST_REASON] or type(error).__name__
            raise ArchiveError(self._url, f"{self._failed}: {reason}") from error


@dataclass(frozen=True, slots=True, order=True)
class ObjectPlace:
    """A file or folder of an object storage, used as a path is: `/`, `name`, `open`, `glob`."""

    url: str

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.url.rpartition("/")[2]

    def __truediv__(self, name: str) -> ObjectPlace:
        return ObjectPlace(f"{self.url.rstrip('/')}/{name}")

    def __str__(self) -> str:
        return self.url

    def open(self, mode: str = "rb") -> IO[Any]:
        """Open the file to be read. ArchiveError where that does not go."""
        with _Translated(self.url, "cannot be read"):
            file: IO[Any] = _file_system(self.url).open(self.url, mode)
            return file

    def glob(self, pattern: str) -> list[ObjectPlace]:
        """Return the files right in this folder whose names match; none without a folder."""
        with _Translated(self.url, "cannot be listed"):
            system = _file_system(self.url)
            if not system.exists(self.url):
                return []
            paths = system.ls(self.url, detail=False)
            names = [str(path).rstrip("/").rpartition("/")[2] for path in paths]
        return [self / name for name in names if fnmatch(name, pattern)]

    def _make_folder(self) -> None:
        """Make the folder of this file, where there is such a thing: a bucket is never made."""
        folder, _, _ = self.url.rpartition("/")
        if _kind(self.url) not in WITHOUT_FOLDERS:
            _file_system(self.url).makedirs(folder, exist_ok=True)

    def write(self, octets: bytes) -> None:
        """Write the whole file at once. ArchiveError where that does not go."""
        with _Translated(self.url, "cannot be written"):
            self._make_folder()
            _file_system(self.url).pipe_file(self.url, octets)

    def put(self, path: Path) -> None:
        """Copy a local file here. ArchiveError where that does not go."""
        with _Translated(self.url, "cannot be written"):
            self._make_folder()
            _file_system(self.url).put_file(str(path), self.url)

    def check(self) -> None:
        """See that files can be written here, before any work is done.

        UsageError where a package is missing or the kind of storage is unknown, ArchiveError where
        the storage refuses.
        """
        probe = self / f".hiwe-{uuid4().hex[:8]}"
        system = _file_system(self.url)
        with _Translated(self.url, CHECK_FAILED):
            probe._make_folder()
            system.pipe_file(probe.url, CHECK_OCTETS)
            found = system.cat_file(probe.url)
            system.rm_file(probe.url)
        if found != CHECK_OCTETS:
            raise ArchiveError(self.url, "holds something else than what was written just now")


ArchiveFile: TypeAlias = "Path | ObjectPlace"


def _kind(url: str) -> str:
    return url.partition("://")[0].lower()


def _file_system(url: str) -> Any:
    """Return what speaks to the storage of an address. UsageError if nothing does."""
    kind = _kind(url)
    try:
        core = import_module("fsspec.core")
    except ImportError as exc:
        raise UsageError(f"output {url}: needs fsspec: pip install 'hiwe[remote]'") from exc
    try:
        return core.url_to_fs(url)[0]
    except ImportError as exc:
        raise UsageError(f"output {url}: {kind}:// needs another package: {exc}") from exc
    except ValueError as exc:
        raise UsageError(
            f"output {url}: {exc}; give a directory, or an address such as s3://bucket/prefix"
        ) from exc
