"""Assistance: what a person corrects is taken into the crawl, from the next action on.

`assist.yaml` is looked at once a second. What differs from the corrections in force is taken up:
rows join the table, sites are left alone or go on, and forms about which something else is said are
decided and planned anew, unless something of them is under way: then as soon as it has ended. The
run's database keeps what is in force, so that a resumed run takes up what changed in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.action import ANSWERED_KINDS
from hiwe.crawl.file_watch import FileWatch
from hiwe.crawl.learned import ASSIST_KEY
from hiwe.errors import ConfigError
from hiwe.form.corrected import SAID_SO
from hiwe.task.assist import Assist, read_assist
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.form_desk import FormDesk
    from hiwe.crawl.learning import Learning
    from hiwe.crawl.stores import Stores

APPLIED = "assist_applied"  # of the run: the corrections that are in force


class Assistance:
    """Keeps the crawl in step with a person's corrections."""

    def __init__(
        self,
        file: Path,
        stores: Stores,
        desk: FormDesk,
        dispatch: Dispatch,
        learning: Learning,
        clock: Callable[[], float],
    ) -> None:
        self._stores = stores
        self._desk = desk
        self._dispatch = dispatch
        self._learning = learning
        self._clock = clock
        self._watch = FileWatch(file, clock)
        self._assist = Assist()
        self._touched: set[str] = set()  # rows that were added while nobody crawled
        self._pending: set[int] = set()  # forms to be decided anew

    def prepare(self) -> None:
        """Before the forms are restored: rows join the table, forms are read as they were last.

        ConfigError if the file holds what it cannot.
        """
        self._stores.run.set(ASSIST_KEY, str(self._watch.path))
        self._assist = read_assist(self._watch.path)
        before = Assist.model_validate(self._stores.run.get(APPLIED, {}))
        self._desk.reader.assist = before
        self._touched = self._add_rows(before, log=False)

    def begin(self) -> None:
        """After the forms are restored: take up what was corrected while nobody crawled."""
        self._put_in_force(self._touched)

    def _add_rows(self, before: Assist, *, log: bool) -> set[str]:
        """Add all rows to the table; labels of the rows that have another content than before."""
        known = [row for row in self._assist.rows if row in before.rows]
        new = [row for row in self._assist.rows if row not in before.rows]
        self._learning.add_rows_of_person(known, at=self._clock(), log=False)
        return self._learning.add_rows_of_person(new, at=self._clock(), log=log)

    def look(self) -> None:
        """Take up what has changed; a file that cannot be read changes nothing, and is told of."""
        if not self._watch.has_changed():
            return
        try:
            found = read_assist(self._watch.path)
        except ConfigError as exc:
            self._stores.run.add_event("assist", str(exc), level="warning")
            return
        if found != self._assist:
            with self._stores.db.atomic():
                self.take(found)

    def take(self, assist: Assist) -> None:
        """Take corrections up that differ from those in force."""
        before, self._assist = self._assist, assist
        self._put_in_force(self._add_rows(before, log=True))

    def _put_in_force(self, touched: set[str]) -> None:
        """Let the corrections hold; `touched` are the labels of rows that have new values."""
        assist = self._assist
        before, self._desk.reader.assist = self._desk.reader.assist, assist
        for key in self._dispatch.sites:
            skip = assist.site(key).skip
            if skip:
                self._dispatch.stop_site(key, SAID_SO)
            elif before.site(key).skip:
                self._dispatch.resume_site(key)
        concerned = self._desk.reader.concerned(before, touched)
        self._pending |= concerned
        if before != assist:
            told = f"{count(len(concerned), 'form')} to be looked at anew"
            self._stores.run.add_event("assist", f"a person's corrections: {told}")
        self.catch_up()

    def catch_up(self) -> None:
        """Decide anew about the forms of which nothing is under way any more."""
        in_flight = self._dispatch.in_flight.values()
        busy = {row.payload["form"] for row in in_flight if row.kind in ANSWERED_KINDS}
        for form in sorted(self._pending - busy):
            self._desk.reconsider(form)
            self._pending.discard(form)
        if not self._pending:
            self._stores.run.set(APPLIED, self._assist.written())

    @property
    def is_behind(self) -> bool:
        """Whether forms wait to be decided anew."""
        return bool(self._pending)
