"""What plain HTTP must leave to the browser: controls of scripts, values a browser may refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.form.form import Element
    from hiwe.page.page import Control
    from hiwe.submission.item import Item

TEXTS = frozenset({"text", "search", "textarea", "tel"})
CHOICES = frozenset({"select", "radio", "checkbox"})
# HTML standard, 2.3.4.3 (valid floating-point number) and 2.3.5 (dates and times).
SHAPES = {
    "number": re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"),
    "date": re.compile(r"\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"),
    "month": re.compile(r"\d{4,}-(?:0[1-9]|1[0-2])"),
    "week": re.compile(r"\d{4,}-W(?:0[1-9]|[1-4]\d|5[0-3])"),
    "time": re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d"),
    "datetime-local": re.compile(r"\d{4,}-\d\d-\d\dT[0-2]\d:[0-5]\d"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*", re.ASCII),
    "url": re.compile(r"https?://[\w.-]+(?:/[\w./-]*)?", re.ASCII),
}


def unsettable(control: Control) -> bool:
    """Whether a control is none of HTML's own: only its page's scripts can send it."""
    return control.drawn or control.tag not in ("input", "select", "textarea", "button", "a")


def why_refused(element: Element, item: Item) -> str:
    """Why the browser has to set this; '' if the request can be written without it.

    It corrects or refuses values by rules that are left to it: patterns, steps, odd dates.
    """
    if item.kind in CHOICES:
        lost = any(control < 0 for _, _, control in item.values)
        return "a choice that was not there when the form was found" if lost else ""
    text = item.values[0][0]
    if element.widget or (item.kind not in TEXTS and item.kind not in SHAPES):
        return f"kind {item.kind}"
    if element.pattern and not _fits(element.pattern, text):
        return "its pattern"
    if element.maxlength is not None and len(text) > element.maxlength:
        return "too long"
    if element.required and not text:
        return "required"
    if item.kind != "textarea" and ("\n" in text or "\r" in text or text != text.strip()):
        return "line breaks or blanks round the text"
    if item.kind in SHAPES and not SHAPES[item.kind].fullmatch(text):
        return f"no plain {item.kind}"
    return _beyond(element, item.kind, text)


def _fits(pattern: str, text: str) -> bool:
    try:
        return re.fullmatch(pattern, text) is not None
    except re.error:  # JavaScript's own
        return False


def _beyond(element: Element, kind: str, text: str) -> str:
    """Whether a number or date lies outside of its limits or off its steps."""
    if element.step and element.step != "any" and kind != "number":
        return "its step"
    if kind == "number":
        value = float(text)
        step = element.step or "1"
        whole = step == "any" or (step == "1" and value == int(value))
        low, high = _number(element.minimum), _number(element.maximum)
        inside = (low is None or value >= low) and (high is None or value <= high)
        return "" if whole and inside and (low is None or low == int(low)) else "its limits"
    if kind in SHAPES and (
        (element.minimum and text < element.minimum) or (element.maximum and text > element.maximum)
    ):
        return "its limits"
    return ""


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
