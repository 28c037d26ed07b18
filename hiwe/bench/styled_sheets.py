"""The CSS frameworks of the styled set: fetched once from npm, kept outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from hiwe.errors import UsageError

# name -> (npm package with version, style sheet inside it)
FRAMEWORKS = {
    "bootstrap5": ("bootstrap@5.3.3", "package/dist/css/bootstrap.min.css"),
    "bootstrap3": ("bootstrap@3.4.1", "package/dist/css/bootstrap.min.css"),
    "bulma": ("bulma@1.0.2", "package/css/bulma.min.css"),
    "pico": ("@picocss/pico@2.0.6", "package/css/pico.min.css"),
    "foundation": ("foundation-sites@6.8.1", "package/dist/css/foundation.min.css"),
    "uikit": ("uikit@3.21.6", "package/dist/css/uikit.min.css"),
    "materialize": ("materialize-css@1.0.0", "package/dist/css/materialize.min.css"),
    "pure": ("purecss@3.0.0", "package/build/pure-min.css"),
}
FETCH_S = 120


def cache_folder() -> Path:
    """Where fetched style sheets are kept: HIWE_STYLED, else the user's cache."""
    if named := os.environ.get("HIWE_STYLED"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hiwe" / "styled"


def style_sheets(folder: Path) -> dict[str, str]:
    """The style sheets by framework; what `folder` lacks is fetched into it.

    UsageError where something has to be fetched and npm is missing or does not get it.
    """
    missing = [name for name in FRAMEWORKS if not (folder / f"{name}.css").exists()]
    if missing and shutil.which("npm") is None:
        raise UsageError(
            f"{folder} lacks the style sheets of {', '.join(missing)}, and npm, which gets them, "
            "is not installed (Debian: apt-get install npm); HIWE_STYLED may name another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in missing:
        _fetch(name, folder)
    return {name: (folder / f"{name}.css").read_text("utf-8") for name in FRAMEWORKS}


def _fetch(name: str, folder: Path) -> None:
    """Get one framework's archive and keep its style sheet."""
    package, member = FRAMEWORKS[name]
    try:
        done = subprocess.run(
            ["npm", "pack", "--silent", package],
            cwd=folder, check=True, capture_output=True, text=True, timeout=FETCH_S,
        )  # fmt: skip
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"npm does not get {package}; is the network up? ({error})") from error
    archive = folder / done.stdout.strip().splitlines()[-1]
    with tarfile.open(archive) as opened:
        sheet = opened.extractfile(member)
        if sheet is None:
            raise UsageError(f"{package} has no {member}; name another version")
        (folder / f"{name}.css").write_bytes(sheet.read())
    archive.unlink()
