"""Command: how a run was started, so that a person can be told how to go on with it."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.repository.run import Run

KEY = "command"  # of the run
SHARD = "--shard"  # an option that makes --out the folder above the run


@dataclass(frozen=True, slots=True)
class Command:
    """What was typed: the configuration, the run directory, options as (name, value).

    `out` is the run directory, typed or not (`names_out`), that above it for a shard; paths are
    relative to `directory`.
    """

    config: str
    out: str
    names_out: bool
    options: tuple[tuple[str, str], ...]
    directory: str

    @classmethod
    def of_run(cls, run: Run) -> Command | None:
        """Return how a run was started, None where it does not know."""
        kept = run.get(KEY)
        if kept is None:
            return None
        options = tuple((name, value) for name, value in kept["options"])
        return cls(**{**kept, "options": options})

    def keep(self, run: Run) -> None:
        """Let the run know how it was started."""
        run.set(KEY, asdict(self))

    def with_options(self, options: tuple[tuple[str, str], ...]) -> Command:
        """Return the command with options added: of two that set the same the last holds."""
        anew = {_key(option) for option in options}
        kept = tuple(option for option in self.options if _key(option) not in anew)
        return replace(self, options=(*kept, *options))

    def place(self, out: Path) -> Path:
        """Return what `--out` has to name for the run in `out`."""
        return out.parent if any(name == SHARD for name, _ in self.options) else out

    def words(self, out: Path) -> tuple[str, ...] | None:
        """Return what goes on with the run in `out`, to be typed in the working directory.

        None if the configuration is no longer there.
        """
        out = self.place(out)
        typed_here = Path.cwd() == Path(self.directory)
        config = Path(self.directory, self.config)
        if not config.is_file():
            return None
        is_meant = Path(self.directory, self.out).resolve() == out.resolve()
        words = ["hiwe", "run", self.config if typed_here else str(config)]
        if not (typed_here and is_meant):
            words += ["--out", str(out)]
        elif self.names_out:
            words += ["--out", self.out]
        return (*words, *chain(*self.options))


def _key(option: tuple[str, str]) -> tuple[str, str]:
    """What an option sets: the key of `--set KEY=VALUE`, else what its name says."""
    name, value = option
    return name, value.partition("=")[0].strip() if name == "--set" else ""


def go_on(run: Run, out: Path, *options: tuple[str, str]) -> str:
    """Return what goes on with a run, ready for a shell: as it was started, where that is known.

    Else it is started from the copy of the configuration that lies in its directory. `options` are
    set besides.
    """
    command = Command.of_run(run)
    words = command.with_options(options).words(out) if command else None
    place = command.place(out) if command else out
    shard = [option for option in command.options if option[0] == SHARD] if command else []
    copy = ("hiwe", "run", str(out / "config.yaml"), "--out", str(place), *chain(*shard, *options))
    return shlex.join(words or copy)
