"""Twins: the form of a chosen one's own answer page, its last question filled in.

A site shows its form again over every answer, often with a row for each condition that was set. To
ask through it is to ask inside that answer: what it brings, the plain form brings too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.form.form import Form

LEAST_SHARED = 2  # elements that make two forms of one action the same


def is_answered_twin(form: Form, chosen: Iterable[Form]) -> bool:
    """Whether a form is one of the chosen with an answer's question filled in.

    It has the same action and all the elements, stands on a page of that action, and more than
    the chosen one only what the page's own query set.
    """
    asked = _asked(form)
    if not asked:
        return False
    names = {e.name for e in form.elements if e.name}
    for other in chosen:
        theirs = {e.name for e in other.elements if e.name}
        same = (form.method, _path(form.action)) == (other.method, _path(other.action))
        if same and len(theirs) >= LEAST_SHARED and theirs <= names and not _asked(other):
            return True
    return False


def _asked(form: Form) -> set[str]:
    """Values of the page's own query that the form carries, if the page is one of its action."""
    parts = urlsplit(form.page_url)
    if not parts.query or parts.path != _path(form.action):
        return set()
    values = {value for _, value in parse_qsl(parts.query) if len(value) > 1}
    return values & {element.default for element in form.elements if element.default}


def _path(url: str) -> str:
    return urlsplit(url).path
