"""Neighbours: the other shards of a task, to whom links to their hosts are handed over.

How that goes, and when all is over, is told in `handover.py`.
"""

from __future__ import annotations

import json
import os
import socket
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hiwe.crawl.action import NewAction
from hiwe.crawl.handover import HandedFile, Mark, read_mark, write_mark
from hiwe.errors import RunError
from hiwe.repository.handed import Handed, Position
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiwe.crawl.handover import State
    from hiwe.crawl.shard import Shard, Territory
    from hiwe.crawl.stores import Stores

    Admit = Callable[[NewAction], bool]

SHARD_KEY = "shard"  # of the run's values: which shard it is
WAIT_S = 30.0  # how long one that has nothing left waits for others that are not at work
SILENCE_S = 60.0  # a shard of another machine that has said nothing for so long is gone
LOOK_S = 1.0  # between two looks at what the others have handed over
LOOK_IDLE_S = 0.2  # with up to MANY shards
MANY = 10
EVENT = "shard"


class Neighbours:
    """Those of a run that is the whole task: there are none."""

    look_s = LOOK_S  # until the next look

    def owns(self, url: str) -> bool:
        """Whether an address is to be asked for here."""
        return True

    def hand_over(self, action: NewAction) -> bool:
        """Give an action to the shard that its address belongs to; whether it is new to it."""
        raise AssertionError("all addresses are ours")

    def look(self, admit: Admit) -> None:
        """Send what was found for others, take in what they found for us, now and then."""

    def is_over(self, admit: Admit) -> bool:
        """Whether nothing can come any more, now that nothing is left to do here."""
        return True

    def leave(self) -> None:
        """Say that this process works no longer."""


