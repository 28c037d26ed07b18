"""Where the archive of a run lies: in its directory, at an address, or in those of several runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from hiwe.errors import RunError
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.filing import series_of
from hiwe.repository.objects import ObjectPlace
from hiwe.repository.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiwe.repository.objects import ArchiveFile

ARCHIVE_KEY = "archive"  # of the run's values: the address, or series -> address
FOLDER = "warc"
OWN = frozenset({"hiwe.lock", "running.json", "control.json"})  # of processes at work


@dataclass(frozen=True, slots=True)
class JoinedPlace:
    """The archives of runs that were joined: which of them a file is in, its series tells."""

    here: Path
    places: Mapping[str, ObjectPlace]

    def __truediv__(self, name: str) -> ArchiveFile:
        return self.places.get(series_of(name), self.here) / name

    def glob(self, pattern: str) -> list[ArchiveFile]:
        """Return the files of all archives whose names match."""
        found: list[ArchiveFile] = list(self.here.glob(pattern))
        for place in dict.fromkeys(self.places.values()):
            found += (f for f in place.glob(pattern) if self.places.get(series_of(f.name)) == place)
        return found


Place: TypeAlias = "Path | ObjectPlace | JoinedPlace"


def archive_of(directory: Path) -> Place:
    """Return where the archive of the run in a directory lies."""
    kept = None
    if (directory / FILE_NAME).is_file():
        with Database(directory / FILE_NAME, read_only=True) as db:
            kept = Run(db).get(ARCHIVE_KEY) if db.version else None
    if isinstance(kept, dict):
        places = {series: ObjectPlace(url) for series, url in kept.items()}
        return JoinedPlace(directory / FOLDER, places)
    return directory / FOLDER if kept is None else ObjectPlace(kept)


def place_of_run(address: str, name: str = "") -> ObjectPlace | None:
    """Return where a run is put; `name` is that of a shard's directory. None without an address."""
    return ObjectPlace("/".join(filter(None, (address, name)))) if address else None


def put_run(directory: Path, address: str, name: str = "") -> None:
    """Put what lies in a run directory beside the run's archive. ArchiveError if that fails."""
    place = place_of_run(address, name)
    if place is None:
        return
    for path in sorted(directory.iterdir()):
        if path.is_file() and not path.name.startswith((".", FILE_NAME)) and path.name not in OWN:
            (place / path.name).put(path)
    with TemporaryDirectory() as aside:
        copy = Path(aside, FILE_NAME)
        with Database(directory / FILE_NAME, read_only=True) as db:
            db.copy_to(copy)
        (place / FILE_NAME).put(copy)


def keep_place(run: Run, directory: Path, remote: ObjectPlace | None) -> ArchiveFile:
    """Note where a run's archive is to be written, and return it; RunError if it lies elsewhere.

    A joined run goes on in its own directory.
    """
    wanted = None if remote is None else str(remote / FOLDER)
    kept = run.get(ARCHIVE_KEY)
    if isinstance(kept, dict) and wanted is None:
        return directory / FOLDER
    if run.status == "new" and wanted is not None:
        run.set(ARCHIVE_KEY, kept := wanted)
    if kept != wanted:
        raise RunError(
            directory,
            f"keeps its archive {_named(kept)}, the task names {_named(wanted)}; set output back,"
            " or start anew with --fresh",
        )
    return directory / FOLDER if remote is None else remote / FOLDER


def _named(kept: object) -> str:
    if kept is None:
        return "in its directory"
    return f"at {kept}" if isinstance(kept, str) else "in those of the runs that were joined"
