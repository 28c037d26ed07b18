"""Handover: the files by which the shards of a task pass links on, in a folder beside them.

    handed/1-to-2.jsonl   what shard 1 found for shard 2: a line that names shard 1's run, then one
                          JSON object a link. Only shard 1 writes it, only at its end.
    handed/shard-1.json   how shard 1 stands, written anew as a whole: busy, idle or ended, and how
                          far it has read each file that is for it.

*Sending.* A link is first a numbered row of the sender's database, in the transaction of the page
that named it; the file is a copy of these rows. A sender that was killed finds the number of the
last whole line, cuts off what is torn, and goes on with the row behind it: no line is lost and none
is written twice.

*Reading.* A reader takes whole lines only. It puts the links into its frontier and notes how far it
has read in one transaction. A shard that was started anew (`--fresh`) replaces its files; their
first line then names another run, and they are read from the start. The frontier holds a link once,
however often it comes.

*Ending.* A shard is idle when nothing is left to do and its files are read to their ends. It says
so, with these ends, in its own file. All is over when every shard that is at work is idle and no
file for one of them is longer than what it has read. This is sound although the shards write at
different times: of all that would still wake up after they said that they are idle, the first would
have to be woken by a line that lay in its file before the files were looked at, or by one that an
idle shard wrote. (Mattern, Algorithms for distributed termination detection, 1987: channel
counting.)
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hiwe.errors import RunError
from hiwe.repository.handed import Position
from hiwe.task.control import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

FOLDER = "handed"
State = Literal["busy", "idle", "ended"]
BLOCK_BYTES = 1 << 20
LONGEST_HEAD_BYTES = 1000


@dataclass(frozen=True, slots=True)
class Mark:
    """How a shard stands: `beat` changes as long as it is at work, `read` is sender -> position."""

    run: str
    state: State
    beat: float
    host: str
    pid: int
    read: Mapping[int, Position] = field(default_factory=dict)

    @property
    def has_ended(self) -> bool:
        """Whether its process said that it works no longer."""
        return self.state == "ended"

    def is_gone(self) -> bool:
        """Whether its process has ended, as far as that is to be seen from this machine."""
        here = self.host == socket.gethostname()
        return self.has_ended or (here and not is_alive(self.pid))


def mark_path(folder: Path, shard: int) -> Path:
    """Return where a shard says how it stands."""
    return folder / f"shard-{shard}.json"


def write_mark(folder: Path, shard: int, mark: Mark) -> None:
    """Say how a shard stands."""
    path = mark_path(folder, shard)
    draft = path.with_name(f".{path.name}.{mark.pid}")
    try:
        draft.write_text(json.dumps(asdict(mark)) + "\n", encoding="utf-8")
        draft.replace(path)
    except OSError as exc:
        raise RunError(path, f"cannot be written: {exc.strerror or exc}") from exc


def read_mark(folder: Path, shard: int) -> Mark | None:
    """Return how a shard stands, None if it has never been at work. RunError if that is no mark."""
    path = mark_path(folder, shard)
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        read = {int(sender): Position(**at) for sender, at in plain.pop("read").items()}
        return Mark(**plain, read=read)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as exc:
        raise RunError(path, f"is no mark of a shard ({exc}); take it away") from exc


@dataclass(frozen=True, slots=True)
class HandedFile:
    """What shard `sender` found for shard `reader`."""

    folder: Path
    sender: int
    reader: int

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.folder / f"{self.sender}-to-{self.reader}.jsonl"

    def mend(self, run: str) -> int:
        """Make the file ready to be written by a run; return the number of its last line, or 0.

        What a killed process left half written is cut off; a file of an earlier run is replaced.
        """
        try:
            if self._run() != run:
                draft = self.path.with_suffix(".draft")
                draft.write_text(json.dumps({"run": run}) + "\n", encoding="utf-8")
                draft.replace(self.path)
                return 0
            with self.path.open("rb+") as file:
                whole = _last_end(file, file.seek(0, os.SEEK_END))
                file.truncate(whole)
                last = _last_line(file, whole)
        except OSError as exc:
            raise RunError(self.path, f"cannot be written: {exc.strerror or exc}") from exc
        return int(last.get("number", 0))

    def _run(self) -> str | None:
        """The run that wrote the file, None if there is no file."""
        if not self.path.exists():
            return None
        with self.path.open("rb") as file:
            return _head(file)[0]

    def append(self, lines: Iterable[str]) -> None:
        """Write lines at the end, each whole."""
        octets = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            with self.path.open("ab", buffering=0) as file:
                view = memoryview(octets)
                while view:
                    view = view[file.write(view) :]
        except OSError as exc:
            raise RunError(self.path, f"cannot be written: {exc.strerror or exc}") from exc

    def has_more(self, since: Position) -> bool:
        """Whether a whole line stands behind a position. Cheap where nothing was written."""
        with suppress(FileNotFoundError):
            size = self.path.stat().st_size
            if size == since.octets and size:
                return self._run() != since.run and bool(self.read(since)[1])
            return bool(self.read(since)[1])
        return False

    def read(self, since: Position) -> tuple[Position, list[dict[str, Any]]]:
        """Return the next whole lines behind a position, some at a time, and where they end.

        Nothing for a file that is not there. RunError for a line that is no JSON object.
        """
        try:
            with self.path.open("rb") as file:
                run, begin = _head(file)
                if run is None:
                    return since, []
                at = since.octets if run == since.run else begin
                file.seek(at)
                block = file.read(BLOCK_BYTES)
        except FileNotFoundError:
            return since, []
        except OSError as exc:
            raise RunError(self.path, f"cannot be read: {exc.strerror or exc}") from exc
        whole = block[: block.rfind(b"\n") + 1]
        lines = [self._parsed(line) for line in whole.splitlines()]
        return Position(run, at + len(whole)), lines

    def _parsed(self, line: bytes) -> dict[str, Any]:
        try:
            parsed = json.loads(line)
        except ValueError as exc:
            raise RunError(self.path, f"holds what is no link ({exc}); take it away") from exc
        if not isinstance(parsed, dict):
            raise RunError(self.path, "holds what is no link; take it away")
        return parsed


def _head(file: Any) -> tuple[str | None, int]:
    """The run that a file's first line names, and where that line ends; (None, 0) without one."""
    line = file.readline(LONGEST_HEAD_BYTES)
    if not line.endswith(b"\n"):
        return None, 0
    with suppress(ValueError, AttributeError):
        return str(json.loads(line).get("run", "")), len(line)
    return None, 0


def _last_end(file: Any, size: int) -> int:
    """Where the last whole line of a file ends."""
    end = size
    while end > 0:
        begin = max(0, end - BLOCK_BYTES)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return int(begin + found + 1)
        end = begin
    return 0


def _last_line(file: Any, end: int) -> dict[str, Any]:
    """The line that ends at `end`, {} where there is none."""
    if end == 0:
        return {}
    begin = _last_end(file, end - 1)
    file.seek(begin)
    line: dict[str, Any] = json.loads(file.read(end - begin))
    return line
