"""Control: two small files of the run directory by which a person and a running crawl speak.

`control.json` says what a person wants of the crawl, `running.json` that a process is at work.
Either is written anew as a whole, so that a reader never finds half of it.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from hiwe.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator

State = Literal["run", "pause", "stop"]
CONTROL_FILE, RUNNING_FILE = "control.json", "running.json"


@dataclass(frozen=True, slots=True)
class Control:
    """What a person wants: `run`, `pause` (nothing new is begun) or `stop` (end, state saved)."""

    state: State = "run"
    at: str = ""


@dataclass(frozen=True, slots=True)
class Running:
    """The process that works in a run directory, and since when (ISO 8601, UTC)."""

    pid: int
    started_at: str


def read_control(directory: str | Path) -> Control:
    """Return what is wanted of the crawl in a run directory; `run` where nothing was said.

    RunError if the file is none of ours.
    """
    found = _read(Path(directory) / CONTROL_FILE)
    state = found.get("state", "run")
    if state not in get_args(State):
        raise RunError(directory, f"{CONTROL_FILE} says {state}; write run, pause or stop")
    return Control(state, str(found.get("at", "")))


def write_control(directory: str | Path, state: State) -> Control:
    """Say what is wanted of the crawl in a run directory; it looks once a second."""
    control = Control(state, _now())
    _write(Path(directory) / CONTROL_FILE, asdict(control))
    return control


def read_running(directory: str | Path) -> Running | None:
    """Return the process that works in a run directory, None if there is none alive."""
    found = _read(Path(directory) / RUNNING_FILE)
    pid = found.get("pid")
    if not isinstance(pid, int) or not is_alive(pid):
        return None
    return Running(pid, str(found.get("started_at", "")))


@contextmanager
def announced(directory: str | Path) -> Iterator[Running]:
    """Say that this process works in a run directory, for as long as it does.

    What was wanted of an earlier process is forgotten.
    """
    directory = Path(directory)
    running = Running(os.getpid(), _now())
    write_control(directory, "run")
    _write(directory / RUNNING_FILE, asdict(running))
    try:
        yield running
    finally:
        (directory / RUNNING_FILE).unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    """Return the mapping in a file, an empty one where there is no file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as exc:
        raise RunError(path.parent, f"{path.name} cannot be read ({exc}); take it away") from exc
    if not isinstance(found, dict):
        raise RunError(path.parent, f"{path.name} holds no mapping; take it away")
    return found


def _write(path: Path, plain: dict[str, Any]) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(plain) + "\n", encoding="utf-8")
    draft.replace(path)


def is_alive(pid: int) -> bool:
    """Whether there is such a process; one of another user is one."""
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
