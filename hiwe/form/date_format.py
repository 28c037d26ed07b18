"""Date format: the part of a text that shows how a date is written, or an example of one."""

from __future__ import annotations

import re

_LETTERS = re.compile(  # dd.mm.yyyy, tt/mm/jjjj: three runs of one letter each
    r"(?<!\w)([^\W\d_])\1{0,3}\s?([-/. ])\s?([^\W\d_])\3{0,3}\s?\2\s?([^\W\d_])\4{1,3}(?!\w)"
)
_EXAMPLE = re.compile(r"(?<!\d)\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)")


def format_in(text: str) -> str:
    """The part of a text that shows a format, '' for none."""
    found = _LETTERS.search(text.casefold()) or _EXAMPLE.search(text)
    return found.group() if found else ""
