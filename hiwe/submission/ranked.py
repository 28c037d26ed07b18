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
from functools import cached_property
from itertools import cycle, islice, product
from math import gcd, lcm
from operator import getitem, itemgetter
from typing import Protocol, TypeVar, overload

from hiwe.submission.rank import DIGITS, RankFunction, loss, rank_of_loss

TURNS = 256  # boxes of one rank that take turns; more would only lengthen the wait for the first
SHORT_CYCLE = 64  # steps of a cycle that is written out once instead of walked each time


class Weighted(Protocol):
    """Anything with a weight in 0..1: a value of a fuzzy value set, a binding."""

    @property
    def weight(self) -> float:
        """M_V(v), from 0 to 1."""


T = TypeVar("T")
V = TypeVar("V", bound=Weighted)
_FIRST = itemgetter(0)
Box = tuple[Sequence[int], ...]  # for each element the positions of its sorted values
_Moves = tuple[tuple[int, int], ...]  # elements off their best level, and their level
_Cell = tuple[int, int, _Moves, int]  # loss, number of moves, moves, the last element moved


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
            yield rank, tuple(map(getitem, sets, positions))


def diverse(parts: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """Every combination of the parts once; the first max(len) of them show every member.

    All parts step together, each from its start again when it ends; when that cycle, of length
    lcm(lengths), closes, one of them begins one further. By the Chinese remainder theorem the
    cycles of all gcd(lcm so far, length) beginnings cover the product without overlap.
    """
    beginnings, length = [], 1
    for part in parts:
        beginnings.append(range(gcd(length, len(part))))
        length = lcm(length, len(part))
    if length <= SHORT_CYCLE:
        turned = [
            [tuple(islice(cycle(part), o, o + length)) for o in offsets]
            for part, offsets in zip(parts, beginnings, strict=True)
        ]
        for rows in product(*turned):
            yield from zip(*rows, strict=True)
        return
    for offsets in product(*beginnings):
        steps = [islice(cycle(part), o, None) for part, o in zip(parts, offsets, strict=True)]
        yield from islice(zip(*steps, strict=False), length)


def _take_turns(boxes: Sequence[Box]) -> Iterator[tuple[int, ...]]:
    """The positions of all boxes, one from each in turn."""
    turns: deque[Iterator[tuple[int, ...]]] = deque()
    for box in boxes:
        if max(map(len, box)) == 1:
            yield tuple(map(_FIRST, box))
        else:
            turns.append(diverse(box))
    while len(turns) > 1:
        current = turns.popleft()
        for positions in current:
            yield positions
            turns.append(current)
            break
    if turns:
        yield from turns[0]


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
        _Rotated(0, new, old) if 0 < old < new else range(new)
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


class _Rotated(Sequence[int]):
    """Positions start..stop-1, those from `first` on before the others; no list of them."""

    def __init__(self, start: int, stop: int, first: int) -> None:
        self.start, self.stop, self.first = start, stop, first

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[int]:
        yield from range(self.first, self.stop)
        yield from range(self.start, self.first)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        return [*self][index]


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
    best: list[Sequence[int]] = [element.parts[0] for element in levels]
    for total, cells in _tied_cells(levels):
        boxes: list[Box] = []
        for cell in cells:
            box = best.copy()
            for element, level in cell:
                box[element] = levels[element].parts[level]
            boxes.append(tuple(box))
        yield rank_of_loss(total, len(weights), function), boxes


def _certain_boxes(certain: list[int], sizes: list[int]) -> list[Box]:
    """Disjoint boxes of all vectors with a coordinate below `certain`.

    In box i that coordinate is i, and those left of it are not below. The boxes take turns, so
    each begins elsewhere in what is free: together they show more values.
    """
    boxes: list[Box] = []
    for i, end in enumerate(certain):
        left = [_turned(c, s, i, len(sizes)) for c, s in zip(certain[:i], sizes[:i], strict=True)]
        right = [_turned(0, size, i, len(sizes)) for size in sizes[i + 1 :]]
        box = (*left, range(end), *right)
        if all(map(len, box)):
            boxes.append(box)
    return boxes


def _turned(start: int, stop: int, turn: int, turns: int) -> Sequence[int]:
    return _Rotated(start, stop, start + (stop - start) * turn // turns)


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

    @cached_property
    def gap(self) -> int:
        """What the second level loses more than the first (there must be two)."""
        return self.losses[1] - self.losses[0]


def _tied_cells(elements: list[_Levels]) -> Iterator[tuple[int, list[_Moves]]]:
    """Cells by increasing loss, those of one loss together (at most TURNS at a time).

    A cell is given by the elements that are off their best level, each with its level.

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
        tied: list[_Moves] = []
        while heap and heap[0][0] == total and len(tied) < TURNS:
            cell = heapq.heappop(heap)
            tied.append(tuple([(order[place], level) for place, level in cell[2]]))
            for successor in _successors(cell, steps):
                heapq.heappush(heap, successor)
        yield total, tied


def _successors(cell: _Cell, steps: list[_Levels]) -> list[_Cell]:
    total, moved, moves, last = cell
    found: list[_Cell] = []
    level = 0
    if moves:
        level = moves[-1][1]
        present = steps[last]
        if level + 1 < len(present.losses) or present.reach(level + 1):
            further = total + present.losses[level + 1] - present.losses[level]
            found.append((further, moved, (*moves[:-1], (last, level + 1)), last))
    following = last + 1
    if following < len(steps):
        more = total + steps[following].gap
        found.append((more, moved + 1, (*moves, (following, 1)), following))
        if level == 1:
            swapped = more - steps[last].gap
            found.append((swapped, moved, (*moves[:-1], (following, 1)), following))
    return found
