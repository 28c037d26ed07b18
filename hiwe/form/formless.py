"""Formless groups: controls outside any form element, and the trigger that acts with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.element import BUTTON_KINDS, NO_FIELD
from hiwe.form.words import name_speaks_of, speaks_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.form.sight import Sight
    from hiwe.page.page import Control

LARGEST = 60  # a container with more fields is the page, not a form
TYPED = frozenset({"text", "search", "number", "contenteditable", "combobox"})


def formless_groups(sight: Sight) -> tuple[list[tuple[Control, ...]], tuple[Control, ...]]:
    """Groups of ownerless controls that act together, and the fields that belong to none."""
    loose = [c for c in sight.page.controls if c.form is None]
    fields = [c for c in loose if c.kind not in NO_FIELD]
    triggers = [c for c in loose if c.kind in BUTTON_KINDS and _may_trigger(c)]
    if not fields:
        return [], ()
    over_trigger = {node for t in triggers for node in sight.ancestors(t.node)}
    count = _count_over(fields, sight)
    groups: dict[int, list[Control]] = {}
    alone: list[Control] = []
    for field in fields:
        node = _container(field, over_trigger, count, sight)
        if node is None:
            alone.append(field)
        else:
            groups.setdefault(node, []).append(field)
    found: list[tuple[Control, ...]] = []
    for node, members in groups.items():
        own = _triggers_in(node, groups, triggers, sight)
        if own:
            found.append(tuple(sorted([*members, *own], key=lambda c: c.order)))
        else:  # the trigger above it acts with a group further in
            alone += members
    self_acting = [c for c in alone if _acts_alone(c)]
    found += [(c,) for c in self_acting]
    return found, tuple(c for c in alone if c not in self_acting)


def _may_trigger(control: Control) -> bool:
    text = control.text or control.aria_label
    return control.visible and not speaks_of("reset", text)


def _count_over(fields: Iterable[Control], sight: Sight) -> dict[int, int]:
    count: dict[int, int] = {}
    for field in fields:
        for node in sight.ancestors(field.node):
            count[node] = count.get(node, 0) + 1
    return count


def _container(
    field: Control, over_trigger: set[int], count: dict[int, int], sight: Sight
) -> int | None:
    """The innermost node over a field that holds a trigger too, None when it holds too much."""
    for node in sight.ancestors(field.node):
        if node in over_trigger:
            return node if count[node] <= LARGEST else None
    return None


def _triggers_in(
    node: int, groups: dict[int, list[Control]], triggers: Iterable[Control], sight: Sight
) -> list[Control]:
    """The triggers whose innermost group container is this one."""
    found = []
    for trigger in triggers:
        first = next((n for n in sight.ancestors(trigger.node) if n in groups), None)
        if first == node:
            found.append(trigger)
    return found


def _acts_alone(control: Control) -> bool:
    """A search box that Enter sends, a list that acts when it changes."""
    if control.kind == "select":
        return bool(control.on_change)
    said = f"{control.placeholder} {control.aria_label} {control.title}"
    speaks = speaks_of("search", said) or name_speaks_of("search", f"{control.name} {control.id}")
    return control.kind == "search" or (control.kind in TYPED and speaks)
