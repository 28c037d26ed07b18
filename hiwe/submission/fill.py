"""Fill a form in the live page: set the items, wait for dependent ones, read all back."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hiwe.page.channel import Moved
from hiwe.submission.script import CARRY_JS, FOCUS_JS, LEAVE_JS
from hiwe.submission.submission import Fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.form import Form
    from hiwe.page.browser import Tab
    from hiwe.page.settle import Mark
    from hiwe.submission.item import Item

CHILD_S = 5.0  # a dependent element is ready within this time after its parent was set
RETRY_S = 0.1
WAITING = frozenset({"disabled", "empty", "gone"})  # what a parent's choice may still mend
KEYED = frozenset({"text", "search", "textarea", "email", "tel", "url", "number"})
LONGEST_TYPED = 200


@dataclass(frozen=True, slots=True)
class Filled:
    """A form as it stands before the press.

    `why` says why the browser itself would refuse to send it ('' when it would send). `aim` is
    where the submitter lies (None when there is none), `mark` how things stood.
    """

    fills: tuple[Fill, ...]
    why: str
    aim: dict[str, Any] | None
    mark: Mark

    @property
    def fault(self) -> str:
        """What did not take, and its value; '' when everything did."""
        bad = next((f for f in self.fills if not f.ok), None)
        if bad is None:
            return ""
        return f"{'no_option' if bad.note == 'empty' else bad.note}: {bad.wanted}"


class Filler:
    """Sets the items of one form in the page that a tab shows."""

    def __init__(self, tab: Tab, form: Form, timeout_s: float) -> None:
        """`form` is the form as found in this very page."""
        self._tab = tab
        self._until = time.monotonic() + min(timeout_s, CHILD_S)
        self._controls = [c for element in form.elements for c in element.controls]
        self._submitter = form.submitters[0].control if form.submitters else -1
        self._done: dict[int, Fill] = {}
        self._hops = len(tab.traffic.recorder.hops)

    async def fill(self, levels: Sequence[Sequence[Item]]) -> Filled:
        """Set `levels` in order, waiting between them for what a parent does to its children.

        Moved when the page goes away meanwhile: a change handler sent the form.
        """
        everything = [item for level in levels for item in level]
        filled = await self._carry(levels[0])
        for level in levels[1:]:
            await self._settle(filled)
            filled = await self._carry_when_ready(level)
        filled = await self._mend(everything, filled)
        if self._awaits_data:
            await self._settle(filled)
            filled = await self._carry(everything, read=True)
            if filled.fault:
                filled = await self._carry_when_ready(self._wrong(everything))
        return filled

    @property
    def reached(self) -> frozenset[int]:
        """The elements that were set, or tried, before the page was left."""
        return frozenset(self._done)

    @property
    def _awaits_data(self) -> bool:
        """A choice made the page ask for something that has not come yet."""
        kinds = frozenset({"xhr", "fetch", "script"})
        return bool(self._tab.traffic.recorder.pending(kinds, since=self._hops))

    @property
    def _left_s(self) -> float:
        return max(0.2, self._until - time.monotonic())

    async def _settle(self, filled: Filled) -> None:
        since = replace(filled.mark, hops=self._hops)
        await self._tab.settle(since, timeout_s=self._left_s)

    def _wrong(self, items: Sequence[Item]) -> list[Item]:
        return [item for item in items if not self._done[item.element].ok]

    async def _carry_when_ready(self, items: Sequence[Item]) -> Filled:
        """Set `items`, again and again while one is not ready yet."""
        filled = await self._carry(items)
        while time.monotonic() < self._until:
            waiting = [i for i in items if self._done[i.element].note in WAITING]
            if not waiting:
                break
            await self._tab.traffic.wait(RETRY_S)
            filled = await self._carry(waiting)
        return filled

    async def _mend(self, items: Sequence[Item], filled: Filled) -> Filled:
        """Second tries: later for what an earlier choice readies, key by key for stubborn boxes."""
        if any(f.note in WAITING for f in self._done.values()) and len(items) > 1:
            filled = await self._carry_when_ready(self._wrong(items))
        typed = [i for i in items if self._done[i.element].note == "not_taken" and is_keyed(i)]
        for item in typed:
            if await self._tab.call(FOCUS_JS, item.controls[0]):
                await self._tab.pointer.type(item.values[0][0])
                await self._tab.call(LEAVE_JS, item.controls[0])
                filled = await self._carry([item], read=True)
        return filled

    async def _carry(self, items: Sequence[Item], *, read: bool = False) -> Filled:
        """Set (or only read) `items` in one call of the page, ready to press if all took."""
        rows = [item.to_json() for item in items]
        text = await self._tab.call(CARRY_JS, rows, read, self._controls, self._submitter)
        answer = json.loads(text)
        if answer is None:
            raise Moved("the page was left while it was filled")
        for item, row in zip(items, answer["rows"], strict=True):
            how = row["how"] or (self._done[item.element].note if read else "")
            self._done[item.element] = _fill(item, row, how)
        mark = self._tab.mark_at(answer["status"])
        return Filled(tuple(self._done.values()), answer["why"], answer["aim"], mark)


def is_keyed(item: Item) -> bool:
    """Whether a person could type the value on a keyboard."""
    return item.kind in KEYED and len(item.values[0][0]) <= LONGEST_TYPED


def _fill(item: Item, row: dict[str, Any], how: str) -> Fill:
    wanted = "\n".join(label for label, _, _ in item.values)
    wrong = row["wrong"]
    return Fill(item.element, wanted, row["held"], not wrong, wrong or how)
