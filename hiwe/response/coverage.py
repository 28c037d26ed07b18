"""How large a hidden database is, from how often its records were found again.

A capture is the set of record keys that one submission brought. Captures by values of one element
hardly overlap (a film has one director), so that only captures by *different* elements are
independent of each other: what share of the records found by genre was found by director too? That
is Lincoln and Petersen's estimate (Chapman 1951), with each capture a cluster. What makes records
easy to find by both elements (a film that is old, or famous) biases it: it is made stratum by
stratum where records tell their date (Sekar and Deming 1949). Where the values of an element divide
the database and all of them were asked, their sizes sum up to it. Captures by words of one keyword
box do overlap; for them there is Chao's estimate from records seen once and twice (Chao 1987).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

Z95 = 1.96  # standard normal quantile of a two-sided 95 % interval
DEPENDENCE = 1.3  # widens a spread: elements are never quite independent
BIAS = 0.05  # relative error of the method itself, whatever the sample
LEAST_CAPTURES = 3  # of one element, for its spread to be known
LEAST_AGAIN = 5  # records found by both of two elements
LEAST_TWICE = 0.1  # records seen twice for each seen once, where captures of one element overlap
LEAST_OF_STRATUM = 5  # records found by both elements, for each stratum on the average
MOST_STRATA = 5
TWINS = 0.3  # of the captures of one element that are captures of another: the same question
LEAST_TWIN = 3  # records of a capture that may be the same by no accident
DIVIDES = 0.02  # share of an element's finds that two of its values may both bring
LEAST_ASKED = 5  # values of an element, for the others to be guessed from them
LEAST_SHARE = 0.3  # of its values
BEYOND = 0.1  # share of records that may have no value of an element that divides the others

Capture = frozenset[str]


@dataclass(frozen=True, slots=True)
class Division:
    """A finite element's values: how many there are, the sizes of those asked, in their order."""

    values: int
    sizes: tuple[int, ...]

    @property
    def told(self) -> int:
        """Records under the values that were asked."""
        return sum(self.sizes)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Records seen, and how many there are in all, with a 95 % interval.

    `method` is 'total' (the site says so), 'parts' (the sizes of an element's values), 'recapture'
    (captures by different elements), 'chao2' (captures that overlap) or 'none' (too little is
    known: `estimated` is what was seen and `high` is infinite).
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
    *,
    moments: Mapping[str, float] | None = None,
    divisions: Mapping[Hashable, Division] | None = None,
) -> Estimate:
    """Size of the database behind a form, from the record keys of its submissions.

    `totals` are what the site itself said of all its records (an unrestricted search), if it did:
    the largest stands, unless more records were seen. `templates` tells of each capture which
    elements its assignment bound (`ValueAssignment.template`); without it every capture is taken
    as independent of the others. `moments` are dates of records as numbers, by key. `divisions`
    tells of templates that bind one finite element what the site said of its values.
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
    parts = [d for label, d in (divisions or {}).items() if _divides(by_template, label)]
    least = max((division.told for division in parts), default=0)
    apart = _without_twins(list(by_template.values()))
    found = _recapture(apart, len(seen), moments or {}) if len(apart) > 1 else None
    if found is not None and found.high >= least:
        return _at_least(found, least)
    summed = max((_parts(len(seen), one) for one in parts), key=_precision, default=None)
    if summed is not None and summed.method != "none":
        return summed
    return found or _chao(max(by_template.values(), key=len, default=[]), len(seen))


def _precision(found: Estimate) -> tuple[bool, float]:
    return found.method != "none", -(found.high - found.low)


def _divides(by_template: Mapping[Hashable, Sequence[Capture]], label: Hashable) -> bool:
    """Whether the values of a template divide the records: hardly one has two of them."""
    some = by_template.get(label, ())
    union = len(frozenset().union(*some))
    return bool(union) and sum(map(len, some)) <= (1 + DIVIDES) * union


def _parts(observed: int, division: Division) -> Estimate:
    """What the values of one element sum up to; records without any value lie beyond.

    Values not asked yet are taken to be as large as those asked last: people list what is large
    first. 'none' as long as too few were asked.
    """
    left = max(division.values - len(division.sizes), 0)
    told = float(max(observed, division.told))
    if not left:
        return Estimate(observed, told, told, told * (1 + BEYOND), "parts")
    if len(division.sizes) < max(LEAST_ASKED, division.values * LEAST_SHARE):
        return Estimate(observed, float(observed), float(observed), math.inf, "none")
    recent = division.sizes[-max(LEAST_ASKED, len(division.sizes) // 2) :]
    mean = sum(recent) / len(recent)
    spread = sum((size - mean) ** 2 for size in recent) / max(len(recent) - 1, 1)
    variance = (left * left / len(recent) + left) * spread + (BIAS * told) ** 2
    found = _interval(observed, told - observed + left * mean, variance, "parts")
    return Estimate(observed, found.estimated, told, found.high, "parts")


def _at_least(found: Estimate, least: int) -> Estimate:
    """An estimate that is no less than what the site told of parts of its database."""
    if found.low >= least:
        return found
    size = max(found.estimated, float(least))
    low = max(found.low, float(least))
    return Estimate(found.observed, size, low, max(found.high, size), found.method)


def _without_twins(templates: Sequence[Sequence[Capture]]) -> list[list[Capture]]:
    """Templates that ask the same question (one box in two forms) as one: they tell no more."""
    apart: list[list[Capture]] = []
    for captures in sorted(templates, key=len, reverse=True):
        twin = next((other for other in apart if _are_twins(captures, other)), None)
        if twin is None:
            apart.append(list(captures))
        else:
            twin.extend(captures)
    return apart


def _are_twins(one: Sequence[Capture], other: Sequence[Capture]) -> bool:
    large = [capture for capture in one if len(capture) >= LEAST_TWIN]
    known = set(other)
    return bool(large) and sum(capture in known for capture in large) >= TWINS * len(large)


def _recapture(
    templates: Sequence[Sequence[Capture]], observed: int, moments: Mapping[str, float]
) -> Estimate | None:
    """The estimates of all pairs of templates together, each weighed by its precision."""
    sizes: list[tuple[float, float]] = []
    for one, other in combinations(templates, 2):
        pair = _pair(one, other, moments)
        if pair is not None:
            sizes.append(pair)
    if not sizes:
        return None
    weights = [1.0 / max(variance, 1.0) for _, variance in sizes]
    size = sum(w * n for w, (n, _) in zip(weights, sizes, strict=True)) / sum(weights)
    variance = min(variance for _, variance in sizes) * DEPENDENCE**2 + (BIAS * size) ** 2
    return _interval(observed, max(size - observed, 0.0), variance, "recapture")


def _pair(
    one: Sequence[Capture], other: Sequence[Capture], moments: Mapping[str, float]
) -> tuple[float, float] | None:
    """Chapman's estimate from the captures of two templates, and its variance; None for too few."""
    first, second = frozenset().union(*one), frozenset().union(*other)
    again = len(first & second)
    if again < LEAST_AGAIN:
        return None
    parts = _strata(first, second, moments)
    size = sum(_chapman(first & part, second & part) for part in parts)
    missed = (len(first) - again) * (len(second) - again)
    plain = (len(first) + 1) * (len(second) + 1) * missed / ((again + 1) ** 2 * (again + 2))
    spreads = [_clustered(other, first), _clustered(one, second)]
    relative = max((s for s in spreads if s is not None), default=None)
    if relative is None:
        return None
    return size, max(plain, relative * size * size)


def _chapman(first: Capture, second: Capture) -> float:
    """Records in all, from two sets of them of which one tells nothing of the other."""
    size = (len(first) + 1) * (len(second) + 1) / (len(first & second) + 1) - 1
    return max(size, float(len(first | second)))


def _strata(first: Capture, second: Capture, moments: Mapping[str, float]) -> list[Capture]:
    """The records by their dates in about equal parts, those without a date apart."""
    union, again = first | second, first & second
    dated = sorted((moments[key], key) for key in union if key in moments)
    count = min(MOST_STRATA, len(again) // LEAST_OF_STRATUM)
    if count < 2 or len(dated) * 2 < len(union):
        return [union]
    edges = [dated[len(dated) * part // count][0] for part in range(1, count)]
    parts: dict[int, set[str]] = {}
    for key in union:
        place = sum(moments[key] >= edge for edge in edges) if key in moments else -1
        parts.setdefault(place, set()).add(key)
    return [frozenset(part) for part in parts.values()]


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
