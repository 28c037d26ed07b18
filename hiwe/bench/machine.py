"""The machine and the versions that figures were measured with."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from hiwe.errors import BrowserMissing
from hiwe.page.chromium import chromium_version, find_chromium
from hiwe.version import __version__

LIBRARIES = ("lxml", "playwright", "pydantic", "rapidfuzz", "requests", "selectolax", "warcio")


def machine() -> dict[str, Any]:
    """What a reader needs to compare figures: processor, memory (GiB), load, versions."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load": round(os.getloadavg()[0], 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "chromium": _browser(),
        "hiwe": __version__,
        "libraries": {name: metadata.version(name) for name in LIBRARIES},
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _browser() -> str | None:
    try:
        return chromium_version(find_chromium())
    except BrowserMissing:
        return None
