"""Set-up: the lock holds every dependency within its bounds; CI runs what people run."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from hiwe import __version__
from hiwe.doctor import within

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    """The `project` table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return table


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(root: Path) -> dict[str, str]:
    """Return name -> version of the lock."""
    lines = (root / "constraints.txt").read_text().splitlines()
    pins = [line.split("==") for line in lines if not line.startswith("#")]
    return {normalised(name): version for name, version in pins}


def test_lock_pins_every_dependency_within_its_bounds(root: Path, project: dict[str, Any]) -> None:
    extras = project["optional-dependencies"]
    pins = locked(root)
    for requirement in [*project["dependencies"], *extras["dev"], *extras["parquet"]]:
        name = normalised(re.split(r"[<>=]", requirement)[0])
        assert name in pins, f"{name} is not in constraints.txt; run make lock"
        assert within(pins[name], requirement), f"{requirement}, but the lock has {pins[name]}"


def test_every_dependency_has_a_lower_bound(project: dict[str, Any]) -> None:
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    assert [line for line in [*project["dependencies"], *extras] if ">=" not in line] == []


def test_lock_holds_versions_only(root: Path) -> None:
    lines = (root / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


def test_ci_runs_what_people_run(root: Path) -> None:
    script = (root / ".ci" / "run").read_text()
    assert re.findall(r"^make .*", script, re.MULTILINE) == ["make check", "make gate", "make test"]


@pytest.mark.parametrize(
    "script", ["scripts/setup", "scripts/lock", "scripts/test-lowest", ".ci/run"]
)
def test_script_is_plain_shell_and_can_be_run(root: Path, script: str) -> None:
    path = root / script
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0


def test_setup_rebuilds_nothing_when_its_stamp_fits(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "hiwe"
    (copy / "scripts").mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt", "scripts/setup", "scripts/bootstrap_pip.py"):
        shutil.copy(root / name, copy / name)
    bin_directory = copy / ".venv" / "bin"
    bin_directory.mkdir(parents=True)
    for name in ("hiwe", "python", "chromium"):
        (bin_directory / name).write_text("#!/bin/sh\nexit 1\n")
        (bin_directory / name).chmod(0o755)
    digest = subprocess.run(
        "{ pwd -P; cat pyproject.toml constraints.txt scripts/setup scripts/bootstrap_pip.py; }"
        " | sha256sum | cut -d' ' -f1",
        shell=True,
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()

    def setup(stamp: str, **environment: str) -> int:
        (copy / ".venv" / ".setup-stamp").write_text(stamp)
        # No Python to be found: whoever wants to rebuild fails at once.
        environment |= {"PATH": str(tools), "HIWE_PYTHON": "/no/python"}
        command = ["/bin/sh", "scripts/setup"]
        return subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, check=False
        ).returncode

    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("cat", "cut", "dirname", "sed", "sha256sum"):
        found = shutil.which(tool)
        assert found
        (tools / tool).symlink_to(found)
    browser = str(bin_directory / "chromium")
    assert setup(f"{digest}\n{browser}\n") == 0
    assert setup(f"{digest}\n{browser}\n", HIWE_CHROMIUM=browser) == 0
    assert setup(f"{digest}\n{browser}\n", HIWE_CHROMIUM="/no/such/browser") == 1
    assert setup(f"{digest}\n/no/such/browser\n") == 1
    assert setup(f"{'0' * 64}\n{browser}\n") == 1


def test_changelog_knows_the_version_or_is_open(root: Path) -> None:
    headings = re.findall(r"^## (.+)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0].startswith(__version__)
