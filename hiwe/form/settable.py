"""Settable: whether a person can set a control at all, be it with the keyboard or otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.form.element import Draft
    from hiwe.page.page import Control

# What tells that a box which takes no keys opens a calendar: names, classes, a date format.
_CALENDAR = re.compile(
    r"dat(?:e|um|a|o)(?![a-z]{2})|date|calend|kalend|picker|fecha|pvm|day|jour|tag(?:$|[^a-z])"
    r"|check-?(?:in|out)|arriv|depart",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"(?<![^\W\d_])(?:d{1,2}|m{1,4}|y{2,4}|j{2,4}|t{1,2}|a{4}|g{1,2})[-/. ]{1,2}[dmytgj]{1,4}",
    re.IGNORECASE,
)
_TEXTS = frozenset({"text", "search"})


def takes_values(draft: Draft) -> bool:
    """A person can set it: it takes keys or the mouse, or opens a calendar or a list."""
    first = draft.first
    if not first.readonly:
        return True
    return draft.kind == "combobox" or (draft.kind in _TEXTS and opens_calendar(first))


def opens_calendar(control: Control) -> bool:
    """A box for a date that takes no keys: its day is picked."""
    marks = (control.name, control.id, control.class_name, control.title, control.on_change)
    names = (*marks, *(name for name, _ in control.data))
    return any(_CALENDAR.search(mark) for mark in names) or bool(
        _FORMAT.search(control.placeholder)
    )
