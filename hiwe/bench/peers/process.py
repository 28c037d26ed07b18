"""What a command costs with all the processes it starts: time, processor time, memory.

Browsers start dozens of processes and not all are waited for by who started them. So the tree is
looked at every now and then (/proc), and its processor time is the greater of two figures that are
both too low: the last look at each process, and what the kernel counted of those that were waited
for. Memory is the sum of the proportional set sizes (shared pages count once), at its greatest.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
LOOK_EVERY_S = 0.2
MEMORY_EVERY = 4  # looks; reading what a browser maps is not free
NOTHING_LEFT_S = 5.0  # how long what a command left behind may take to end


@dataclass(frozen=True, slots=True)
class Cost:
    """`began_at` in seconds since the epoch, times in seconds, memory in MiB; no `code`: ended."""

    began_at: float
    wall_s: float
    cpu_s: float
    peak_mib: float
    code: int | None


@dataclass(frozen=True, slots=True)
class Stat:
    """What /proc says of one process; `started` (ticks) tells it from a later one of its number."""

    pid: int
    parent: int
    started: int
    cpu_s: float


def stat_of(pid: int) -> Stat | None:
    """The process's own times; None where it is gone."""
    try:
        text = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    cpu_s = (int(fields[11]) + int(fields[12])) / TICKS_PER_S
    return Stat(pid, int(fields[1]), int(fields[19]), cpu_s)


def memory_mib(pid: int) -> float:
    """The proportional set size of a process; 0 where it is gone."""
    try:
        with (PROC / str(pid) / "smaps_rollup").open(encoding="ascii") as lines:
            sizes = (int(line.split()[1]) for line in lines if line.startswith("Pss:"))
            return sum(sizes) / 1024
    except OSError:
        return 0.0


class Tree:
    """A process and all that came from it, also what its parent has left behind."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen: dict[tuple[int, int], Stat] = {}
        self.peak_mib = 0.0

    def look(self, *, memory: bool) -> None:
        """Note times (and memory) of the tree as it is now."""
        alive = list(self._alive())
        for stat in alive:
            self._seen[stat.pid, stat.started] = stat
        if memory:
            self.peak_mib = max(self.peak_mib, sum(memory_mib(stat.pid) for stat in alive))

    def _alive(self) -> Iterator[Stat]:
        """The processes of the tree, parents first as their numbers mostly say."""
        known = {self._root} | {
            pid for pid, started in self._seen if _is_same(stat_of(pid), started)
        }
        numbers = (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit())
        stats = [stat for number in numbers if (stat := stat_of(number))]
        grew = True
        while grew:
            fresh = {s.pid for s in stats if s.parent in known} - known
            known |= fresh
            grew = bool(fresh)
        yield from (stat for stat in stats if stat.pid in known)

    @property
    def cpu_s(self) -> float:
        """Processor time of all processes that were seen, each at the last look."""
        return sum(stat.cpu_s for stat in self._seen.values())

    def left(self) -> list[int]:
        """Processes of the tree that still run, but for its root."""
        return [stat.pid for stat in self._alive() if stat.pid != self._root]


def _is_same(stat: Stat | None, started: int) -> bool:
    return stat is not None and stat.started == started


def measured(
    command: Sequence[str],
    directory: Path,
    *,
    limit_s: float,
    environment: Mapping[str, str] | None = None,
    left_s: float = NOTHING_LEFT_S,
) -> Cost:
    """Run a command in `directory` and measure it; what it says goes to out.txt there.

    After `limit_s` seconds it is ended; what it leaves running gets `left_s` to end by itself.
    """
    before, began_at, began = _children_s(), time.time(), time.monotonic()
    with (directory / "out.txt").open("ab") as out:
        process = subprocess.Popen(
            command, cwd=directory, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip
        tree = Tree(process.pid)
        code = _watch(process, tree, began + limit_s)
    wall_s = time.monotonic() - began
    _end(process, tree, left_s)
    return Cost(began_at, wall_s, max(tree.cpu_s, _children_s() - before), tree.peak_mib, code)


def _watch(process: subprocess.Popen[bytes], tree: Tree, until: float) -> int | None:
    """Look at the tree until its root has ended; its exit code, None if the time was up."""
    looks = 0
    while True:
        tree.look(memory=looks % MEMORY_EVERY == 0)
        looks += 1
        try:
            return process.wait(LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                return None


def _end(process: subprocess.Popen[bytes], tree: Tree, left_s: float) -> None:
    """End what still runs of the tree: politely, then not."""
    if process.poll() is None:
        process.terminate()
    until = time.monotonic() + left_s
    while (left := tree.left()) or process.poll() is None:
        if time.monotonic() > until:
            for pid in left:
                _kill(pid)
            process.kill()
            process.wait()
            return
        time.sleep(LOOK_EVERY_S / 4)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        return


def _children_s() -> float:
    """Processor time of all children waited for so far, theirs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
