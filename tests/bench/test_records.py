"""Records against what the sites' data say: how a comparison counts."""

from __future__ import annotations

from hiwe.bench.records import TrueRecord, compared, measure, record_pages
from hiwe.response.response import Record


def test_every_site_has_pages_with_and_without_records():
    pages = list(record_pages())
    for site in {page.site for page in pages}:
        counts = [len(page.records) for page in pages if page.site == site]
        assert min(counts) == 0 < max(counts)


def test_a_page_is_measured_with_its_site_named_in_each_miss():
    page = next(page for page in record_pages() if page.site == "kritik")
    assert all(miss.startswith("kritik http") for miss in measure(page).misses)


def film(title, url=None, **fields):
    return Record((("Title", title), *fields.items()), url, title)


def test_a_record_counts_once_and_by_its_address_first():
    known = [
        TrueRecord("/1", {"Title": "Alien", "Year": "1979"}),
        TrueRecord("/2", {"Title": "Alien"}),
    ]
    twice = [film("Alien", "http://h/2"), film("Alien", "http://h/2")]
    figures = compared(twice, known).figures()
    assert (figures["precision"], figures["recall"]) == (0.5, 0.5)


def test_names_and_values_are_counted_for_records_that_are_right():
    known = [TrueRecord(None, {"title": "Heat", "year": "1995", "seen_by": "12", "empty": ""})]
    tally = compared([film("Heat", Year="1995", **{"Seen by": "13"})], known)
    assert (tally.right, tally.fields, tally.names, tally.values) == (1, 3, 3, 2)
    assert tally.misses == ["'seen_by' is '12', read '13'"]


def test_a_record_with_few_of_the_values_is_none_of_the_page():
    tally = compared([film("Heat", Year="1972")], [TrueRecord(None, {"t": "Ran", "y": "1985"})])
    assert (tally.found, tally.right, tally.shown) == (1, 0, 1)
