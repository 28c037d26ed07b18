"""Agenda: which pages and answers a revisit asks for again, within the requests it may make.

Most of them are for answers: records are what a run is for. Of the pages come first those that
changed before, the start, those with forms worked on, then those that were not asked for longest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.crawl.action import RECHECK, NewAction, Priority
from hiwe.crawl.cover import Answer, cover
from hiwe.repository.codec import to_plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.form_work import FormWork
    from hiwe.crawl.frontier import Frontier
    from hiwe.crawl.stores import Stores
    from hiwe.repository.records import Shown
    from hiwe.repository.submissions import StoredSubmission

KNOWN_STATUSES = (200, 304)
# Requests of a revisit, as a share of those that the run cost: the best answers are asked for
# first, so that those left out show few records for many requests.
SHARE = 0.28
LEAST_REQUESTS = 20
PAGES_SHARE = 0.1  # of a revisit's requests, for pages, where there are answers to ask for
LEAST_PAGES = 3
CUT = 0.5  # worth of an answer that was not read to its end: it does not tell what is gone or new


class Agenda:
    """Puts what a revisit asks for into the frontier."""

    def __init__(
        self, stores: Stores, frontier: Frontier, works: Mapping[int, FormWork], number: int
    ) -> None:
        """`works` are the forms worked on, `number` is that of the revisit."""
        self._stores = stores
        self._frontier = frontier
        self._works = works
        self._number = number
        self.requests = max(LEAST_REQUESTS, SHARE * stores.submissions.requests())

    def fill(self) -> tuple[int, int]:
        """Open pages and answers; how many of each."""
        answers = list(self._answers())
        pages = self._pages()
        if answers:
            pages = pages[: max(LEAST_PAGES, round(PAGES_SHARE * self.requests))]
        for row, priority in pages:
            self._frontier.reopen(row.id, priority=priority)
        chosen = cover(answers, requests=self.requests - len(pages))
        for place, answer in enumerate(chosen):
            self._ask(self._stores.submissions.get(answer.submission), place)
        return len(pages), len(chosen)

    def _pages(self) -> list[tuple[ActionRow, Priority | None]]:
        """Visits of pages that came, in the order in which they are worth a request."""
        restless = self._stores.rounds.changed_addresses()
        with_forms = {work.page_url for work in self._works.values()}
        found = []
        for row in self._frontier.in_state("done", "visit"):
            page = self._stores.pages.latest(row.url)
            if page is None or page.status in KNOWN_STATUSES:
                wanted = row.url in restless, row.depth == 0, row.url in with_forms
                asked_at = page.fetched_at if page is not None else 0.0
                urgent = Priority.LIKELY if row.url in restless else None
                found.append(((*(not reason for reason in wanted), asked_at), row, urgent))
        found.sort(key=lambda entry: entry[0])
        return [(row, urgent) for _, row, urgent in found]

    def _answers(self) -> Iterator[Answer]:
        """Answers with results, with what they cost now and how much is expected to differ."""
        shown = [answer for answer in self._stores.records.shown() if answer.form in self._works]
        costs = Costs(shown, opened=self._stores.submissions.requests_of_visit())
        rates: dict[int, float] = {}
        for answer in shown:
            if answer.form not in rates:
                rates[answer.form] = self._stores.rounds.change_rate(answer.form)
            rate = rates[answer.form] * (1.0 if answer.is_whole else CUT)
            yield Answer(answer.id, answer.records, costs.of(answer), rate)

    def _ask(self, stored: StoredSubmission, place: int) -> None:
        work = self._works[stored.form]
        self._frontier.add(
            NewAction(
                kind=RECHECK,
                site=work.site.key,
                url=work.page_url,
                method=work.form.method,
                priority=Priority.SUBMIT,
                score=float(place),
                payload={
                    "form": work.id,
                    "key": stored.key,
                    "assignment": to_plain(stored.assignment),
                },
                parent=work.parent,
                identity=f"{self._number}:{work.id}:{stored.key}",
            )
        )


class Costs:
    """What answers cost in requests when they are asked for again."""

    def __init__(self, answers: list[Shown], *, opened: float) -> None:
        """`opened` is what opening a form's page in the browser takes."""
        self._opened = opened
        plain: dict[int, list[int]] = {}
        for answer in answers:
            if answer.transport == "http":
                plain.setdefault(answer.form, []).append(answer.requests - answer.pages)
        self._besides = {form: max(0.0, sum(r) / len(r)) for form, r in plain.items()}

    def of(self, answer: Shown) -> float:
        """Requests of an answer: by plain HTTP, if its form has come to that, pages and redirects;
        else what it took in the browser, the form's page included.
        """
        if answer.transport == "http":
            return max(1, answer.requests)
        if answer.form in self._besides:
            return answer.pages + self._besides[answer.form]
        return max(1, answer.requests) + self._opened
