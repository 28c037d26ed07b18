"""Topic: what a task is about, in terms; how much a link, a page, a way to it speak of that.

After the best-first search of focused crawlers (Cho, Garcia-Molina and Page, 1998; Hersovici and
others, "The shark-search algorithm", 1998): a link is worth what its own words promise, what the
page around it speaks of, and what was worth following to that page.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from hiwe.lvs.value import Provenance
from hiwe.page.terms import Terms, terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.lvs.table import LvsTable
    from hiwe.task import Task

MOST_VALUES = 200  # values of a row that are looked at
ENOUGH = 10  # terms of the topic in a page that is about it
ANCHOR, PAGE, INHERITED = 0.5, 0.3, 0.2  # weights of a link's own words, of its page, of the way


class Topic:
    """The terms of a task's labels, values and description."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._terms: Terms = frozenset().union(*(terms(text) for text in texts))

    @classmethod
    def of_task(cls, task: Task, lvs: LvsTable) -> Topic:
        """The topic of a task: what it is called, what it says of itself, its tables' rows."""
        texts = [task.task, task.description]
        for row in lvs.rows:
            if row.provenance is Provenance.EXPLICIT:
                texts += [row.label, *row.aliases, *islice(row.values, MOST_VALUES)]
        return cls(texts)

    def of_words(self, found: Terms) -> float:
        """Share of a link's terms that are the topic's, 0 to 1; 0 for one that says nothing."""
        return len(found & self._terms) / len(found) if found else 0.0

    def of_page(self, found: Terms) -> float:
        """How much a page is about the topic, 0 to 1: it is with ENOUGH of its terms."""
        return min(1.0, len(found & self._terms) / min(ENOUGH, max(1, len(self._terms))))

    def of_link(self, text: str, page: float, inherited: float) -> float:
        """What a link promises, 0 to 1, by its words, its page's likeness and that page's own."""
        return ANCHOR * self.of_words(terms(text)) + PAGE * page + INHERITED * inherited
