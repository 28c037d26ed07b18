"""How large a hidden database is, from how often its records were found again.

A capture is the set of record keys that one submission brought. Captures by values of one element
hardly overlap (a film has one director), so that only captures by *different* elements are
independent of each other: what share of the records found by genre was found by director too? That
is Lincoln and Petersen's estimate (Chapman 1951), with each capture a cluster. Captures by words of
one keyword box do overlap; for them there is Chao's estimate from records seen once and twice
(Chao 1987).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Z95 = 1.96  # standard normal quantile of a two-sided 95 % interval
DEPENDENCE = 1.3  # widens a spread: elements are never quite independent
LEAST_CAPTURES = 3  # of one element, for its spread to be known
LEAST_AGAIN = 5  # records found by both of two elements
LEAST_TWICE = 0.1  # records seen twice for each seen once, where captures of one element overlap

Capture = frozenset[str]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Records seen, and how many there are in all, with a 95 % interval.

    `method` is 'total' (the site says so), 'recapture' (captures by different elements), 'chao2'
    (captures that overlap) or 'none' (too little is known: `estimated` is what was seen and
    `high` is infinite).
    """

    observed: int
    estimated: float
    low: float
    high: float
    method: str

    @property
    def coverage(self) -> float:
        """Share of the database that was seen, 0..1; 0 when nothing is known of its size."""
        if self.method == "none" or self.estimated <= 0:
            return 0.0
        return min(1.0, self.observed / self.estimated)

    def __str__(self) -> str:
        """Return what a report says: '2,950 of about 3,201 (92 %)'."""
        if self.method == "none":
            return f"{self.observed:,}, total unknown"
        return f"{self.observed:,} of about {self.estimated:,.0f} ({100 * self.coverage:.0f} %)"


def estimate(
    captures: Iterable[Iterable[str]],
    totals: Sequence[int] = (),
    templates: Sequence[Hashable] | None = None,
) -> Estimate:
    """Size of the database behind a form, from the record keys of its submissions.

    `totals` are what the site itself said of all its records (an unrestricted search), if it did:
    the largest stands, unless more records were seen. `templates` tells of each capture which
    elements its assignment bound (`ValueAssignment.template`); without it every capture is taken
    as independent of the others.
    """
    sets = [frozenset(capture) for capture in captures]
    labels = list(templates) if templates is not None else [0] * len(sets)
    if len(labels) != len(sets):
        raise ValueError(f"{len(sets)} captures but {len(labels)} templates")
    seen = Counter(key for one in sets for key in one)
    stated = max(totals, default=0)
    if stated > 0 and stated >= len(seen):
        return Estimate(len(seen), float(stated), float(stated), float(stated), "total")
    by_template: dict[Hashable, list[Capture]] = {}
    for one, label in zip(sets, labels, strict=True):
        if one:
            by_template.setdefault(label, []).append(one)
    found = _recapture(list(by_template.values()), len(seen)) if len(by_template) > 1 else None
    return found or _chao(max(by_template.values(), key=len, default=[]), len(seen))


def _recapture(templates: Sequence[Sequence[Capture]], observed: int) -> Estimate | None:
    """The estimates of all pairs of templates together, each weighed by its precision."""
    sizes: list[tuple[float, float]] = []
    for one, other in combinations(templates, 2):
        pair = _pair(one, other)
        if pair is not None:
            sizes.append(pair)
    if not sizes:
        return None
    weights = [1.0 / max(variance, 1.0) for _, variance in sizes]
    size = sum(w * n for w, (n, _) in zip(weights, sizes, strict=True)) / sum(weights)
    variance = min(variance for _, variance in sizes) * DEPENDENCE**2
    return _interval(observed, max(size - observed, 0.0), variance, "recapture")


def _pair(one: Sequence[Capture], other: Sequence[Capture]) -> tuple[float, float] | None:
    """Chapman's estimate from the captures of two templates, and its variance; None for too few."""
    first, second = frozenset().union(*one), frozenset().union(*other)
    again = len(first & second)
    if again < LEAST_AGAIN:
        return None
    size = (len(first) + 1) * (len(second) + 1) / (again + 1) - 1
    missed = (len(first) - again) * (len(second) - again)
    plain = (len(first) + 1) * (len(second) + 1) * missed / ((again + 1) ** 2 * (again + 2))
    spreads = [_clustered(other, first), _clustered(one, second)]
    relative = max((s for s in spreads if s is not None), default=None)
    if relative is None:
        return None
    return size, max(plain, relative * size * size)


def _clustered(captures: Sequence[Capture], marked: Capture) -> float | None:
    """Squared relative error of the share of marked records, captures being clusters of them.

    The ratio estimate's variance (Cochran 1977, 2.39): its error is that of N too.
    """
    count = len(captures)
    if count < LEAST_CAPTURES:
        return None
    sizes = [len(one) for one in captures]
    hits = [len(one & marked) for one in captures]
    share = sum(hits) / sum(sizes)
    if share <= 0:
        return None
    spread = sum((h - share * n) ** 2 for h, n in zip(hits, sizes, strict=True))
    return count / (count - 1) * spread / (share * sum(sizes)) ** 2


def _chao(captures: Sequence[Capture], observed: int) -> Estimate:
    """Chao2: unseen = (t - 1) / t * f1^2 / (2 f2), f1 and f2 the records seen once and twice."""
    times = Counter(Counter(key for one in captures for key in one).values())
    once, twice, count = times[1], times[2], len(captures)
    if count < 2 or (once and twice < LEAST_TWICE * once):
        return Estimate(observed, float(observed), float(observed), math.inf, "none")
    share = (count - 1) / count
    ratio = once / max(twice, 1)
    unseen = share * once * ratio / 2
    variance = twice * (share * ratio**2 / 2 + share**2 * ratio**3 + share**2 * ratio**4 / 4)
    return _interval(observed, unseen, variance * DEPENDENCE**2, "chao2")


def _interval(observed: int, unseen: float, variance: float, method: str) -> Estimate:
    """Log-normal interval of the records never seen (Chao 1987, eq. 8): never below what was."""
    if unseen <= 0:
        high = observed + Z95 * math.sqrt(max(variance, 0.0))
        return Estimate(observed, float(observed), float(observed), high, method)
    spread = math.exp(Z95 * math.sqrt(math.log(1 + variance / unseen**2)))
    return Estimate(
        observed, observed + unseen, observed + unseen / spread, observed + unseen * spread, method
    )
