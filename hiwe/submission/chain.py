"""Chains: forms that show only after another form was sent ('choose a genre', then an author)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.searchable import STEP_SCORE, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.form import Form
    from hiwe.submission.assignment import ValueAssignment

MOST_STEPS = 3  # forms sent before the one that is searched


@dataclass(frozen=True, slots=True)
class Step:
    """A form that is sent to reach the next one, with what it is filled with."""

    form: Form
    assignment: ValueAssignment


def may_go_on(form: Form) -> bool:
    """Whether a form in the answer to a search form may be its next step.

    What led to it tells what it is for, so that less evidence of its own is asked for; a form that
    writes (log-in, contact, order...) is none in any case.
    """
    return form.searchable or (form.reason == UNDECIDED and form.score >= STEP_SCORE)


def chain_fingerprint(form: Form, steps: Sequence[Step]) -> str:
    """Identity of a form behind `steps`: another way to it makes another form of it."""
    if not steps:
        return form.fingerprint
    parts = [form.fingerprint, *(step.assignment.key(step.form.fingerprint) for step in steps)]
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:20]


def sent_identity(form: Form, steps: Sequence[Step]) -> str:
    """Identity of what is sent: pressed by another button, that a person chose, it is another."""
    identity = chain_fingerprint(form, steps)
    pressed = form.submitters[0] if form.submitters else None
    if pressed is None or not pressed.chosen:
        return identity
    parts = [identity, pressed.name, pressed.id, pressed.text]
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:20]
