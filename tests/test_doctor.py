"""Doctor: finds what is missing, and each fault says how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiwe.doctor import (
    check_browser,
    check_dependencies,
    check_disk,
    check_python,
    check_shared_memory,
    check_write_access,
    checks,
    within,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.browser
def test_this_machine_is_fit(chromium: Path, tmp_path: Path) -> None:
    found = checks(str(chromium), tmp_path)
    assert [check for check in found if check.state == "failed"] == []
    names = [check.name for check in found]
    assert len(names) == len(set(names))
    assert {"Python", "Packages", "Browser", "Write access", "Free disk"} <= set(names)


def test_old_python_is_a_fault() -> None:
    assert check_python((3, 10)).state == "failed"
    assert check_python((3, 11)).state == "ok"
    assert check_python((4, 0)).state == "ok"


@pytest.mark.parametrize(
    ("version", "requirement", "fits"),
    [
        ("6.1.3", "lxml<7,>=5.3", True),
        ("7.0", "lxml<7,>=5.3", False),
        ("5.2.9", "lxml<7,>=5.3", False),
        ("5.10", "lxml>=5.9", True),
        ("2.0.0", "x>=2", True),
        ("2", "x<2.0", False),
        ("1.0rc1", "x>=1", True),
        ("3", "x", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, requirement: str, fits: bool) -> None:
    assert within(version, requirement) is fits


def test_missing_package_is_a_fault_and_missing_extra_a_note() -> None:
    lines = [
        "no-such-package>=1",
        "lxml>=5",
        "no-such-extra; extra == 'ray'",
        "gone; extra == 'dev'",
    ]
    package, extra = check_dependencies(lines)
    assert (package.name, package.state, package.mend) == (
        "no-such-package",
        "failed",
        "run `make setup`",
    )
    assert (extra.name, extra.state) == ("no-such-extra", "note")
    assert "hiwe[ray]" in extra.mend


def test_package_out_of_range_is_a_fault() -> None:
    (check,) = check_dependencies(["lxml>=99"])
    assert check.state == "failed"
    assert "but hiwe needs lxml>=99" in check.detail


def test_missing_browser_says_how_to_mend_it() -> None:
    (check,) = check_browser("/no/such/chrome")
    assert check.state == "failed"
    assert "/no/such/chrome" in check.detail
    assert "apt-get install chromium" in check.mend


def test_directory_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    assert check_write_access(tmp_path).state == "ok"
    assert list(tmp_path.iterdir()) == []
    check = check_write_access(tmp_path / "missing")
    assert check.state == "failed"
    assert check.mend


def test_full_disk_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiwe.doctor.LEAST_FREE_DISK_MB", 0)
    assert check_disk(tmp_path).state == "ok"
    monkeypatch.setattr("hiwe.doctor.LEAST_FREE_DISK_MB", 10**12)
    assert check_disk(tmp_path).state == "failed"


def test_small_shared_memory_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_shared_memory(tmp_path / "missing").state == "note"
    monkeypatch.setattr("hiwe.doctor.LEAST_SHARED_MEMORY_MB", 10**12)
    assert "--shm-size" in check_shared_memory(tmp_path).mend
