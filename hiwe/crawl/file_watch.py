"""FileWatch: whether a file that a person may change was changed, looked at once a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOOK_EVERY_S = 1.0


class FileWatch:
    """Watches one file by its time, size and place on the disk; a missing file is a state, too."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.path = path
        self._clock = clock
        self._looked_at = clock()
        self._seen = self._state()

    def has_changed(self) -> bool:
        """Whether the file is another than when it was looked at last; False if that was just now.

        What changes while nobody asks is told at the next look, once.
        """
        now = self._clock()
        if 0 <= now - self._looked_at < LOOK_EVERY_S:
            return False
        before, self._looked_at, self._seen = self._seen, now, self._state()
        return self._seen != before

    def _state(self) -> tuple[int, ...]:
        try:
            found = self.path.stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino
