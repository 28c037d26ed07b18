"""Searchable or not, and why: sure signs first, then the sum of the features' weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hiwe.form.feature import features
from hiwe.form.words import name_tokens, names, speaks_of
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from hiwe.form.feature import Sketch
    from hiwe.form.form import Element


# which reason a refused form gets, by what its features speak of; the first that holds wins
REASONS = (
    ("logout", "logout"), ("login", "login"), ("recover", "recover"), ("register", "register"),
    ("subscribe", "newsletter"), ("cart", "cart"), ("poll", "poll"), ("contact", "contact"),
    ("side", "export"), ("paging", "paging"), ("navigate", "navigation"), ("captcha", "captcha"),
    ("convert", "calculator"),
)  # fmt: skip
EVIDENCE_KEPT = 8
UNDECIDED = "not_search"  # a form that does nothing known
WRITE = "write"  # a form that leaves something with the site
STEP_SCORE = 0.3  # least score of a form of which something else says that it leads to a search


@dataclass(frozen=True, slots=True)
class Decision:
    """`score` is the probability of a search form; evidence is (feature, weight)."""

    searchable: bool
    reason: str
    score: float
    evidence: tuple[tuple[str, float], ...]


@cache
def weights() -> dict[str, float]:
    """Weight of each feature; 'bias' and 'threshold' among them."""
    loaded: dict[str, float] = word_lists("hiwe.form", "searchable.yaml")["weights"]
    return loaded


def decide(sketch: Sketch) -> Decision:
    """Is this a form to search with? The reason names what it is instead."""
    sure = sure_reason(sketch)
    if sure:
        return Decision(False, sure, 0.0, ((sure, -99.0),))
    found = features(sketch)
    if _writes(sketch):
        told = _reason(sketch, found)
        return Decision(False, WRITE if told == UNDECIDED else told, 0.0, ((WRITE, -99.0),))
    table = weights()
    total = table["bias"] + sum(table.get(f, 0.0) for f in found)
    score = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
    parts = sorted(((f, table[f]) for f in found if f in table), key=lambda p: -abs(p[1]))
    evidence = tuple(parts[:EVIDENCE_KEPT])
    if score >= table["threshold"]:
        return Decision(True, "search", round(score, 3), evidence)
    reason = _reason(sketch, found)
    if reason == UNDECIDED and score >= STEP_SCORE and _leads_on(sketch):
        return Decision(True, "first_step", round(score, 3), evidence)
    return Decision(False, reason, round(score, 3), evidence)


def _leads_on(sketch: Sketch) -> bool:
    """Whether lists alone are sent by a button that says 'next': the search has further steps.

    Surveys have such buttons, too, below questions with boxes to tick: these are no lists.
    """
    lists = [e for e in sketch.fields if e.options and e.kind in ("select", "listbox", "combobox")]
    says_next = any(speaks_of("onward", s.text or s.value) for s in sketch.submitters[:1])
    return bool(lists) and len(lists) == len(sketch.fields) and says_next


def sure_reason(sketch: Sketch) -> str:
    """The reason that alone forbids to send a form, '' for none."""
    fields = sketch.fields
    if sketch.method == "DIALOG":
        return "dialog"
    if not sketch.elements:
        return "no_fields"
    passwords = sum(e.kind == "password" for e in fields)
    if passwords:
        return _password_reason(sketch, passwords)
    if any(e.kind == "file" for e in fields):
        return "upload"
    if any(_is_code(e) for e in fields):
        return "code"
    if any(_is_card(e) for e in fields):
        return "payment"
    if sketch.method == "POST" and any(
        e.kind in ("textarea", "contenteditable") and len(e.default) > 200 for e in fields
    ):
        return "edit"
    return ""


def _writes(sketch: Sketch) -> bool:
    """Whether the button of a POST form says that it leaves something with the site."""
    button = sketch.submitters[0].text or sketch.submitters[0].value
    return (
        sketch.method == "POST" and speaks_of("write", button) and not speaks_of("search", button)
    )


def _password_reason(sketch: Sketch, passwords: int) -> str:
    button = " ".join(s.text for s in sketch.submitters[:1])
    if passwords > 1 or speaks_of("register", button) or len(sketch.fields) > 4:
        return "register"
    return "login"


def _is_code(element: Element) -> bool:
    return element.kind == "textarea" and bool(
        names("code") & {*name_tokens(element.name), *name_tokens(element.id)}
    )


def _is_card(element: Element) -> bool:
    return _names_card(element.name) or _names_card(element.id)


def _names_card(name: str) -> bool:
    """Does an identifier ask for a payment card?"""
    joined = "".join(name_tokens(name))
    return any(word in joined for word in names("card"))


def _reason(sketch: Sketch, found: frozenset[str]) -> str:
    places = ("button", "submit_name", "form", "action", "heading", "label", "name")
    for place in places[:4]:
        for meaning, reason in REASONS:
            if f"{place}:{meaning}" in found:
                return reason
    if "kind:textarea" in found:
        return "contact"
    if "email" in found:
        return "newsletter" if len(sketch.fields) <= 2 else "contact"
    for place in places[4:]:
        for meaning, reason in REASONS:
            if f"{place}:{meaning}" in found:
                return reason
    return UNDECIDED
