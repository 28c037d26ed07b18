"""What a shard hands over to other shards, and how far it has read what they handed over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.repository.database import Database

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Position:
    """How far a file was read: `octets` of what the shard's run `run` wrote."""

    run: str = ""
    octets: int = 0


class Handed:
    """The links of a shard that belong to others: the files beside the shards are copies of it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self, shard: int, line: str, *, identity: str, depth: int, priority: int, after: int = 0
    ) -> bool:
        """Keep a line for a shard, unless it is known as well placed; return whether it is new.

        A link that is found again nearer to the start, or more urgent, is handed over again. The
        lines of a shard are numbered from 1, or from the one behind `after`.
        """
        with self._db.together():
            known = self._db.row(
                "SELECT min(depth) AS depth, min(priority) AS priority FROM handed"
                " WHERE identity = ? HAVING count(*)",
                (identity,),
            )
            if known and known["depth"] <= depth and known["priority"] <= priority:
                return False
            last = self._db.value("SELECT max(number) FROM handed WHERE shard = ?", (shard,))
            self._db.execute(
                "INSERT INTO handed VALUES (?, ?, ?, ?, ?, ?)",
                (shard, max(last or 0, after) + 1, identity, depth, priority, line),
            )
        return known is None

    def lines(self, shard: int, *, after: int) -> list[tuple[int, str]]:
        """Return the next (number, line) for a shard behind the line `after`, some at a time."""
        rows = self._db.rows(
            "SELECT number, line FROM handed WHERE shard = ? AND number > ?"
            " ORDER BY number LIMIT ?",
            (shard, after, BATCH),
        )
        return [(row["number"], row["line"]) for row in rows]

    def position(self, shard: int) -> Position:
        """Return how far the file from a shard was read."""
        row = self._db.row("SELECT run, octets FROM received WHERE shard = ?", (shard,))
        return Position() if row is None else Position(row["run"], row["octets"])

    def positions(self) -> dict[int, Position]:
        """Return shard -> how far the file from it was read, for those of which any was."""
        rows = self._db.rows("SELECT shard, run, octets FROM received ORDER BY shard")
        return {row["shard"]: Position(row["run"], row["octets"]) for row in rows}

    def advance(self, shard: int, to: Position) -> None:
        """Keep how far the file from a shard has been read."""
        self._db.execute(
            "INSERT INTO received VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
            " SET run = excluded.run, octets = excluded.octets",
            (shard, to.run, to.octets),
        )
