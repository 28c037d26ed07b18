"""The garden of traps, served and crawled with a real browser: it ends, and all is seen."""

from __future__ import annotations

from collections import Counter

import pytest

from hiwe.repository.database import FILE_NAME, Database
from hiwe_fixtures.garden import serve_garden
from tests.crawling import crawl

MOST_IN_ONE_TRAP = 13  # a calendar shows as many months before it is known as one


@pytest.mark.browser
def test_the_garden_is_left_by_itself_with_every_real_page_seen(browsing, tmp_path):
    with serve_garden(rooms=4, pages=9) as (garden, url):
        result = crawl(
            browsing, tmp_path, url, scope={"depth": 60},
            budget={"pages_per_site": 3000, "duration_s": 150},
            browser={"timeout_s": 3}, workers=4,
        )  # fmt: skip
        asked = [entry.path for entry in garden.log.entries if entry.path != "/robots.txt"]
    assert result.status == "finished"
    assert garden.real <= set(asked)
    assert not garden.log.violations
    traps = Counter(path.split("/")[1] for path in asked if path not in garden.real)
    assert set(traps) <= {
        "calendar", "soft", "s", "more", "next", "loop", "nulls.html", "picture.html", "stream",
        "favicon.ico",
    }  # fmt: skip
    with Database(result.out / FILE_NAME, read_only=True) as db:
        visits = Counter(
            row["url"].split("/")[3].split("?")[0]
            for row in db.rows("SELECT url FROM pages WHERE purpose = 'visit'")
        )
    assert max(visits[trap] for trap in traps) <= MOST_IN_ONE_TRAP
