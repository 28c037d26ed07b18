"""Sites and their homes: each keeps its own, no place gets too many."""

from __future__ import annotations

from collections import Counter

import pytest

from hiwe.engine.pins import REACH, Pins

SITES = [f"http://site{at}.org/" for at in range(1000)]


@pytest.mark.parametrize("places", [1, 2, 8, 40])
def test_no_place_is_home_to_much_more_than_its_share(places):
    pins = Pins(places)
    loads = Counter(pins.place_of(site, range(places)) for site in SITES)
    assert set(loads) == set(range(places))
    assert max(loads.values()) <= REACH * len(SITES) / places + 1


def test_four_sites_are_never_all_at_one_of_two_places():
    for at in range(0, len(SITES), 4):
        pins = Pins(2)
        assert {pins.place_of(site, {0, 1}) for site in SITES[at : at + 4]} == {0, 1}


def test_only_sites_of_a_lost_place_move_and_they_come_home():
    pins = Pins(4)
    homes = {site: pins.place_of(site, {0, 1, 2, 3}) for site in SITES}
    meanwhile = {site: pins.place_of(site, {0, 1, 3}) for site in SITES}
    assert all(meanwhile[site] == home for site, home in homes.items() if home != 2)
    moved = Counter(meanwhile[site] for site, home in homes.items() if home == 2)
    assert set(moved) == {0, 1, 3}
    assert {site: pins.place_of(site, {0, 1, 2, 3}) for site in SITES} == homes


def test_a_site_has_its_home_though_it_was_not_open_at_first():
    early, late = Pins(3), Pins(3)
    first = [early.place_of(site, {0}) for site in SITES]
    assert set(first) == {0}
    everywhere = {0, 1, 2}
    assert [early.place_of(s, everywhere) for s in SITES] == [
        late.place_of(s, everywhere) for s in SITES
    ]
