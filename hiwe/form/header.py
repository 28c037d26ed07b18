"""Column heads that serve every row of a grid of fields, not its first row alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.label import Label
    from hiwe.form.slot import Slot

SHARING = frozenset({"layout", "header"})


def share_heads(slots: Sequence[Slot], labels: list[Label | None]) -> None:
    """Give slots without words of their own the head that a slot above them in the column has.

    Only between rows with slots in several columns, one in each: a field under another in a plain
    column is its second line.
    """
    grid = _grid(slots)
    for i, slot in enumerate(slots):
        if not slot.visible or _has_words(labels[i]) or not _in_grid(slot, grid):
            continue
        above = [
            j for j in range(i) if _in_grid(slots[j], grid) and _heads(slots[j], labels[j], slot)
        ]
        if above:
            labels[i] = labels[max(above, key=lambda j: slots[j].box.y)]


def _grid(slots: Sequence[Slot]) -> dict[tuple[str, int, int], Counter[int]]:
    """Kind, table and row -> how many slots stand in each column."""
    found: dict[tuple[str, int, int], Counter[int]] = {}
    for slot in slots:
        cell = slot.first.cell
        if cell and slot.visible:
            found.setdefault((slot.kind, cell[0], cell[1]), Counter())[cell[2]] += 1
    return found


def _in_grid(slot: Slot, grid: dict[tuple[str, int, int], Counter[int]]) -> bool:
    """Alone in its cell, beside others of its kind."""
    cell = slot.first.cell
    if cell is None or slot.kind == "group":
        return False
    row = grid.get((slot.kind, cell[0], cell[1]), Counter())
    return len(row) > 1 and row[cell[2]] == 1


def _has_words(label: Label | None) -> bool:
    return label is not None and any(c.isalpha() for c in label.text)


def _heads(other: Slot, label: Label | None, slot: Slot) -> bool:
    """Does `other` stand in the same column above `slot`, with its label above it?"""
    one, mine = other.first.cell, slot.first.cell
    if not one or not mine or other.kind != slot.kind or one[0] != mine[0]:
        return False
    if one[2] != mine[2] or one[1] >= mine[1] or label is None or label.source not in SHARING:
        return False
    return label.box is not None and label.box.y + label.box.h <= other.box.y + 2
