"""Reopening: a person says that a closed trap is none; what was turned away is to be visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.address import host_of
from hiwe.crawl.frontier import Frontier
from hiwe.crawl.shapes import directories, fault, groups
from hiwe.crawl.traps import TRAP, Traps

if TYPE_CHECKING:
    from hiwe.crawl.traps import ClosedTrap
    from hiwe.repository.database import Database


def closed_traps(db: Database, *, shape: str = "", host: str = "") -> list[ClosedTrap]:
    """Return the closed traps of a run, of one shape or host only if they are named."""
    return [
        trap
        for trap in Traps(db).closed()
        if shape in ("", trap.shape) and host in ("", trap.host)
    ]  # fmt: skip


def reopen_trap(db: Database, trap: ClosedTrap) -> int:
    """Open a trap for good; return how many addresses that were turned away are to be visited.

    They are the first that were met; the others show up again as links of the pages that come.
    """
    frontier = Frontier(db)
    with db.atomic():
        Traps(db).reopen(trap.host, trap.shape)
        rows = db.rows(
            "SELECT id, url FROM actions WHERE kind = 'visit' AND state = 'skipped' AND reason = ?",
            (TRAP,),
        )
        wanted = [
            row["id"]
            for row in rows
            if host_of(row["url"]) == trap.host and trap.shape in _shapes(row["url"])
        ]
        for action in wanted:
            frontier.reopen(action, "reopened")
    return len(wanted)


def _shapes(url: str) -> set[str]:
    """All shapes of an address by which it may have been turned away."""
    return {*(group.shape for group in groups(url)), *directories(url), f"({fault(url)})"}
