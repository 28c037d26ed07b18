"""Missing elements: what a site's message says has to be filled too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from hiwe.form.form import Element, Form
    from hiwe.response.response import Signal

TELLING = frozenset({"invalid", "message"})  # signals whose text is a site's own message
MOST_NAMED = 3  # a text that names more elements only describes the form


def missing_elements(
    form: Form, verdict: Verdict, signals: Iterable[Signal], bound: Container[int]
) -> tuple[int, ...]:
    """Positions of the elements that a rejected assignment left open and the answer asks for.

    Named by their label in the site's message, or marked invalid in the form that came back; if
    there is none of these, those whose label has a star that others have not.
    """
    if verdict is not Verdict.INVALID:
        return ()
    told = list(signals)
    marked = {signal.text for signal in told if signal.name == "field_invalid"}
    texts = [fold(signal.text) for signal in told if signal.name in TELLING]
    named = [
        place
        for place, element in enumerate(form.elements)
        if place not in bound
        and element.fillable
        and (marked & ({element.name, element.id} - {""}) or _is_named(element, texts))
    ]
    if not named:
        named = [place for place in _starred(form) if place not in bound]
    return tuple(named) if len(named) <= MOST_NAMED else ()


def _starred(form: Form) -> list[int]:
    """Positions of the starred elements; none when every element is."""
    places = [place for place, element in enumerate(form.elements) if element.fillable]
    starred = [place for place in places if form.elements[place].starred]
    return starred if len(starred) < len(places) else []


def _is_named(element: Element, texts: list[str]) -> bool:
    label = " ".join(fold(element.label).split())
    if not label:
        return False
    whole = re.compile(rf"(?<!\w){re.escape(label)}(?!\w)")
    return any(whole.search(" ".join(text.split())) for text in texts)
