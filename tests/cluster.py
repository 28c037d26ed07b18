"""A real Ray cluster of two nodes on loopback, for tests: started by its command, ended by pid."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NODE_DEADLINE_S = 40.0

FREE_PORTS = (
    *("--min-worker-port", "0", "--max-worker-port", "0", "--metrics-export-port", "0"),
    *("--dashboard-agent-listen-port", "0", "--runtime-env-agent-port", "0"),
)
# A node whose process is gone is missed within seconds, one that is slow to answer is not.
SOON_MISSED = {
    "RAY_health_check_initial_delay_ms": "1000",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "20000",
    "RAY_health_check_failure_threshold": "3",
}


class Cluster:
    """Nodes that hold `browsers` workers each; the first is the head."""

    def __init__(self, browsers: int) -> None:
        """Nothing runs before `start`."""
        self._browsers = browsers
        self._directory = Path(tempfile.mkdtemp(prefix="hray"))  # short: sockets lie in it
        self._nodes: list[subprocess.Popen[bytes]] = []
        self.address = f"127.0.0.1:{_free_port()}"

    def start(self) -> None:
        """Start the head and a second node."""
        port = self.address.rpartition(":")[2]
        self._add("--head", "--port", port, "--temp-dir", str(self._directory),
                  "--include-dashboard", "false")  # fmt: skip
        self.add_node()

    def add_node(self) -> None:
        """Start one more node."""
        self._add("--address", self.address)

    def _add(self, *arguments: str) -> None:
        command = [
            *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block"),
            *("--node-ip-address", "127.0.0.1", "--num-cpus", "1", "--disable-usage-stats"),
            *("--object-store-memory", "100000000"),
            *("--resources", f'{{"browser": {self._browsers}}}'),
            *FREE_PORTS, *arguments,
        ]  # fmt: skip
        node = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | SOON_MISSED,
        )
        self._nodes.append(node)
        said = bytearray()
        assert node.stdout is not None
        for line in node.stdout:
            said += line
            if b"Ray runtime started" in line:
                return
        raise AssertionError(f"the node does not start: {said.decode(errors='replace')}")

    def workers(self) -> list[int]:
        """The pids of the actors that run now."""
        return [pid for node in self._nodes for pid in _below(node.pid) if _is_worker(pid)]

    def lose_node(self) -> None:
        """Kill the second node with all that runs on it."""
        _kill(self._nodes.pop())

    def stop(self) -> None:
        """Kill every process of the cluster."""
        while self._nodes:
            _kill(self._nodes.pop())
        shutil.rmtree(self._directory, ignore_errors=True)


def _free_port() -> int:
    """A port below those that the system gives out: it must be free until Ray has started."""
    while True:
        port = random.SystemRandom().randint(20_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def _kill(node: subprocess.Popen[bytes]) -> None:
    for pid in (*_below(node.pid), node.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    node.wait()
    assert node.stdout is not None
    node.stdout.close()


def _below(pid: int) -> Iterator[int]:
    """The processes that descend from one."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from _below(int(child))


def _is_worker(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::RayWorker")
    return False


def wait_for(condition, deadline_s: float = NODE_DEADLINE_S) -> None:
    """Return when `condition()` holds; AssertionError if it does not in time."""
    until = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < until, "it did not come to pass in time"
        time.sleep(0.05)
