"""Fixtures of all tests: the browser, the material beside the repository, a dead address."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from hiwe.errors import BrowserMissing
from hiwe.page.chromium import find_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browsing import Browsing

ROOT = Path(__file__).resolve().parents[1]

# A busy machine is no fault of the code; the same examples each time, so that a failure is news.
settings.register_profile(
    "hiwe", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "hiwe"))


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the directory of shared cases and corpora, or skip."""
    directory = Path(os.environ.get("HIWE_SHARED", ROOT.parent / "shared"))
    if not directory.is_dir():
        pytest.skip(f"no {directory}; name it in HIWE_SHARED")
    return directory


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return the Chromium of this machine, or skip."""
    try:
        return find_chromium()
    except BrowserMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def browsing(chromium: Path) -> Iterator[Browsing]:
    """Yield one real browser for all tests of this process."""
    from tests.browsing import Browsing  # here, so that other tests run without it

    started = Browsing(chromium)
    yield started
    started.close()


@pytest.fixture
def unreachable_url() -> Iterator[str]:
    """Yield an address on which nobody listens, for as long as the test runs."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/"
