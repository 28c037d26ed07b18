"""The labelled pages: none may crash, and no control is forgotten."""

from __future__ import annotations

import asyncio
import os
from collections import Counter

import pytest

from hiwe.bench.corpus import is_fillable
from hiwe.form.find import understand
from hiwe.page.saved import saved_pages

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AT_A_TIME = 2
FOLDERS = ("forms/pages", "forms/ablated", "chromium/pages")
EACH = int(os.environ.get("HIWE_EACH_PAGE", "3"))  # every third page, or 1 for all


def _controls_told(told):
    """How often each control of a page is told of, by its place among the page's controls."""
    elements = [e for form in told.forms for e in form.elements]
    return Counter(index for e in (*elements, *told.outside) for index in e.controls)


async def _read_some(paths):
    faults, read = [], 0
    async for saved in saved_pages(paths):
        page = saved.page
        told = _controls_told(understand(page))
        shown = [c.index for c in page.controls if is_fillable(c) and c.visible]
        faults += [f"{saved.path.name} control {c}: {told[c]} times" for c in shown if told[c] != 1]
        read += 1
    return faults, read


async def _read_all(paths):
    """All pages, in several browsers at a time: waiting for pages is most of it."""
    parts = await asyncio.gather(*(_read_some(paths[i::AT_A_TIME]) for i in range(AT_A_TIME)))
    return [fault for faults, _ in parts for fault in faults], sum(read for _, read in parts)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_page_goes_through_and_tells_each_visible_control_once(shared, chromium, folder):
    paths = sorted((shared / "corpus" / folder).glob("*.html"))[::EACH]
    if not paths:
        pytest.skip(f"no pages in {shared / 'corpus' / folder}")
    faults, read = asyncio.run(_read_all(paths))
    assert read == len(paths)
    assert faults == []
