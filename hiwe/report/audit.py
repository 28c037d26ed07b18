"""Audit: submission efficiency as a person sees it, from a random sample of answers.

The sample is drawn within each of hiwe's verdicts (strata), so that rare ones are looked at too.
The corrected SE is the sum of the strata's shares, weighed by their size; its interval is put
together from Wilson intervals of the strata (Wilson 1927) by the squares of their halves (Zou and
Donner 2008), each narrowed as the sample comes near the whole.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.repository.judged import Judged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hiwe.repository.database import Database
    from hiwe.repository.judged import Stratum
    from hiwe.response.response import Verdict

Z95 = 1.96  # standard normal quantile of a two-sided 95 % interval
LEAST_OF_STRATUM = 2  # drawn of each verdict, if there are so many


@dataclass(frozen=True, slots=True)
class Share:
    """A share of all submissions, with a 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True, slots=True)
class Audit:
    """What the judged sample says. `agreed` of the `judged` verdicts of `drawn` are hiwe's own."""

    strict: Share
    lenient: Share
    agreed: int
    judged: int
    drawn: int

    def lines(self) -> tuple[str, ...]:
        """What a report says."""
        return (
            f"SE-strict {self.strict}, SE-lenient {self.lenient}: as judged, 95 % interval",
            f"{self.judged:,} of {self.drawn:,} drawn answers judged,"
            f" {self.agreed:,} as hiwe judged them",
        )


def sample(population: Mapping[int, Verdict], size: int, *, seed: int = 0) -> list[int]:
    """Draw submissions at random within each verdict, in proportion, rare ones at least twice.

    A larger sample of the same population holds the smaller one.
    """
    strata: dict[Verdict, list[int]] = {}
    for submission, verdict in sorted(population.items()):
        strata.setdefault(verdict, []).append(submission)
    chosen: list[int] = []
    for verdict, members in strata.items():
        share = math.ceil(size * len(members) / max(len(population), 1))
        order = random.Random(f"{seed} {verdict}").sample(members, len(members))
        chosen += order[: max(share, LEAST_OF_STRATUM)]
    return sorted(chosen)


def read_audit(db: Database) -> Audit | None:
    """Return what the judged sample says; None as long as nothing of it was judged."""
    judged = Judged(db)
    strata = judged.strata()
    number = sum(sum(stratum.judged.values()) for stratum in strata)
    if not number:
        return None
    return Audit(
        corrected(strata, lambda verdict: verdict.is_success),
        corrected(strata, lambda verdict: verdict.is_valid),
        sum(stratum.judged.get(stratum.verdict, 0) for stratum in strata),
        number,
        len(judged.drawn()),
    )


def corrected(strata: Sequence[Stratum], counts: Callable[[Verdict], bool]) -> Share:
    """Return the share of submissions whose true verdict counts.

    A stratum of which nothing was judged keeps hiwe's word as its value, and may be anything.
    """
    total = sum(stratum.submissions for stratum in strata)
    if not total:
        return Share(0.0, 0.0, 1.0)
    value = below = above = 0.0
    for stratum in strata:
        weight = stratum.submissions / total
        share = _share_of(stratum, counts)
        value += weight * share.value
        below += (weight * (share.value - share.low)) ** 2
        above += (weight * (share.high - share.value)) ** 2
    return Share(value, max(0.0, value - math.sqrt(below)), min(1.0, value + math.sqrt(above)))


def _share_of(stratum: Stratum, counts: Callable[[Verdict], bool]) -> Share:
    judged = sum(stratum.judged.values())
    if not judged:
        return Share(float(counts(stratum.verdict)), 0.0, 1.0)
    hits = sum(number for verdict, number in stratum.judged.items() if counts(verdict))
    share = wilson(hits, judged)
    left = math.sqrt(max(0.0, 1 - judged / stratum.submissions))  # all judged: nothing is unsure
    value = share.value
    return Share(value, value - (value - share.low) * left, value + (share.high - value) * left)


def wilson(hits: int, trials: int) -> Share:
    """Return a share with its 95 % interval (Wilson 1927)."""
    value = hits / trials
    square = Z95 * Z95 / trials
    middle = (value + square / 2) / (1 + square)
    half = math.sqrt(value * (1 - value) * square + square * square / 4) / (1 + square)
    return Share(value, min(value, middle - half), max(value, middle + half))
