"""Shards: one task split by hosts among runs that know nothing of each other but their number.

Hosts that belong together stay together: all below one registrable domain are of one shard, a host
without one (an address, a bare name) is of its own, with its port. Which shard that is follows from
a hash of the name alone, so that every run of a task finds the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.address import host_of, registrable_domain
from hiwe.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiwe.crawl.site import Site

MOST_SHARDS = 10_000
SHARD_NAME = re.compile(r"shard-(\d+)-of-(\d+)")  # of a run directory


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of`, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard that K/N names; UsageError if it names none."""
        found = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of <= MOST_SHARDS:
            raise UsageError(f"--shard is {text}; give K/N with K from 1 to N, such as 2/4")
        return cls(number, of)

    @classmethod
    def of_directory(cls, name: str) -> Shard | None:
        """Return the shard whose run directory is called `name`, None if it is none's."""
        found = SHARD_NAME.fullmatch(name)
        return cls(int(found[1]), int(found[2])) if found else None

    @property
    def directory(self) -> str:
        """Name of the run directory, below that of the task."""
        return f"shard-{self.number}-of-{self.of}"

    @property
    def others(self) -> tuple[int, ...]:
        """The numbers of the other shards."""
        return tuple(n for n in range(1, self.of + 1) if n != self.number)

    @property
    def all(self) -> tuple[Shard, ...]:
        """The shards of the split, this one among them."""
        return tuple(Shard(n, self.of) for n in range(1, self.of + 1))

    def home(self, place: str) -> int:
        """Return the number of the shard that a place belongs to."""
        digest = blake2b(place.encode("utf-8", "replace"), digest_size=8).digest()
        return int.from_bytes(digest) % self.of + 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@lru_cache(maxsize=65536)
def place_of(url: str) -> str:
    """Return what is never split: the registrable domain of an address, else host and port."""
    host = host_of(url)
    return registrable_domain(urlsplit(f"//{host}").hostname or "") or host.removeprefix("www.")


@dataclass(frozen=True, slots=True)
class Territory:
    """What one shard may ask for. Picklable, and called it says so of an address.

    `places` are those that the task is about, one without a port stands for all ports; whatever
    lies elsewhere (a script that a page loads, say) any shard may ask for. `aliases` give places
    another name to be hashed by: those of bundled sites, which stand at another port in every
    process.
    """

    shard: Shard
    places: frozenset[str]
    aliases: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_sites(cls, shard: Shard, sites: Iterable[Site]) -> Territory:
        """Return the territory of a shard of a task with these sites."""
        places, aliases = set(), {}
        for site in sites:
            start = place_of(site.start)
            places |= {start, *_named(site)}
            if site.start != site.key:
                aliases[start] = site.key
        return cls(shard, frozenset(places), aliases)

    def home(self, url: str) -> int:
        """Return the number of the shard that an address belongs to."""
        place = place_of(url)
        return self.shard.home(self.aliases.get(place, place))

    def owns(self, url: str) -> bool:
        """Whether an address belongs to this shard."""
        return self.home(url) == self.shard.number

    def __call__(self, url: str) -> bool:
        """Whether the shard may ask for an address: its own, or of no site of the task."""
        if not url.startswith(("http://", "https://")):
            return True
        place = place_of(url)
        is_of_task = place in self.places or place.rpartition(":")[0] in self.places
        return self.owns(url) or not is_of_task


def _named(site: Site) -> set[str]:
    """The places of the hosts that a site's scope names."""
    hosts = site.settings.scope.hosts
    names = () if isinstance(hosts, str) else hosts
    return {place_of(f"http://{name.lower().removeprefix('*.')}/") for name in names}
