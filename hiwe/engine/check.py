"""Checks: whether plain HTTP told the same as the browser, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.response.pager import step_after
from hiwe.response.verdict import hit_records, judge

if TYPE_CHECKING:
    from hiwe.response.response import ResponseFeatures, Verdict
    from hiwe.response.verdict import FormKnowledge

THROTTLED = frozenset({429, 503})  # statuses that ask for patience, and say nothing else


@dataclass(frozen=True, slots=True)
class Told:
    """What one page of an answer tells: verdict, keys of its records, how the next is reached."""

    verdict: Verdict
    keys: frozenset[str]
    further: str


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison of plain HTTP with the browser.

    `of` is 'links' (steps of a pager) or 'form'; `reason` says what differed, '' if nothing did.
    `told` says that there were records to compare. `features` and `archived` are those of the
    page that was asked for to compare, None and () where none was.
    """

    of: str
    reason: str = ""
    told: bool = False
    features: ResponseFeatures | None = None
    archived: tuple[str, ...] = ()

    @property
    def agreed(self) -> bool:
        """Whether both told the same."""
        return not self.reason


def told_by(features: ResponseFeatures, knowledge: FormKnowledge, number: int) -> Told:
    """What result page `number` (from 1) tells, with what is known of its form."""
    judgement = judge(features, knowledge)
    keys = frozenset(record.key for record in hit_records(features, judgement, knowledge))
    step = step_after(features, number) if keys else None
    return Told(judgement.verdict, keys, step.how if step else "")


def difference(browser: Told, http: Told) -> str:
    """What differs in the same page by browser and by plain HTTP; '' if nothing does."""
    if browser.verdict is not http.verdict:
        return f"the browser shows {browser.verdict}, plain HTTP {http.verdict}"
    if browser.keys != http.keys:
        common = len(browser.keys & http.keys)
        return (
            f"{len(browser.keys)} records in the browser, {len(http.keys)} by plain HTTP,"
            f" {common} in common"
        )
    if browser.further != http.further:
        ways = browser.further or "no step", http.further or "no step"
        return f"the next page is reached by {ways[0]} in the browser, {ways[1]} by plain HTTP"
    return ""
