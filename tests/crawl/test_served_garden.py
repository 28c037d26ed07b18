"""The garden of traps, served and crawled with a real browser: it ends, and all is seen."""

from __future__ import annotations

from collections import Counter

import pytest

from hiwe_fixtures.garden import serve_garden
from tests.crawling import crawl

MOST_IN_TRAPS = 17  # requests: one in twenty of those to the garden in its full size


@pytest.mark.browser
def test_the_garden_is_left_by_itself_with_every_real_page_seen(browsing, tmp_path):
    with serve_garden(rooms=4, pages=9) as (garden, url):
        result = crawl(
            browsing, tmp_path, url, scope={"depth": 60},
            budget={"pages_per_site": 3000, "duration_s": 150},
            browser={"timeout_s": 3}, workers=4,
        )  # fmt: skip
        log = garden.log.entries
    assert result.status == "finished"
    assert garden.real <= {entry.path for entry in log}
    assert not garden.log.violations
    traps = Counter(
        entry.path.split("/")[1]
        for entry in log
        if entry.path not in garden.real or (entry.query and entry.path == "/list")
    )
    del traps["robots.txt"]
    assert set(traps) <= {
        "calendar", "soft", "s", "more", "next", "loop", "nulls.html", "picture.html", "stream",
        "list",
    }  # fmt: skip
    assert traps.total() <= MOST_IN_TRAPS
