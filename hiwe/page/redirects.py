"""Redirects that go round: a chain that comes to one place again and again never arrives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.address import has_token_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

# A server may send a visitor away and back to see whether it keeps cookies.
MOST_TIMES_SAME = 2
MOST_TIMES = 3


def goes_round(chain: Sequence[str]) -> bool:
    """Whether the last address of a chain is there for the third time, or its place too often.

    Addresses of one host and path are one place, whatever their query; numbers and keys in the
    path do not count.
    """
    if chain.count(chain[-1]) > MOST_TIMES_SAME:
        return True
    last = _place(chain[-1])
    return sum(_place(url) == last for url in chain) > MOST_TIMES


def _place(url: str) -> str:
    parts = urlsplit(url)
    segments = (
        "X" if has_token_shape(s) else re.sub(r"\d+", "N", s) for s in _segments(parts.path)
    )
    return f"{parts.netloc}/{'/'.join(segments)}"


def _segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment]