class Shards(Neighbours):
    """The neighbours of one shard. `folder` is where the files lie, seen by all shards."""

    def __init__(
        self,
        territory: Territory,
        folder: Path,
        stores: Stores,
        *,
        wait_s: float = WAIT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to be at work. RunError where the folder cannot be written or read."""
        self._territory, self._shard = territory, territory.shard
        self._folder, self._stores = folder, stores
        self._handed = Handed(stores.db)
        self._wait_s, self._clock = wait_s, clock
        self._run = name_run(stores, self._shard, folder)
        self._looked_at = -LOOK_S
        self._idle_since: float | None = None
        self._rested_at = 0.0
        self._waited = False  # a person was told so
        self._beats: dict[int, tuple[float, float]] = {}  # shard -> its beat, when it was seen
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise RunError(folder, f"cannot be made: {exc.strerror or exc}") from exc
        self._written = {other: self._to(other).mend(self._run) for other in self._shard.others}
        self._unsent = set(self._written)
        self._mark("busy")

    def _to(self, other: int) -> HandedFile:
        return HandedFile(self._folder, self._shard.number, other)

    def owns(self, url: str) -> bool:
        """Whether an address is to be asked for here."""
        return self._territory.owns(url)

    def hand_over(self, action: NewAction) -> bool:
        """Give an action to the shard that its address belongs to; whether it is new to it."""
        other = self._territory.home(action.url)
        self._unsent.add(other)
        return self._handed.add(
            other,
            json.dumps(plain_action(action), ensure_ascii=False),
            identity=action.key(),
            depth=action.depth,
            priority=int(action.priority),
            after=self._written[other],
        )

    @property
    def look_s(self) -> float:  # type: ignore[override]
        """Seconds until the next look."""
        idle_s = LOOK_IDLE_S * max(1.0, self._shard.of / MANY)  # a look costs by their square
        return LOOK_S if self._idle_since is None else idle_s

    def look(self, admit: Admit) -> None:
        """Send what was found for others, take in what they found for us, now and then."""
        self._idle_since = None
        if self._clock() - self._looked_at >= LOOK_S:
            self._exchange(admit)
            self._mark("busy")

    def _exchange(self, admit: Admit) -> bool:
        """Send and take in; whether anything came. To be called outside a transaction."""
        self._looked_at = self._clock()
        self._send()
        return sum(self._take_from(other, admit) for other in self._shard.others) > 0

    def _send(self) -> None:
        """Copy what is new into the files."""
        for other in sorted(self._unsent):
            while lines := self._handed.lines(other, after=self._written[other]):
                self._to(other).append(
                    f'{{"number": {number}, {line[1:]}' for number, line in lines
                )
                self._written[other] = lines[-1][0]
        self._unsent.clear()

    def _take_from(self, other: int, admit: Admit) -> bool:
        """Take in what has come from a shard; whether there was any."""
        file, at = HandedFile(self._folder, other, self._shard.number), self._handed.position(other)
        came = new = 0
        while file.has_more(at):
            at, lines = file.read(at)
            came += len(lines)
            with self._stores.db.atomic():
                new += sum(admit(action_of(line, file)) for line in lines)
                self._handed.advance(other, at)
        if new:
            self._tell(f"{count(new, 'link')} from shard {other}/{self._shard.of}")
        return came > 0

    def is_over(self, admit: Admit) -> bool:
        """Whether nothing can come any more, now that nothing is left to do here.

        Time that is spent waiting is no time worked.
        """
        if self._exchange(admit):
            self._idle_since = None
            return False
        now = self._clock()
        if self._idle_since is None:
            self._idle_since = self._rested_at = now
            if not self._waited and self._shard.others:
                self._tell("nothing is left here; links from other shards may come")
            self._waited = True
        self._stores.run.rest(now - self._rested_at)
        self._rested_at = now
        self._mark("idle")
        return self._all_rest(waited_s=now - self._idle_since)

    def _all_rest(self, *, waited_s: float) -> bool:
        """Whether all that are at work are idle, and those that are not were waited for."""
        marks = {other: read_mark(self._folder, other) for other in self._shard.others}
        at_work = {n: mark for n, mark in marks.items() if mark and self._is_at_work(n, mark)}
        if any(mark.state != "idle" for mark in at_work.values()):
            return False
        at_work[self._shard.number] = self._own_mark("idle")
        if any(self._has_more(reader, mark) for reader, mark in at_work.items()):
            return False
        away = {n: mark for n, mark in marks.items() if n not in at_work}
        return waited_s >= self._wait_s or not any(self._may_come(n, m) for n, m in away.items())

    def _has_more(self, reader: int, mark: Mark) -> bool:
        """Whether more was handed over to a shard than it says that it has read."""
        return any(
            HandedFile(self._folder, sender, reader).has_more(mark.read.get(sender, Position()))
            for sender in replace(self._shard, number=reader).others
        )

    def _may_come(self, other: int, mark: Mark | None) -> bool:
        """Whether a shard that is not at work is expected: it was killed, or has work."""
        return mark is None or not mark.has_ended or self._has_more(other, mark)

    def _is_at_work(self, other: int, mark: Mark) -> bool:
        """Whether a shard is at work, by what is to be seen from here."""
        now = self._clock()
        beat, seen_at = self._beats.get(other, (mark.beat, now))
        self._beats[other] = (mark.beat, seen_at if beat == mark.beat else now)
        return not mark.is_gone() and now - self._beats[other][1] < SILENCE_S

    def _own_mark(self, state: State) -> Mark:
        return Mark(
            self._run, state, time.time(), socket.gethostname(), os.getpid(),
            self._handed.positions(),
        )  # fmt: skip

    def _mark(self, state: State) -> None:
        write_mark(self._folder, self._shard.number, self._own_mark(state))

    def leave(self) -> None:
        """Say that this process works no longer, and for whom links wait that nobody takes."""
        self._send()
        self._mark("ended")
        for other in self._shard.others:
            mark = read_mark(self._folder, other)
            if mark is None or not self._is_at_work(other, mark):
                self._tell_of(other, mark)

    def _tell_of(self, other: int, mark: Mark | None) -> None:
        """Say how many links wait for a shard that is not at work."""
        waiting = waiting_for(self._folder, replace(self._shard, number=other), mark)
        if waiting:
            self._tell(
                f"{count(waiting, 'link')} for shard {other}/{self._shard.of}, which is not at"
                f" work; start it with --shard {other}/{self._shard.of}",
                level="warning",
            )

    def _tell(self, text: str, *, level: str = "info") -> None:
        self._stores.run.add_event(EVENT, text, level=level)


def name_run(stores: Stores, shard: Shard, folder: Path) -> str:
    """Return what tells this run from one before it in its place (`--fresh`).

    The run keeps it, with the shard that it is and where the files between shards lie.
    """
    kept = stores.run.get(SHARD_KEY) or {}
    name = str(kept.get("run") or uuid4().hex)
    place = {"number": shard.number, "of": shard.of, "run": name, "handed": str(folder)}
    stores.run.set(SHARD_KEY, place)
    return name


def waiting_for(folder: Path, shard: Shard, mark: Mark | None) -> int:
    """Return how many links lie in the folder that a shard has not taken in."""
    waiting = 0
    for sender in shard.others:
        file = HandedFile(folder, sender, shard.number)
        at = mark.read.get(sender, Position()) if mark else Position()
        while file.has_more(at):
            at, lines = file.read(at)
            waiting += len(lines)
    return waiting


def plain_action(action: NewAction) -> dict[str, Any]:
    """Return an action as JSON values; what only its own run knows is left out."""
    return {
        "kind": action.kind,
        "site": action.site,
        "url": action.url,
        "depth": action.depth,
        "priority": int(action.priority),
        "score": action.score,
        "gain": action.gain,
        "anchor": action.anchor,
        "payload": dict(action.payload),
        "identity": action.identity,
    }


def action_of(line: dict[str, Any], file: HandedFile) -> NewAction:
    """Return the action that a line of a file tells; RunError if it tells none."""
    try:
        return NewAction(**{name: value for name, value in line.items() if name != "number"})
    except TypeError as exc:
        raise RunError(file.path, f"holds what is no link ({exc}); take it away") from exc
