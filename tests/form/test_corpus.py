"""The labelled pages: none may crash, and the figures may not fall."""

from __future__ import annotations

import asyncio

import pytest

from hiwe.bench.labels import run

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLOORS = {"chromium, trusted": 0.96, "chromium, untrusted": 0.5}


def test_real_checkout_pages_keep_their_floor(shared, chromium):
    figures = asyncio.run(run(only=("chromium",))).figures
    assert {
        name: figures[name]["strict"] >= floor for name, floor in FLOORS.items()
    } == dict.fromkeys(FLOORS, True)
