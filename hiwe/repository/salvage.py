"""Archives that a killed process left: what was written in full is kept, the torn end cut off.

Each record is a gzip member of its own, so the file is sound up to the end of its last whole
member. A marker beside the file says that a writer has not closed it.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from hiwe.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

MARKER_SUFFIX = ".open"
BLOCK_BYTES = 1 << 20


def marker_of(path: Path) -> Path:
    """Return the marker that stands beside a file while it is being written."""
    return path.with_name(path.name + MARKER_SUFFIX)


def salvage(path: Path) -> int:
    """Cut a torn record off the end of `path`; return the number of octets cut.

    A file with no whole record is removed. ArchiveError if the file cannot be read or changed.
    """
    try:
        size = path.stat().st_size
        sound = sound_length(path)
        if sound == 0:
            path.unlink()
        elif sound < size:
            os.truncate(path, sound)
        marker_of(path).unlink(missing_ok=True)
    except OSError as exc:
        raise ArchiveError(path, f"cannot be mended: {exc.strerror or exc}") from exc
    return size - sound


def salvage_all(directory: Path) -> dict[str, int]:
    """Mend every file in `directory` that was not closed; return file name -> octets cut."""
    cut: dict[str, int] = {}
    for marker in sorted(directory.glob(f"*{MARKER_SUFFIX}")):
        path = marker.with_name(marker.name.removesuffix(MARKER_SUFFIX))
        if path.exists():
            cut[path.name] = salvage(path)
        else:
            marker.unlink()
    return cut


def sound_length(path: Path) -> int:
    """Return where the last whole gzip member of a file ends."""
    sound = position = 0
    with path.open("rb") as file:
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while block := file.read(BLOCK_BYTES):
            rest = block
            while rest:
                try:
                    member.decompress(rest)
                except zlib.error:
                    return sound
                position += len(rest) - len(member.unused_data)
                rest = member.unused_data
                if member.eof:
                    sound = position
                    member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return sound
