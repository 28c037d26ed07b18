"""The whole loop on a small served site."""

from __future__ import annotations

import pytest

from tests.crawling import crawl
from tests.served import Served, by

pytestmark = pytest.mark.browser

FORM = """<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction
</option><option value="hi">History</option><option value="co">Cookery</option>
<option value="po">Poetry</option></select></label><button>Find</button></form>"""


def test_every_choice_is_submitted_once_and_all_records_are_found(browsing, tmp_path):
    with Served({"/": FORM, "/find": by("genre", "g")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.query for r in site.to("/find")] == ["g=sf", "g=hi", "g=co", "g=po"]
    assert result.status == "finished"
    assert result.verdicts == ["results"] * 4
    assert len(result.records) == 12
