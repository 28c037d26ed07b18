"""Cover: which answers to ask for again so that many records are seen with few requests.

Weighted set cover by the greedy rule (Chvatal 1979): again and again the answer that is expected to
show most changes a request among the records no chosen answer shows yet.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was read: the records it showed, what it costs in requests.

    `change_rate` is the share of its records expected to have changed.
    """

    submission: int
    records: frozenset[int]
    requests: float
    change_rate: float = 1.0


def cover(answers: Iterable[Answer], *, requests: float) -> list[Answer]:
    """Choose answers until every record is covered or `requests` would be exceeded, best first."""
    covered: set[int] = set()
    chosen: list[Answer] = []
    spent = 0.0
    heap = [(-_gain(answer, covered), answer.submission, answer) for answer in answers]
    heapq.heapify(heap)
    while heap:
        _, _, answer = heapq.heappop(heap)
        gain = _gain(answer, covered)
        if gain <= 0:
            continue
        if heap and -gain > heap[0][0]:  # its gain has shrunk: another one may be better now
            heapq.heappush(heap, (-gain, answer.submission, answer))
            continue
        if spent + answer.requests > requests:
            continue
        chosen.append(answer)
        covered |= answer.records
        spent += answer.requests
    return chosen


def _gain(answer: Answer, covered: set[int]) -> float:
    """Changes to expect for a request."""
    return answer.change_rate * len(answer.records - covered) / max(1.0, answer.requests)
