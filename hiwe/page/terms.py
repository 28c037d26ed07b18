"""Terms of a text: its distinct words, folded and stemmed, by which it is compared with a topic."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from hiwe.page.sketch import texts
from hiwe.text import fold
from hiwe.text.words import stem

if TYPE_CHECKING:
    from hiwe.page.page import Page

MOST_WORDS = 3000  # words of a page that are looked at
WORD = re.compile(r"[^\W\d_]{3,}")  # shorter ones and numbers speak of nothing
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{2,}")  # no spaces: in pairs

Terms = frozenset[str]


@lru_cache(maxsize=4096)
def terms(text: str) -> Terms:
    """Return the terms of a text; none for one without words."""
    folded = fold(text)
    found = {stem(word) for word in WORD.findall(folded)[:MOST_WORDS]}
    for run in UNSPACED.findall(folded)[:MOST_WORDS]:
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


def terms_of(page: Page) -> Terms:
    """Return the terms of what a page says, title included."""
    return terms(f"{page.title} {' '.join(texts(page))}")
