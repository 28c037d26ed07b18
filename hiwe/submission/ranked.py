"""Assignments best first, lazily, from the value sets of n elements (paper, section 3.3).

Values of one weight form a *level*; a vector of levels is a *cell*, and all assignments of a
cell rank alike. Under 'average' and 'probabilistic' a heap walks the cells; each is reached in
one way only, so no visited set is kept and the heap grows with what was taken, not with the
product. Under 'min', and for the probabilistic rank 1, the assignments of one rank are a few
*boxes* ('coordinate i is the first at this weight'), so no heap is needed.

Ties are broken for diversity: inside a box all coordinates move at once, so that the first
max(sizes) assignments show every value of every element; boxes of one rank take turns.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, lcm
from typing import Protocol, TypeVar, overload

from hiwe.submission.rank import DIGITS, RankFunction, loss, rank_of_loss

TURNS = 256  # boxes of one rank that take turns; more would only lengthen the wait for the first


class Weighted(Protocol):
    """Anything with a weight in 0..1: a value of a fuzzy value set, a binding."""

    @property
    def weight(self) -> float:
        """M_V(v), from 0 to 1."""


V = TypeVar("V", bound=Weighted)
Box = tuple[Sequence[int], ...]  # for each element the positions of its sorted values
# Loss, number of elements off their best level, which ones at what level, the last of them.
_Cell = tuple[int, int, tuple[tuple[int, int], ...], int]


def ranked(
    value_sets: Sequence[Sequence[V]], function: RankFunction, rho_min: float
) -> Iterator[tuple[float, tuple[V, ...]]]:
    """Every assignment whose rank is at least `rho_min`, as (rank, one value of each set).

    Ranks never rise; none comes twice; equal input gives the same order. An empty value set
    leaves nothing to assign. Values of one weight keep the order they have in their set.
    """
    if not value_sets or not all(value_sets):
        return
    sets = [sorted(values, key=lambda value: -value.weight) for values in value_sets]
    weights = [[round(value.weight, DIGITS) for value in values] for values in sets]
    boxes = _by_minimum(weights) if function == "min" else _by_sum(weights, function)
    for rank, tied in boxes:
        if rank < rho_min:
            return
        for positions in _take_turns(tied):
            yield rank, tuple(s[p] for s, p in zip(sets, positions, strict=True))


def diverse(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every index vector below `sizes` once; any max(sizes) first ones show every index.

    All indices step together (i mod size); when that cycle, of length lcm(sizes), closes, one
    of them starts one further. By the Chinese remainder theorem the cycles of all
    gcd(lcm so far, size) starts cover the product without overlap.
    """
    starts, cycle = [], 1
    for size in sizes:
        starts.append(range(gcd(cycle, size)))
        cycle = lcm(cycle, size)
    for offsets in product(*starts):
        pairs = list(zip(offsets, sizes, strict=True))
        for step in range(cycle):
            yield tuple((step + offset) % size for offset, size in pairs)


def _take_turns(boxes: Sequence[Box]) -> Iterator[tuple[int, ...]]:
    """The positions of all boxes, one from each in turn."""
    turns: deque[Iterator[tuple[int, ...]]] = deque()
    for box in boxes:
        if all(len(part) == 1 for part in box):
            yield tuple(part[0] for part in box)
        else:
            turns.append(_positions(box))
    while turns:
        current = turns.popleft()
        for positions in current:
            yield positions
            if turns:
                turns.append(current)
                break


def _positions(box: Box) -> Iterator[tuple[int, ...]]:
    for indices in diverse([len(part) for part in box]):
        yield tuple(part[i] for part, i in zip(box, indices, strict=True))


def _by_minimum(weights: list[list[float]]) -> Iterator[tuple[float, list[Box]]]:
    """For each weight, best first, the boxes of the assignments whose least weight it is."""
    ends = [0] * len(weights)  # values heavier than the present level
    for level in sorted({weight for values in weights for weight in values}, reverse=True):
        new_ends = [_end(v, level, e) for v, e in zip(weights, ends, strict=True)]
        yield level, _first_at_level(ends, new_ends)
        ends = new_ends


def _end(values: list[float], level: float, start: int) -> int:
    while start < len(values) and values[start] >= level:
        start += 1
    return start


def _first_at_level(before: list[int], after: list[int]) -> list[Box]:
    """Disjoint boxes of all vectors below `after` with one coordinate not below `before`.

    In box i the coordinates left of i are below `before` and i is not. Those right of i are
    free; they begin with their new values, which no box of a higher rank has shown.
    """
    boxes: list[Box] = []
    free = [
        _NewFirst(old, new) if 0 < old < new else range(new)
        for old, new in zip(before, after, strict=True)
    ]
    if not all(after):
        return boxes
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        if new > old:
            boxes.append((*map(range, before[:i]), range(old, new), *free[i + 1 :]))
        if old == 0:
            break
    return boxes


