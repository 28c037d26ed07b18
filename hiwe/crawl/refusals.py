"""Refusals: what keeps us out, and how the host's pace takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.politeness import Outcome, outcome_of
from hiwe.response.response import Judgement, Verdict
from hiwe.response.verdict import FormKnowledge, judge

if TYPE_CHECKING:
    from hiwe.response.response import ResponseFeatures


def barred(features: ResponseFeatures) -> Judgement | None:
    """What keeps us from the form itself: a refusal, a log-in, a captcha in its place."""
    judgement = judge(features, FormKnowledge())
    return judgement if judgement.verdict is Verdict.BLOCKED else None


def manners_of(features: ResponseFeatures, judgement: Judgement) -> Outcome:
    """How an answer is to be taken by the host's pace; a page may say 'too many requests' too."""
    if judgement.reason == "throttled":
        return Outcome.THROTTLED
    blocked = judgement.verdict is Verdict.BLOCKED
    wait = features.retry_after_s is not None
    return outcome_of(features.status, blocked=blocked, retry_after=wait)
