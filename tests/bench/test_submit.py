"""The benchmark of submissions measures four paths and their ratios."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from hiwe.bench.submit import run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser


def test_every_path_is_measured_and_plain_http_is_the_fastest(chromium: Path) -> None:
    figures = asyncio.run(run(1, in_browser=2, plain=16)).figures
    assert set(figures["per_s"]) == {"browser", "playwright", "plain", "requests"}
    assert set(figures["ratios"]) == {
        "browser / playwright", "plain / browser", "plain / requests"
    }  # fmt: skip
    assert figures["ratios"]["plain / browser"] > 1
