"""Coverage: the database behind a form, from the records its submissions found."""

from __future__ import annotations

import pytest

from hiwe.report.coverage import interval, read_coverage
from hiwe.response.response import Verdict
from tests.report.a_run import ONE, Builder, element, form


@pytest.fixture
def made(tmp_path):
    built = Builder(tmp_path)
    built.begin(ONE)
    yield built
    built.close()


def test_overlapping_captures_estimate_what_is_unseen(made):
    number = made.meet(form("box", [element("q", "Search")]))
    for at in range(12):  # windows of 20 of 100 records, each half known from the one before
        keys = tuple(f"k{(at * 10 + step) % 100}" for step in range(20))
        made.submit(number, f"v{at}", Verdict.RESULTS, keys)
    found = read_coverage(made.db)
    assert found.forms[number].observed == 100
    assert found.forms[number].estimated == pytest.approx(100, abs=5)
    assert found.sites[ONE] == found.forms[number]
    assert interval(found.forms[number]).endswith("from records found once and twice")


def test_the_sites_own_count_of_an_open_query_is_the_total(made):
    number = made.meet(form("box", [element("q", "Search")]))
    made.submit(number, None, Verdict.RESULTS, ("a", "b"), stated=250)
    found = read_coverage(made.db).forms[number]
    assert (found.method, found.estimated, str(found)) == ("total", 250.0, "2 of about 250 (1 %)")
    assert interval(found) == "as the site itself says"


def test_the_count_of_a_narrower_query_is_no_total(made):
    number = made.meet(form("box", [element("q", "Search")]))
    made.submit(number, "Ida Fenwick", Verdict.RESULTS, ("a", "b"), stated=250)
    assert read_coverage(made.db).forms == {}


def test_nothing_is_estimated_from_nothing(made):
    assert read_coverage(made.db).sites == {}
