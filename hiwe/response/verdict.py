"""The verdict of a response: rules over its features and what is known of its form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.response.case import LIKE, Case, likeness
from hiwe.response.knowledge import FormKnowledge
from hiwe.response.response import Judgement, Record, Signal, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.response.response import ResponseFeatures

__all__ = ["FormKnowledge", "hit_records", "judge"]

BLOCKED_STATUS = frozenset({401, 403, 407, 429, 451, 503})
EXPIRED_STATUS = frozenset({419, 440})
SHORT_ANSWER = 40  # words; a longer text says more than that nothing was found
FIRM = 0.6  # least weight of a phrase that stands against hits
OFTEN = 3  # unlike assignments with one answer, after which it is no answer to any of them


def judge(features: ResponseFeatures, knowledge: FormKnowledge) -> Judgement:
    """The verdict with its evidence. The first rule that speaks decides; the order is the argument:

    what the status says, what keeps us out, what the site failed to do, whether there are hits,
    whether it says that there are none, whether it rejects the input, whether anything came back.
    """
    case = Case(features, knowledge)
    for rule in _RULES:
        judgement = rule(case)
        if judgement is not None:
            return replace(judgement, truncated=case.is_truncated(judgement.verdict))
    raise AssertionError("the last rule always speaks")


def hit_records(
    features: ResponseFeatures, judgement: Judgement, knowledge: FormKnowledge
) -> tuple[Record, ...]:
    """The records credited to the submission: none unless the verdict is results."""
    if judgement.verdict is not Verdict.RESULTS:
        return ()
    region = Case(features, knowledge).region
    return region.records if region is not None else ()


def _say(verdict: Verdict, confidence: float, reason: str, *evidence: Signal | None) -> Judgement:
    return Judgement(verdict, confidence, tuple(one for one in evidence if one), reason)


def _by_status(case: Case) -> Judgement | None:
    status = case.features.status
    told = Signal("status", str(status), 0.9)
    held = Signal("list_markup", f"{len(case.records)} items", 0.3) if case.records else None
    if status in BLOCKED_STATUS:
        reason = "login" if status in (401, 407) else f"status {status}"
        return _say(Verdict.BLOCKED, 0.95, reason, told, held)
    if status in EXPIRED_STATUS:
        return _say(Verdict.ERROR, 0.95, "expired", told, held)
    if status >= 500:
        return _say(Verdict.ERROR, 0.95, f"status {status}", told, held)
    if status in (404, 410):
        nothing = case.says_nothing()
        if nothing and not case.signal("missing_page") and not case.records:
            return _say(Verdict.NO_RESULTS, 0.7, "", nothing, told)
        return _say(Verdict.ERROR, 0.9, "missing page", told, held)
    if status == 422 or (status == 400 and case.features.has_form_again and case.signal("invalid")):
        return _say(Verdict.INVALID, 0.85, f"status {status}", told, case.signal("invalid"), held)
    if status >= 400 or 300 <= status < 400:
        return _say(Verdict.ERROR, 0.9, f"status {status}", told, held)
    return None


def _kept_out(case: Case) -> Judgement | None:
    """Login wall, captcha, block or throttling pages at status 200."""
    password = case.signal("password")
    counted = bool(case.records) and case.features.count is not None
    if (
        password
        and not counted
        and (case.signal("redirect", "login") or not case.features.has_form_again)
    ):
        return _say(Verdict.BLOCKED, 0.9, "login", password, case.signal("login"))
    if case.records and (counted or case.known_structure()):
        return None
    captcha = case.signal("captcha")
    blocked = case.signal("blocked", least=0.6)
    if captcha and (blocked or not case.features.has_form_again):
        return _say(Verdict.BLOCKED, 0.85, "captcha", captcha, blocked)
    throttled = case.signal("throttled", least=0.6)
    if throttled:
        return _say(Verdict.BLOCKED, 0.85, "throttled", throttled)
    short = case.features.words <= SHORT_ANSWER * 3
    if blocked and short and not case.says_nothing():
        return _say(Verdict.BLOCKED, 0.8, "refused", blocked)
    login = case.signal("login", least=0.7)
    if login and short and not case.records and not case.says_nothing():
        return _say(Verdict.BLOCKED, 0.7, "login", login)
    return None


def _missing(case: Case) -> Judgement | None:
    """Soft 404: the text says so, or the answer is like the one for a made-up path."""
    known, lines = case.knowledge.missing, case.features.significant
    if known and likeness(known, lines) >= LIKE:
        return _say(
            Verdict.ERROR,
            0.9,
            "missing page",
            Signal("like_missing_page", f"{likeness(known, lines):.2f}", 0.9),
        )
    told = case.signal("missing_page", least=0.65)
    if told and case.features.count is None and not case.known_structure():
        return _say(Verdict.ERROR, 0.8, "missing page", told)
    return None


def _failed(case: Case) -> Judgement | None:
    """Wait pages and error texts at status 200."""
    if case.records and (case.features.count is not None or case.known_structure()):
        return None
    nothing, invalid = case.says_nothing(), case.signal("invalid", least=0.6)
    wait, refresh = case.signal("wait", least=0.6), case.signal("refresh")
    if (
        wait
        and not nothing
        and not case.records
        and (refresh or case.features.words <= SHORT_ANSWER)
    ):
        return _say(Verdict.ERROR, 0.8, "wait", wait, refresh)
    error = case.signal("error", least=0.6)
    if error is None or (case.records and error.weight < 0.8):
        return None
    if (nothing and nothing.weight >= error.weight) or (invalid and case.features.has_form_again):
        return None
    return _say(Verdict.ERROR, 0.8, "error text", error)


def _empty(case: Case) -> Judgement | None:
    """The site says that there is nothing; items it shows all the same are recommendations."""
    nothing = case.says_nothing()
    probe = case.equals_probe()
    if case.total and case.records and not case.signal("recommended"):
        nothing = None  # a positive count outweighs a phrase
    if nothing and case.records and nothing.weight < FIRM:
        nothing = None  # a phrase in the margin, or after 'if'
    if nothing:
        filler = case.signal("recommended")
        return _say(
            Verdict.NO_RESULTS, 0.95 if probe else nothing.weight, "", nothing, probe, filler
        )
    if probe and not case.features.form_unchanged:
        return _say(Verdict.NO_RESULTS, 0.8, "equals the probe's answer", probe)
    if case.features.digest in case.knowledge.empty and not case.records:
        return _say(Verdict.NO_RESULTS, 0.8, "known empty answer", Signal("known_empty", "", 0.8))
    return None


def _hits(case: Case) -> Judgement | None:
    if not case.records or case.region is None:
        return None
    counted = (
        Signal("count", case.features.count.text, 0.8)
        if case.total and case.features.count
        else None
    )
    known = (
        Signal("known_structure", case.region.signature, 0.8) if case.known_structure() else None
    )
    found = Signal("repeated", f"{len(case.records)} x {case.region.signature}", case.region.score)
    invalid = case.signal("invalid", least=0.7)
    if (
        invalid
        and case.features.has_form_again
        and not counted
        and not known
        and case.signal("message", "field_invalid")
    ):
        return _say(Verdict.INVALID, 0.6, "", invalid, found)
    repeats = case.knowledge.unlike_answers(case.features.digest)
    if repeats >= OFTEN and not counted and not known:
        often = Signal("repeated_answer", f"{repeats} unlike assignments", 0.6)
        return _say(Verdict.ERROR, 0.6, "the same answer whatever is asked", often, found)
    confidence = min(0.99, case.region.score + (0.3 if counted else 0.0) + (0.25 if known else 0.0))
    return _say(Verdict.RESULTS, max(confidence, 0.5), "", found, counted, known)


def _rejected(case: Case) -> Judgement | None:
    invalid = case.signal("invalid", least=0.55)
    marked = case.signal("field_invalid")
    message = case.signal("message", least=0.5)
    if invalid and (case.features.has_form_again or case.features.words <= SHORT_ANSWER):
        return _say(
            Verdict.INVALID, 0.85 if marked or message else 0.75, "", invalid, marked, message
        )
    if case.features.has_form_again and (marked or message):
        return _say(Verdict.INVALID, 0.65, "", marked, message)
    return None


def _unchanged(case: Case) -> Judgement | None:
    anyway = case.signal("nothing_anyway", least=0.75)
    if anyway and not case.records:
        return _say(Verdict.NO_RESULTS, 0.65, "", anyway)
    if case.features.form_unchanged and not case.signal("empty_table", "empty_data", "invalid"):
        return _say(Verdict.SAME_PAGE, 0.9, "form came back", Signal("form_unchanged", "", 0.9))
    return None


def _silent(case: Case) -> Judgement | None:
    """Nothing says so, but a head without rows or an empty list shows it."""
    empty = case.signal("empty_table", "empty_data")
    if empty:
        return _say(Verdict.NO_RESULTS, 0.75, "", empty)
    further = case.signal("further_form")
    if further:
        return _say(Verdict.SAME_PAGE, 0.6, "further form", further)
    return None


def _unclear(case: Case) -> Judgement:
    features = case.features
    filler = case.signal("recommended")
    if filler:
        return _say(Verdict.NO_RESULTS, 0.6, "only recommendations", filler)
    if features.has_form_again and not features.significant:
        return _say(Verdict.SAME_PAGE, 0.7, "form came back")
    same = case.signal("same_list")
    if same and features.words <= SHORT_ANSWER:
        return _say(Verdict.SAME_PAGE, 0.6, "the form page's list came back", same)
    if features.words == 0:
        return _say(Verdict.ERROR, 0.6, "empty page")
    if features.words <= SHORT_ANSWER:
        return _say(Verdict.NO_RESULTS, 0.5, "no hits seen")
    return _say(Verdict.NO_RESULTS, 0.4, "no hits seen")


_RULES: tuple[Callable[[Case], Judgement | None], ...] = (
    _by_status, _kept_out, _missing, _failed, _empty,
    _hits, _unchanged, _rejected, _silent, _unclear,
)  # fmt: skip
