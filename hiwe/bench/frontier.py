"""How the frontier bears size: rates and memory up to a million addresses, and the hosts' pace.

Rates are measured on the last additions and claims at each size, in processor time of one process;
the pace in simulated time with more workers than hosts, where each host could be asked again as
soon as it has answered and rested.
"""

from __future__ import annotations

import heapq
import resource
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.crawl.frontier import Frontier, NewAction
from hiwe.repository.database import Database
from hiwe.repository.hosts import Hosts, HostState

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (10_000, 100_000, 1_000_000)
HOSTS = 10_000
LINKS_A_PAGE = 100  # additions in one transaction
RESPONSE_S, DELAY_S = 0.2, 1.0
ROUNDS = 5  # requests to each host in simulated time


@dataclass(frozen=True, slots=True)
class Rates:
    """At one size of the frontier: additions and claims a second, memory of the process."""

    addresses: int
    added_per_s: float
    claimed_per_s: float
    memory_mib: float


@dataclass(frozen=True, slots=True)
class Pace:
    """In simulated time: requests made of those the hosts allow, and requests made too early."""

    requests: int
    utilisation: float
    too_early: int
    together: int  # requests to a host that still had one to answer


def run(sizes: tuple[int, ...] = SIZES, hosts: int = HOSTS) -> dict[str, Any]:
    """Return rates by size, the ratio of the best to the worst, and the pace."""
    with tempfile.TemporaryDirectory() as directory:
        with Database(Path(directory) / "frontier.sqlite") as db:
            rates = list(_rates(db, sizes, hosts))
        file_mib = (Path(directory) / "frontier.sqlite").stat().st_size / 2**20
    pace = simulate(hosts)
    return {
        "rates": [asdict(rate) for rate in rates],
        "add_ratio": _ratio([rate.added_per_s for rate in rates]),
        "claim_ratio": _ratio([rate.claimed_per_s for rate in rates]),
        "memory_mib": max(rate.memory_mib for rate in rates),
        "file_mib": file_mib,
        "pace": asdict(pace),
    }


def _ratio(rates: list[float]) -> float:
    return max(rates) / min(rates)


def address(number: int, hosts: int) -> NewAction:
    """Return the action with a number: all hosts have addresses alike."""
    host, place = f"http://h{number % hosts}.example", number // hosts
    return NewAction(
        "visit", f"{host}/", f"{host}/item/{place}?list={number}", priority=3 + number % 3
    )


def _rates(db: Database, sizes: tuple[int, ...], hosts: int) -> Iterator[Rates]:
    """Fill the frontier to each size and measure there."""
    frontier, states = Frontier(db), Hosts(db)
    filled, now = 0, 0.0
    for size in sizes:
        sample = size // 2 if size <= 2 * LINKS_A_PAGE * 50 else LINKS_A_PAGE * 100
        _fill(frontier, filled, size - sample, hosts)
        began = time.process_time()
        _fill(frontier, size - sample, size, hosts)
        added_per_s = sample / (time.process_time() - began)
        claims = min(sample, hosts) // 2
        began = time.process_time()
        for _ in range(claims):
            now += DELAY_S
            _claim_and_end(db, frontier, states, now)
        claimed_per_s = claims / (time.process_time() - began)
        filled = size
        yield Rates(size, added_per_s, claimed_per_s, _memory_mib())


def _fill(frontier: Frontier, start: int, end: int, hosts: int) -> None:
    for first in range(start, end, LINKS_A_PAGE):
        last = min(first + LINKS_A_PAGE, end)
        frontier.add_all(address(number, hosts) for number in range(first, last))


def _claim_and_end(db: Database, frontier: Frontier, states: Hosts, now: float) -> None:
    """Do what the crawl does with an action: claim it, then pace and outcome in one transaction."""
    action = frontier.claim(now)
    if action is None:
        raise LookupError("the frontier has work for every host, yet gives none out")
    with db.atomic():
        states.save(HostState(action.host, next_allowed_at=now + DELAY_S))
        frontier.done(action.id)


def _memory_mib() -> float:
    """Return the most memory the process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def simulate(hosts: int, rounds: int = ROUNDS) -> Pace:
    """Return the pace of a crawl in simulated time: every host has `rounds` addresses and more."""
    with Database(None) as db:
        frontier, states = Frontier(db, clock=lambda: 0.0), Hosts(db)
        _fill(frontier, 0, hosts * (rounds + 2), hosts)
        return _Simulation(db, frontier, states).run(hosts, rounds)


class _Simulation:
    """Workers without number in a time of their own."""

    def __init__(self, db: Database, frontier: Frontier, states: Hosts) -> None:
        self._db, self._frontier, self._states = db, frontier, states
        self._answers: list[tuple[float, int, str]] = []  # when, action, host
        self._allowed_at: dict[str, float] = {}
        self._asked: set[str] = set()
        self._requests = self._too_early = self._together = 0

    def run(self, hosts: int, rounds: int) -> Pace:
        now, end = 0.0, rounds * (RESPONSE_S + DELAY_S)
        while now < end:
            while (action := self._frontier.claim(now)) is not None:
                self._ask(action.id, action.host, now)
            due = self._frontier.next_due()
            now = min([at for at in (due, self._next_answer()) if at is not None], default=end)
            with self._db.atomic():
                self._end_answered(now)
        return Pace(
            self._requests, self._requests / (hosts * rounds), self._too_early, self._together
        )

    def _ask(self, action: int, host: str, now: float) -> None:
        self._requests += 1
        self._too_early += now < self._allowed_at.get(host, 0.0)
        self._together += host in self._asked
        self._asked.add(host)
        heapq.heappush(self._answers, (now + RESPONSE_S, action, host))

    def _next_answer(self) -> float | None:
        return self._answers[0][0] if self._answers else None

    def _end_answered(self, now: float) -> None:
        while self._answers and self._answers[0][0] <= now:
            _, action, host = heapq.heappop(self._answers)
            self._asked.discard(host)
            self._allowed_at[host] = now + DELAY_S
            self._states.save(HostState(host, next_allowed_at=now + DELAY_S))
            self._frontier.done(action)
