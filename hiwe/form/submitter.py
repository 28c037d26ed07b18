"""Submitters: which control sends a form, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.form import Submitter
from hiwe.form.words import name_speaks_of, speaks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.page import Control

KIND_SCORE = {"submit": 3.0, "image": 2.8, "button": 1.2}
SEEN, WORDS, SIDEWAYS, RESETS, ICON = 2.5, 2.0, -3.5, -5.0, 0.5
DISABLED = -1.0
UNFOLDS = -4.0
ONLY_PRESSED_BY_ENTER = 1.5  # plain buttons below this are worse than pressing Enter
LINK = -2.5  # a link that runs a script sends the form only if its words say so


def rank_submitters(controls: Sequence[Control], action: str, method: str) -> tuple[Submitter, ...]:
    """The controls that may send a form, best first; Enter (control -1) where there is none."""
    scored = [(_score(c), -place, c) for place, c in enumerate(controls) if c.kind in KIND_SCORE]
    scored.sort(key=lambda item: item[:2], reverse=True)
    found = [
        Submitter(
            control=c.index,
            kind=c.kind,
            text=c.text or c.aria_label or c.title,
            name=c.name,
            value=c.value,
            action=c.formaction or action,
            method=c.formmethod or method,
            id=c.id,
        )
        for score, _, c in scored
        if c.kind != "button" or score > ONLY_PRESSED_BY_ENTER
    ]
    return tuple(found) or (Submitter(-1, "enter", "", "", "", action, method),)


def _score(control: Control) -> float:
    text = control.text or control.aria_label or control.title
    score = KIND_SCORE[control.kind] + (LINK if control.tag == "a" else 0.0)
    score += SEEN if control.visible else 0.0
    score += DISABLED if control.disabled else 0.0
    score += UNFOLDS if control.unfolds else 0.0
    identifiers = f"{control.name} {control.id} {control.class_name}"
    if speaks_of("search", text):
        score += WORDS
    elif name_speaks_of("search", identifiers):
        score += WORDS / 2
    elif not text.strip() and control.kind == "button":
        score += ICON
    if speaks_of("side", text):
        score += SIDEWAYS
    if speaks_of("reset", text):
        score += RESETS
    return score
