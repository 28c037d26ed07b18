"""How figures and foreign text are shown to a person: durations, shares, times, safe text."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

# Controls, and the marks that turn the direction of writing: a site's text may hold them to
# show a person something else than what is there.
_UNSHOWN = frozenset({"Cc", "Cs", "Co"})
_DIRECTIONS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ADDRESS = re.compile(r"\b[a-z][a-z+.-]*://[^\s,;)\]]+")
LONGEST_ADDRESS = 60


def shown(text: str, limit: int | None = None) -> str:
    """Return foreign text as one safe line, cut with an ellipsis to `limit` characters."""
    safe = "".join(
        " " if unicodedata.category(char) in _UNSHOWN or char in _DIRECTIONS else char
        for char in text
    )
    line = " ".join(safe.split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def told(text: str, limit: int) -> str:
    """Return foreign text as `shown` does, its addresses shortened so that the rest has room."""
    line = _ADDRESS.sub(lambda found: shorter(found[0], LONGEST_ADDRESS), shown(text))
    return shown(line, limit)


def shorter(text: str, limit: int) -> str:
    """Return a text cut in its middle to `limit` characters: its end tells as much as its begin."""
    if len(text) <= limit:
        return text
    end = limit // 3
    return f"{text[: limit - end - 1]}…{text[-end:]}"


def duration(seconds: float) -> str:
    """Return a length of time as a person says it: '0.8 s', '12 s', '3 min 05 s', '2 h 10 min'."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def moment(at: float | None) -> str:
    """Return a time as 'YYYY-MM-DD HH:MM:SS UTC', '' for none."""
    return "" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"


def iso(at: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC with seconds, None for none."""
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def se(value: float, submissions: int) -> str:
    """Return a submission efficiency with two digits, a dash when nothing was submitted."""
    return f"{value:.2f}" if submissions else "-"


def web_link(url: str) -> str:
    """Return an address that is safe to put behind a link: of the web, else ''."""
    return url if url.startswith(("http://", "https://")) else ""
