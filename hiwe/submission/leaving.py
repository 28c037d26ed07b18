"""Leaving: why a source of assignments is no longer asked, from what its own answers brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.submission.bandit import NOTHING_FOUND, NOTHING_NEW, PATIENCE_NOTHING
from hiwe.submission.sources import Template, Variation

if TYPE_CHECKING:
    from hiwe.submission.bandit import Arm
    from hiwe.submission.ledger import Ledger
    from hiwe.submission.sources import Source

TRIAL = 3  # submissions that tell a little of a source
SUBSUMED = "another element answers the same"
POOR = frozenset({NOTHING_FOUND, NOTHING_NEW})  # left because too little was to be gained


def left_because(ledger: Ledger, source: Source) -> str:
    """Why a source is no longer asked, '' while it is."""
    arm = ledger.bandit.arm(source.key)
    if isinstance(source, Variation):
        return NOTHING_NEW if arm.answered > source.size and not sum(arm.recent) else ""
    if ledger.subsumed.is_subsumed(source.key):
        return SUBSUMED
    proven = not arm.results and ledger.bandit.is_proven(source.key[0])
    hopeless = ledger.bandit.is_hopeless(source.key[0])
    left = arm.verdict(listed=source.listed, proven=proven, hopeless=hopeless)
    if not isinstance(source, Template) or not source.shown or arm.tells_apart:
        return left
    return _in_view_of_records(ledger, source, arm, left) if left in ("", NOTHING_FOUND) else left


def _in_view_of_records(ledger: Ledger, source: Template, arm: Arm, left: str) -> str:
    """The same, once the site's records have shown values of a template.

    Values shown are tried, some of them even where others found nothing; when all are given, and
    the records do show such values, few of the others will be there.
    """
    if source.shown_head(ledger.skip) is not None:
        tried = not arm.results and source.shown_given(ledger.skip) >= TRIAL
        return left if tried else ""
    told = arm.results and len(source.shown) >= TRIAL
    return NOTHING_FOUND if told and arm.empty_streak >= PATIENCE_NOTHING else left
