"""How the corpora are scored: strict equality of labels, mean over pages, F1 of a decision."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_TAIL = re.compile(r"(\(required\)|[:：*?])$")


def normal(text: str) -> str:
    """Case folded, white space collapsed, closing ':', '*', '?' and '(required)' cut off."""
    text = " ".join(text.casefold().split())
    while (shorter := _TAIL.sub("", text).rstrip()) != text:
        text = shorter
    return text


def is_strict_hit(gold: str, given: str) -> bool:
    """Are the two labels equal once normalised? (The corpus's strict figure.)"""
    return normal(gold) == normal(given)


def by_page(hits: Iterable[tuple[str, bool]]) -> float:
    """Mean over pages of the share of hits on a page, from (page, hit) pairs; 0 for none."""
    pages: dict[str, list[bool]] = {}
    for page, hit in hits:
        pages.setdefault(page, []).append(hit)
    shares = [sum(found) / len(found) for found in pages.values()]
    return sum(shares) / len(shares) if shares else 0.0


def share(hits: Iterable[tuple[str, bool]]) -> float:
    """Share of hits over all rows; 0 for none."""
    found = [hit for _, hit in hits]
    return sum(found) / len(found) if found else 0.0


def precision_recall_f1(pairs: Iterable[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Of (truth, decision) pairs."""
    pairs = list(pairs)
    right = sum(truth and said for truth, said in pairs)
    said_so = sum(said for _, said in pairs)
    true = sum(truth for truth, _ in pairs)
    precision, recall = right / max(said_so, 1), right / max(true, 1)
    return precision, recall, 2 * right / max(said_so + true, 1)
