"""Fixture sites for one trial, and what they tell afterwards: requests, and the records shown."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SERVER = "hiwe.bench.peers.server"
END_LIMIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to a site: when (seconds since the epoch), what, and the records it showed.

    `is_first` says that the answer is the first page to a search, so the answer to a submission;
    `shown` are ids, of a record's own page too.
    """

    site: str
    at: float
    method: str
    path: str
    status: int
    shown: tuple[str, ...] = ()
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class SiteLog:
    """What one site was asked, in the order of its answers, and what it should not have been."""

    asked: tuple[Asked, ...]
    violations: tuple[str, ...]


def read_log(site: str, path: Path) -> SiteLog:
    """Read what a site noted."""
    asked: list[Asked] = []
    violations: list[str] = []
    noted: dict[str, Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if told["kind"] == "shown":
            noted = told
        elif told["kind"] == "violation":
            violations.append(told["text"])
        else:
            about = (told["time"], told["method"], told["path"], told["status"])
            shown, first = tuple(noted.get("ids", ())), bool(noted.get("is_first"))
            asked.append(Asked(site, *about, shown=shown, is_first=first))
            noted = {}
    return SiteLog(tuple(asked), tuple(violations))


@contextmanager
def served(sites: Sequence[str], directory: Path) -> Iterator[dict[str, str]]:
    """Serve sites, each from a process of its own; yields site -> address.

    Each writes `directory`/SITE.log, complete when the block has ended.
    """
    with ExitStack() as stack:
        urls = {}
        for site in sites:
            command = [sys.executable, "-m", SERVER, site, str(directory / f"{site}.log")]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            stack.callback(_end, server)
            assert server.stdout is not None
            urls[site] = server.stdout.readline().strip()
            if not urls[site]:
                raise RuntimeError(f"fixture site {site} did not start")
        yield urls


def _end(server: subprocess.Popen[str]) -> None:
    server.terminate()
    server.wait(END_LIMIT_S)
    if server.stdout is not None:
        server.stdout.close()
