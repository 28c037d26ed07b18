"""Which Chromium to use: find one on this machine, ask its version, say how to get one.

The order (the first that exists wins): the configuration's `browser.executable`, HIWE_CHROMIUM,
one on the PATH, the one that Playwright downloaded. A browser that was named and is not there is an
error, not a reason to take another one. Snap packages are passed over: confined, they cannot read
our profile directories.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from hiwe.errors import BrowserMissing

ENVIRONMENT_VARIABLE = "HIWE_CHROMIUM"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium-headless-shell",
)
HOW_TO_GET = (
    "run `make setup`, or `playwright install --with-deps chromium`, "
    "or `apt-get install chromium`; "
    f"or name one in browser.executable or in {ENVIRONMENT_VARIABLE}"
)
START_TIMEOUT_S = 60.0
LARGEST_WRAPPER_BYTES = 64 * 1024


def find_chromium(configured: str | None = None) -> Path:
    """Return the executable of the Chromium to use; BrowserMissing says what to do if none is."""
    for source, named in (
        ("browser.executable", configured),
        (ENVIRONMENT_VARIABLE, os.environ.get(ENVIRONMENT_VARIABLE)),
    ):
        if named:
            return _named(source, named)
    found = on_path() or of_playwright()
    if found is None:
        raise BrowserMissing(f"no Chromium found; {HOW_TO_GET}")
    return found


def _named(source: str, named: str) -> Path:
    """Return the browser that a person named, by path or by a name on the PATH."""
    found = shutil.which(str(Path(named).expanduser()))
    if found is None:
        raise BrowserMissing(
            f"{source} is {named}, which is no program that can be run; {HOW_TO_GET}"
        )
    return Path(found).absolute()


def on_path() -> Path | None:
    """Return the first Chromium or Chrome on the PATH that is no snap, else None."""
    for name in NAMES:
        found = shutil.which(name)
        if found is not None and not is_snap(Path(found)):
            return Path(found)
    return None


def is_snap(executable: Path) -> bool:
    """Return whether `executable` is a snap or the script that Ubuntu installs in its place."""
    resolved = executable.resolve()
    if "snap" in executable.parts or "snap" in resolved.parts or resolved.name == "snap":
        return True
    if resolved.stat().st_size > LARGEST_WRAPPER_BYTES:
        return False
    return b"/snap/bin/" in resolved.read_bytes()


def check_driver() -> None:
    """See that Playwright's own program starts; BrowserMissing if it does not.

    It needs a library (libatomic) that small systems lack, and Playwright then raises a bare
    Exception that nobody can catch by name. So ask before it is used.
    """
    answer = subprocess.run(
        [sys.executable, "-m", "playwright", "--version"],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=START_TIMEOUT_S,
        check=False,
    )
    if answer.returncode != 0:
        said = (answer.stderr or answer.stdout).strip().splitlines()
        why = said[-1] if said else f"it ended with {answer.returncode}"
        how = "apt-get install libatomic1" if "libatomic" in why else "run `make setup`"
        raise BrowserMissing(f"Playwright's driver does not start ({why}); {how}")


def of_playwright() -> Path | None:
    """Return the Chromium that Playwright downloaded, else None."""
    from playwright.sync_api import sync_playwright

    check_driver()
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    if path.is_file():
        return path
    return _headless_shell(path)


def _headless_shell(chromium: Path) -> Path | None:
    """Return the shell that `playwright install --only-shell` puts beside `chromium`, else None."""
    registry = next((p.parent for p in chromium.parents if p.name.startswith("chromium-")), None)
    if registry is None or not registry.is_dir():
        return None
    shells = (
        path
        for folder in registry.glob("chromium_headless_shell-*")
        for path in folder.glob("*/*headless*shell*")
        if path.is_file() and os.access(path, os.X_OK)
    )
    return max(shells, default=None)


def chromium_version(executable: Path) -> str:
    """Return the version `executable` answers, such as '141.0.7390.54'.

    BrowserMissing if it cannot be started: most often a library is missing on the system.
    """
    try:
        answer = subprocess.run(
            [str(executable), "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=START_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise BrowserMissing(f"{executable} does not start ({exc}); {HOW_TO_GET}") from exc
    version = re.search(r"\d+(\.\d+){1,3}", answer.stdout)
    if answer.returncode != 0 or version is None:
        said = (answer.stderr or answer.stdout).strip().splitlines()
        why = said[-1] if said else f"it ended with {answer.returncode}"
        raise BrowserMissing(f"{executable} does not start ({why}); {HOW_TO_GET}")
    return version.group()


def sandbox_arguments() -> tuple[str, ...]:
    """Return the switches that the user we run as needs: Chromium's sandbox refuses root."""
    return ("--no-sandbox",) if os.geteuid() == 0 else ()


def open_blank_page(executable: Path) -> None:
    """Start `executable` as a crawl would and open an empty page; BrowserMissing if it cannot."""
    from playwright.sync_api import Error, sync_playwright

    check_driver()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=executable,
                args=sandbox_arguments(),
                timeout=START_TIMEOUT_S * 1000,
            )
            browser.new_page().goto("about:blank")
            browser.close()
    except Error as exc:
        why = exc.message.strip().splitlines()[0]
        raise BrowserMissing(f"{executable} opens no page ({why}); {HOW_TO_GET}") from exc


def main() -> int:
    """Print the browser that would be used, if it opens a page; set-up asks this."""
    try:
        executable = find_chromium()
        chromium_version(executable)
        open_blank_page(executable)
    except BrowserMissing as error:
        print(error, file=sys.stderr)
        return 1
    print(executable)
    return 0


if __name__ == "__main__":
    sys.exit(main())
