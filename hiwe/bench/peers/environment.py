"""Environments for the peers, in a cache folder: never hiwe's own.

Each is made once, from a committed file of pinned versions, and anew when that file changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hiwe.bench.peers.work import ROOT
from hiwe.page.chromium import find_chromium

FOLDER = ROOT / "bench" / "peers"
INSTALL_LIMIT_S = 900.0
SAID = 300  # characters of an installer's complaint that are kept


class NoEnvironmentError(Exception):
    """A peer cannot be installed here; says why."""


def cache() -> Path:
    """Where the environments lie."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hiwe" / "peers"


def python_with(requirements: str) -> Path:
    """The Python of an environment that has what a file of `bench/peers` names."""
    pinned = FOLDER / requirements
    place = cache() / pinned.stem
    python = place / "bin" / "python"
    if not _is_made(place, pinned):
        shutil.rmtree(place, ignore_errors=True)
        _install([sys.executable, "-m", "venv", str(place)])
        _install([str(python), "-m", "pip", "install", "--quiet", "--requirement", str(pinned)])
        _note(place, pinned)
    return python


def node_modules() -> Path:
    """The folder of modules that `package.json` of `bench/peers` names. No browser is fetched."""
    pinned = FOLDER / "package.json"
    place = cache() / "node"
    if not _is_made(place, pinned):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        shutil.copy(pinned, place)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        _install([*npm, "--prefix", str(place)])
        _note(place, pinned)
    return place / "node_modules"


def node_environment() -> dict[str, str]:
    """What a script of Node needs to find its modules and the browser."""
    return {
        "NODE_PATH": str(node_modules()),
        "PUPPETEER_EXECUTABLE_PATH": str(find_chromium()),
    }


def _is_made(place: Path, pinned: Path) -> bool:
    stamp = place / "made-of"
    return stamp.exists() and stamp.read_text(encoding="ascii") == _digest(pinned)


def _note(place: Path, pinned: Path) -> None:
    (place / "made-of").write_text(_digest(pinned), encoding="ascii")


def _digest(pinned: Path) -> str:
    return hashlib.sha256(pinned.read_bytes() + sys.version.encode()).hexdigest()


def _install(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_LIMIT_S)
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise NoEnvironmentError(f"{Path(command[0]).name}: {exc}") from exc
    if done.returncode != 0:
        raise NoEnvironmentError(done.stderr.strip()[-SAID:] or f"{command[0]} failed")
