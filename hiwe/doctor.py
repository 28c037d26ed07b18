"""Doctor: what hiwe needs on this machine, whether it is there, and how to mend what is not."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from hiwe.errors import BrowserMissing
from hiwe.page.chromium import chromium_version, find_chromium, open_blank_page

OLDEST_PYTHON = (3, 11)
LEAST_FREE_DISK_MB = 1024
LEAST_SHARED_MEMORY_MB = 256
MEGABYTE = 1024 * 1024
FONT_TIMEOUT_S = 20.0

State = Literal["ok", "note", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: its state, what was found, and how to mend it ('' when all is well).

    A `note` does not keep hiwe from running.
    """

    name: str
    state: State
    detail: str
    mend: str = ""

    @property
    def ok(self) -> bool:
        """Return whether hiwe can run as far as this goes."""
        return self.state != "failed"


def checks(executable: str | None = None, directory: Path | None = None) -> list[Check]:
    """Return all checks, in the order in which one would mend.

    `executable` is the browser that a configuration names, `directory` where runs are kept (the
    current one if None).
    """
    directory = directory or Path.cwd()
    return [
        check_python(sys.version_info[:2]),
        *check_dependencies(metadata.requires("hiwe") or []),
        *check_browser(executable),
        check_fonts(),
        check_write_access(directory),
        check_disk(directory),
        check_shared_memory(Path("/dev/shm")),
        check_loopback(),
    ]


def check_python(version: tuple[int, ...]) -> Check:
    """Return whether Python is new enough."""
    found = ".".join(str(part) for part in version)
    if version >= OLDEST_PYTHON:
        return Check("Python", "ok", found)
    return Check("Python", "failed", found, "install Python 3.11 or newer, then run `make setup`")


def check_dependencies(requirements: list[str]) -> list[Check]:
    """Return a check for each faulty requirement, or one that says that all are there.

    A requirement is a line of package metadata, such as `lxml<7,>=5.3`; a missing package of an
    extra is a note.
    """
    wrong, right = [], 0
    for requirement in requirements:
        check = _check_dependency(requirement)
        if check is not None:
            wrong.append(check)
        elif "extra ==" not in requirement:
            right += 1
    if any(check.state == "failed" for check in wrong):
        return wrong
    return [Check("Packages", "ok", f"{right} installed, versions in range"), *wrong]


def _check_dependency(requirement: str) -> Check | None:
    """Return what is wrong with one requirement, None if nothing is."""
    wanted, _, marker = requirement.partition(";")
    name = re.split(r"[\s<>=!~\[(]", wanted.strip(), maxsplit=1)[0]
    extra = re.search(r"extra == ['\"](\w+)['\"]", marker)
    if extra and extra.group(1) == "dev":
        return None
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        if extra:
            mend = f"for {extra.group(1)}: pip install 'hiwe[{extra.group(1)}]'"
            return Check(name, "note", "not installed", mend)
        return Check(name, "failed", "not installed", "run `make setup`")
    if within(version, wanted):
        return None
    return Check(name, "failed", f"{version}, but hiwe needs {wanted.strip()}", "run `make setup`")


def within(version: str, requirement: str) -> bool:
    """Return whether `version` keeps the `>=` and `<` bounds in a requirement."""
    bounds = re.findall(r"(>=|<)\s*([\d.]+)", requirement)
    return all(
        _numbers(version) >= _numbers(bound)
        if operator == ">="
        else _numbers(version) < _numbers(bound)
        for operator, bound in bounds
    )


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, trailing zeros left out."""
    leading = re.match(r"\d+(\.\d+)*", version)
    parts = [int(part) for part in leading.group().split(".")] if leading else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def check_browser(executable: str | None) -> list[Check]:
    """Return whether a Chromium is found and opens a page."""
    try:
        found = find_chromium(executable)
        version = chromium_version(found)
        open_blank_page(found)
    except BrowserMissing as error:
        said, _, mend = str(error).partition("; ")
        return [Check("Browser", "failed", said, mend)]
    return [Check("Browser", "ok", f"Chromium {version} at {found}")]


def check_fonts() -> Check:
    """Return whether Chinese, Japanese and Korean text can be drawn: layout needs its widths."""
    fc_list = shutil.which("fc-list")
    if fc_list is None:
        return Check("Fonts", "note", "fontconfig is not installed, fonts were not looked at")
    missing = []
    for language in ("zh", "ja", "ko"):
        answer = subprocess.run(
            [fc_list, f":lang={language}", "family"],
            capture_output=True,
            timeout=FONT_TIMEOUT_S,
            check=False,
        )
        if not answer.stdout.strip():
            missing.append(language)
    if missing:
        mend = "for pages in these languages: apt-get install fonts-noto-cjk"
        return Check("Fonts", "note", f"no font for {', '.join(missing)}", mend)
    return Check("Fonts", "ok", "Chinese, Japanese and Korean can be drawn")


def check_write_access(directory: Path) -> Check:
    """Return whether files can be made in `directory`."""
    try:
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as exc:
        mend = "choose another directory with --out, or mend its rights"
        return Check("Write access", "failed", f"{directory}: {exc.strerror}", mend)
    return Check("Write access", "ok", str(directory))


def check_disk(directory: Path) -> Check:
    """Return whether there is room for an archive."""
    free_mb = shutil.disk_usage(directory).free // MEGABYTE
    if free_mb < LEAST_FREE_DISK_MB:
        mend = "free some space, or choose another directory with --out"
        return Check("Free disk", "failed", f"{free_mb} MB at {directory}", mend)
    return Check("Free disk", "ok", f"{free_mb / 1024:.0f} GB at {directory}")


def check_shared_memory(directory: Path) -> Check:
    """Return whether Chromium has shared memory; with 64 MB, as in containers, tabs crash."""
    if not directory.is_dir() or not os.access(directory, os.W_OK):
        return Check("Shared memory", "note", f"no {directory}; Chromium uses files instead")
    total_mb = shutil.disk_usage(directory).total // MEGABYTE
    if total_mb < LEAST_SHARED_MEMORY_MB:
        mend = "start the container with --shm-size=1g, or tabs may crash on large pages"
        return Check("Shared memory", "note", f"{total_mb} MB at {directory}", mend)
    return Check("Shared memory", "ok", f"{total_mb} MB at {directory}")


def check_loopback() -> Check:
    """Return whether a server can listen on 127.0.0.1: fixture sites and the review page do."""
    try:
        with socket.create_server(("127.0.0.1", 0)):
            pass
    except OSError as exc:
        mend = "bring the loopback interface up: ip link set lo up"
        return Check("Loopback", "failed", f"cannot listen on 127.0.0.1: {exc.strerror}", mend)
    return Check("Loopback", "ok", "127.0.0.1 can be listened on")
