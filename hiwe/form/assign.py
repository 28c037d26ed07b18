"""Least total cost assignment: give each slot at most one text, each text to at most one slot.

Successive shortest paths with potentials on the sparse graph slot -> candidate text (Edmonds and
Karp 1972; Tomizawa 1971). Every slot may also stay without a text, at a price of its own.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def assign(costs: Sequence[Mapping[int, float]], without: Sequence[float]) -> list[int | None]:
    """Return for each slot the text it gets, None where staying without is cheaper.

    `costs[slot][text]` is what it costs to give `text` to `slot` (>= 0); texts that a slot does
    not list cannot be given to it. `without[slot]` is the price of no text.
    """
    # a slot's 'no text' is a text of its own with a negative number
    graph = [{**given, -1 - slot: without[slot]} for slot, given in enumerate(costs)]
    holder: dict[int, int] = {}
    held: list[int] = [0] * len(graph)
    price: dict[int, float] = {}
    for slot in range(len(graph)):
        _augment(slot, graph, holder, held, price)
    return [text if text >= 0 else None for text in held]


def _augment(
    start: int,
    graph: list[dict[int, float]],
    holder: dict[int, int],
    held: list[int],
    price: dict[int, float],
) -> None:
    """Place one more slot by the cheapest chain of exchanges (Dijkstra on reduced costs)."""
    distance: dict[int, float] = {}
    came_from: dict[int, int] = {}
    done: dict[int, float] = {}
    queue: list[tuple[float, int]] = []
    slot, so_far = start, 0.0
    while True:
        base = 0.0 if slot == start else graph[slot][held[slot]] - price.get(held[slot], 0.0)
        for text, cost in graph[slot].items():
            reached = so_far + cost - price.get(text, 0.0) - base
            if text not in done and reached < distance.get(text, float("inf")) - 1e-9:
                distance[text], came_from[text] = reached, slot
                heapq.heappush(queue, (reached, text))
        so_far, text = heapq.heappop(queue)
        while text in done:
            so_far, text = heapq.heappop(queue)
        done[text] = so_far
        if text not in holder:
            break
        slot = holder[text]
    for seen, reached in done.items():
        price[seen] = price.get(seen, 0.0) - (so_far - reached)
    while True:
        slot = came_from[text]
        previous = held[slot]
        holder[text], held[slot] = slot, text
        if slot == start:
            return
        text = previous
