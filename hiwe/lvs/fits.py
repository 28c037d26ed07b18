"""Does a value fit an element, and how is it written there? (HTML's own constraint rules)"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from hiwe.lvs.dates import date_format, parse_date, write_date
from hiwe.lvs.element_view import DATE_KINDS, NUMBER_KINDS

if TYPE_CHECKING:
    from datetime import date

    from hiwe.lvs.element_view import ElementView

_DATE_PATTERNS = {"date": "%Y-%m-%d", "month": "%Y-%m", "datetime-local": "%Y-%m-%dT00:00"}
_USUAL = ("%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y-%m-%d", "%Y/%m/%d", "%d/%m/%y", "%Y%m%d")
_YEAR_HINT = re.compile(r"(?<!\w)(?:yyyy|aaaa|jjjj|гггг|rrrr|åååå)(?!\w)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def write(value: str, element: ElementView) -> str | None:
    """`value` as it has to be written into the element, or None when the element cannot take it.

    Dates are written as the control or its hint wants them, numbers without currency signs;
    nothing is cut to fit.
    """
    text = " ".join(value.split()) if element.kind != "textarea" else value
    if element.kind in DATE_KINDS:
        return _write_date(text, element)
    if element.kind in NUMBER_KINDS:
        return _write_number(text, element)
    written = _by_hint(text, element)
    if written is not None and _allowed(written, element):
        return written
    return _by_pattern(written, element) if written is not None and element.pattern else None


def fits(value: str, element: ElementView) -> bool:
    """Whether the element can take the value."""
    return write(value, element) is not None


def _allowed(text: str, element: ElementView) -> bool:
    """Length in UTF-16 units, and the pattern over the whole value, as browsers check them."""
    if not text:
        return False
    if (
        element.maxlength is not None
        and 0 <= element.maxlength < len(text.encode("utf-16-le")) // 2
    ):
        return False
    pattern = _compiled(element.pattern) if element.pattern else None
    return pattern is None or pattern.fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """The HTML pattern, or None when Python cannot read it (a browser ignores a broken one too)."""
    try:
        return re.compile(pattern.replace(r"\p{L}", r"[^\W\d_]").replace(r"\p{N}", r"\d"))
    except re.error:
        return None


def _by_hint(text: str, element: ElementView) -> str | None:
    """A text box whose hint shows a date format takes dates only, one that shows 'yyyy' years."""
    wanted = date_format(element.placeholder, _remark(element.label))
    if wanted:
        found = parse_date(text, element.language)
        return write_date(found, wanted) if found else None
    if _YEAR_HINT.search(element.placeholder or ""):
        return text if re.fullmatch(r"\d{4}", text) else None
    return text


def _by_pattern(text: str, element: ElementView) -> str | None:
    """A date in the first usual format that the element's pattern takes, None for what is none."""
    found = parse_date(text, element.language)
    written = (write_date(found, usual) for usual in _USUAL) if found else ()
    return next((date for date in written if _allowed(date, element)), None)


def _remark(label: str) -> str | None:
    found = re.search(r"[(\[（]([^)\]）]*)[)\]）]", label)
    return found.group(1) if found else None


def _write_date(text: str, element: ElementView) -> str | None:
    if element.kind == "time":
        return text if re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?", text) else None
    if element.kind == "month" and re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])", text):
        written: str | None = text
    else:
        found = parse_date(text, element.language)
        written = _dated(found, element.kind) if found else None
    if written is None:
        return None
    # ISO dates of one kind compare as text
    too_early = bool(element.minimum) and written < str(element.minimum)
    too_late = bool(element.maximum) and written > str(element.maximum)
    return None if too_early or too_late else written


def _dated(found: date, kind: str) -> str:
    if kind == "week":
        year, week, _ = found.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return found.strftime(_DATE_PATTERNS[kind])


def _write_number(text: str, element: ElementView) -> str | None:
    plain = re.sub(r"[\s$€£¥₽₹]|(?<=\d)[,' ](?=\d{3}(?!\d))", "", text)
    if not _NUMBER.fullmatch(plain):
        return None
    number, low = float(plain), _number(element.minimum)
    high = _number(element.maximum)
    if (low is not None and number < low) or (high is not None and number > high):
        return None
    if (element.step or "").strip().casefold() == "any":
        return plain
    step = _number(element.step)
    step = step if step is not None and step > 0 else 1.0
    steps = (number - (low or 0.0)) / step
    return plain if abs(steps - round(steps)) < 1e-6 else None


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and _NUMBER.fullmatch(text.strip()) else None
