"""Which worker a site belongs to: its cookies, connections and pace stay in one place.

Rendezvous hashing (Thaler and Ravishankar, 1998): each site ranks all places by a hash of both. No
place becomes the home of much more than its share, as in consistent hashing with bounded loads
(Mirrokni, Thorup and Zadimoghaddam, 2018).
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

REACH = 1.25  # most sites of a place, as a multiple of the average


class Pins:
    """Sites and their homes among `places`, numbered from 0; a site keeps its home for good."""

    def __init__(self, places: int) -> None:
        """No site has a home yet."""
        self._places = range(places)
        self._homes: dict[str, int] = {}
        self._loads: Counter[int] = Counter()

    def place_of(self, site: str, open_places: Collection[int]) -> int:
        """The home of a site; while that is not open, the place it ranks first of those that are.

        One must be open.
        """
        home = self._homes.get(site)
        if home is None:
            home = self._homes[site] = self._settle(site)
        return home if home in open_places else _first(site, open_places)

    def _settle(self, site: str) -> int:
        """Choose the place that a site ranks first among those that have room."""
        most = ceil(REACH * (len(self._homes) + 1) / len(self._places))
        home = _first(site, [place for place in self._places if self._loads[place] < most])
        self._loads[home] += 1
        return home


def _first(site: str, places: Collection[int]) -> int:
    return max(places, key=lambda place: _weight(site, place))


def _weight(site: str, place: int) -> bytes:
    return blake2b(f"{place} {site}".encode(), digest_size=8).digest()
