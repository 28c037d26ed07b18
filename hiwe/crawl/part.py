"""Part: a run that is one shard of a task; where it lies, and that it stays what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.crawl.handover import FOLDER
from hiwe.crawl.neighbours import SHARD_KEY, WAIT_S, Neighbours, Shards
from hiwe.crawl.shard import Shard, Territory
from hiwe.errors import RunError, UsageError
from hiwe.repository.database import FILE_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.repository.run import Run


@dataclass(frozen=True, slots=True)
class Part:
    """A shard at work. `wait_s` is how long it waits for others that are not at work.

    `revisits`: one that is finished and has nothing new to do visits its sites again. `handed` is
    the folder of the files between shards, None for that beside the run directories.
    """

    shard: Shard
    wait_s: float = WAIT_S
    revisits: bool = False
    handed: Path | None = None

    def territory(self, sites: tuple[Site, ...]) -> Territory:
        """Which addresses its workers may ask for."""
        return Territory.of_sites(self.shard, sites)

    def neighbours(self, territory: Territory, out: Path, stores: Stores) -> Neighbours:
        """The other shards of that whose run directory is `out`."""
        folder = (self.handed or out.parent / FOLDER).absolute()
        return Shards(territory, folder, stores, wait_s=self.wait_s)


def run_directory(base: Path, shard: Shard | None) -> Path:
    """Return where a run lies that is started with `--out base`.

    UsageError where another kind of run lies there: the whole task, or shards of another number.
    """
    split = {found for path in base.glob("shard-*") if (found := Shard.of_directory(path.name))}
    if shard is None:
        if split and not (base / FILE_NAME).exists():
            raise UsageError(
                f"{base} holds shards of a task ({min(s.directory for s in split)}); give --shard"
                " K/N, or another --out for the whole task"
            )
        return base
    if (base / FILE_NAME).exists():
        raise UsageError(
            f"{base} holds a run of its own; with --shard give as --out the folder that is to"
            " hold the shards"
        )
    other = next((s for s in sorted(split, key=str) if s.of != shard.of), None)
    if other is not None:
        raise UsageError(
            f"{base} holds {other.directory}, a task in {other.of} shards; --shard {shard} does not"
            f" fit: give K/{other.of}, or another --out"
        )
    return base / shard.directory


def check_part(run: Run, out: Path, part: Part | None) -> None:
    """RunError if the run in `out` was begun as another shard, or as the whole task."""
    kept = run.get(SHARD_KEY)
    was = None if kept is None else Shard(kept["number"], kept["of"])
    shard = part and part.shard
    if was == shard or (was is None and run.status == "new"):
        return
    if was is None:
        raise RunError(out, f"holds a run of the whole task; --shard {shard} needs another --out")
    raise RunError(
        out,
        f"is shard {was} of a task; go on with --shard {was} --out {out.absolute().parent}",
    )
