"""Sketch of a page's text: small enough to keep for every page, and near duplicates are seen in it.

The sketch holds the least hashes of all runs of words (bottom-k sketch; Broder, "On the resemblance
and containment of documents", 1997). Two pages resemble each other as their runs of words do:
`resemblance` estimates the share they have in common, 1 for the same text, to about 0.06.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.page.page import Page

RUN_WORDS = 4
SIZE = 64
NO_TEXT = frozenset({"script", "style", "noscript", "template"})
WORD = re.compile(r"\w+")
SPREAD = 0x9E3779B97F4A7C15  # takes neighbouring checksums apart: the least are a fair sample
MASK = (1 << 63) - 1  # the database's integers are signed

Sketch = tuple[int, ...]


def sketch_of(page: Page) -> Sketch:
    """Return the sketch of what a page says, title included; empty for a page without words."""
    return sketch(f"{page.title} {' '.join(texts(page))}")


def texts(page: Page) -> Iterator[str]:
    """Yield the texts of a page, scripts and styles left out."""
    for element in page.tree.iter():
        if element.text and isinstance(element.tag, str) and element.tag not in NO_TEXT:
            yield element.text
        if element.tail:
            yield element.tail


def sketch(text: str) -> Sketch:
    """Return the SIZE least hashes of the runs of RUN_WORDS words of a text, in order.

    All numbers are one word: pages that differ in a date, a counter or a page number alone say the
    same.
    """
    words = ["0" if word.isdecimal() else word for word in WORD.findall(text.casefold())]
    last = max(1, len(words) - RUN_WORDS + 1) if words else 0
    runs = {" ".join(words[start : start + RUN_WORDS]) for start in range(last)}
    hashes = {zlib.crc32(run.encode("utf-8", "replace")) * SPREAD & MASK for run in runs}
    return tuple(sorted(hashes)[:SIZE])


def resemblance(one: Sketch, other: Sketch) -> float:
    """Return the estimated share of runs of words that two pages have in common, 0 to 1."""
    if not one or not other:
        return 1.0 if one == other else 0.0
    least = sorted(set(one) | set(other))[: max(len(one), len(other))]
    common = set(one) & set(other)
    return sum(value in common for value in least) / len(least)