class _NewFirst(Sequence[int]):
    """Positions old..new-1 and then 0..old-1, without a list of them."""

    def __init__(self, old: int, new: int) -> None:
        self.old, self.new = old, new

    def __len__(self) -> int:
        return self.new

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.new))]
        fresh = self.new - self.old
        return self.old + index if index < fresh else index - fresh


def _by_sum(
    weights: list[list[float]], function: RankFunction
) -> Iterator[tuple[float, list[Box]]]:
    """Boxes of the ranks that come from a sum of losses; first the certain ones (M = 1)."""
    certain = [0] * len(weights)
    if function == "probabilistic":
        certain = [_end(values, 1.0, 0) for values in weights]
        sizes = [len(values) for values in weights]
        yield 1.0, _certain_boxes(certain, sizes)
        if any(c == s for c, s in zip(certain, sizes, strict=True)):
            return
    levels = [
        _Levels(values, start, function) for values, start in zip(weights, certain, strict=True)
    ]
    for total, cells in _tied_cells(levels):
        boxes: list[Box] = [
            tuple(e.parts[i] for e, i in zip(levels, cell, strict=True)) for cell in cells
        ]
        yield rank_of_loss(total, len(weights), function), boxes


def _certain_boxes(certain: list[int], sizes: list[int]) -> list[Box]:
    """Disjoint boxes of all vectors with a coordinate below `certain`, best values first."""
    boxes: list[Box] = []
    for i, end in enumerate(certain):
        left = [range(c, s) for c, s in zip(certain[:i], sizes[:i], strict=True)]
        box = (*left, range(end), *(range(size) for size in sizes[i + 1 :]))
        if all(len(part) for part in box):
            boxes.append(box)
    return boxes


class _Levels:
    """Levels of one element, best first: their losses and the positions of their values.

    They are found as they are asked for: most of a long value set is never reached.
    """

    def __init__(self, values: list[float], start: int, function: RankFunction) -> None:
        self.values, self.function, self.end = values, function, start
        self.losses: list[int] = []
        self.parts: list[range] = []
        self.reach(1)

    def reach(self, level: int) -> bool:
        """Whether there is a level of this number (0 is the best)."""
        while len(self.losses) <= level and self.end < len(self.values):
            weight, start = self.values[self.end], self.end
            self.end = _end(self.values, weight, start)
            self.losses.append(loss(weight, self.function))
            self.parts.append(range(start, self.end))
        return level < len(self.losses)

    @property
    def gap(self) -> int:
        """What the second level loses more than the first (there must be two)."""
        return self.losses[1] - self.losses[0]


def _tied_cells(elements: list[_Levels]) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Cells by increasing loss, those of one loss together (at most TURNS at a time).

    Elements are taken in the order of what their second level loses more than their first; a
    cell is then reached from one cell only, by one of three steps that never lower the loss:
    one level further in the last element moved, the next element moved too, or the next one
    moved in its place (when it had moved one level).
    """
    movable = [i for i, element in enumerate(elements) if element.reach(1)]
    order = sorted(movable, key=lambda i: (elements[i].gap, i))
    steps = [elements[i] for i in order]
    heap: list[_Cell] = [(sum(e.losses[0] for e in elements), 0, (), -1)]
    while heap:
        total = heap[0][0]
        tied: list[tuple[int, ...]] = []
        while heap and heap[0][0] == total and len(tied) < TURNS:
            cell = heapq.heappop(heap)
            levels = [0] * len(elements)
            for place, level in cell[2]:
                levels[order[place]] = level
            tied.append(tuple(levels))
            for successor in _successors(cell, steps):
                heapq.heappush(heap, successor)
        yield total, tied


def _successors(cell: _Cell, steps: list[_Levels]) -> Iterator[_Cell]:
    total, moved, levels, last = cell
    level = levels[-1][1] if levels else 0
    if levels and steps[last].reach(level + 1):
        further = total + steps[last].losses[level + 1] - steps[last].losses[level]
        yield further, moved, (*levels[:-1], (last, level + 1)), last
    following = last + 1
    if following == len(steps):
        return
    gap = steps[following].gap
    yield total + gap, moved + 1, (*levels, (following, 1)), following
    if level == 1:
        yield total + gap - steps[last].gap, moved, (*levels[:-1], (following, 1)), following
