"""Explorer: the steps of a crawl by hand, for a notebook or a script.

    import hiwe

    table = hiwe.LvsTable.load(["lvs/movies.yaml"])
    with hiwe.Explorer(contact="mailto:you@example.org") as explorer:
        form = explorer.open("http://127.0.0.1:8701/").search_forms[0]
        for element, match in hiwe.match(form, table):
            print(element.label, match.rule, match.row)
        plan = hiwe.plan(form, table)
        answers = [explorer.submit(form, best) for best in plan.next(5)]
    print(hiwe.rows(answers))  # or hiwe.frame(answers), a pandas DataFrame

The worker is that of a crawl, with its manners: robots.txt, a pace, search forms only. Nothing is
kept on disk but what `archive` writes; for more than a look there is `hiwe run`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlsplit

from hiwe.answer import Answer, Opened, answer_of
from hiwe.crawl import robots as robots_txt
from hiwe.crawl.form_work import match_elements, probe_assignment, values_of
from hiwe.engine.action import Failure, ReadRobots, RobotsRead, SiteTerms, Submit, Submitted, Visit
from hiwe.engine.no_archive import NoArchive
from hiwe.engine.worker import Worker
from hiwe.errors import HiweError, PageError, PageTimeout, SiteUnreachable, UsageError
from hiwe.page.browser import Browser
from hiwe.page.http import HttpClient
from hiwe.page.unanswered import reason_of
from hiwe.place import address_of
from hiwe.repository.hosts import StoredRobots
from hiwe.response.knowledge import FormKnowledge
from hiwe.response.response import Judgement, Verdict
from hiwe.response.verdict import judge
from hiwe.submission.assignment import ValueAssignment
from hiwe.submission.named import assignment_of
from hiwe.submission.plan import Plan
from hiwe.task.settings import agent_name

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from hiwe.crawl.robots import RobotsPolicy
    from hiwe.engine.action import Archive, Observation
    from hiwe.form.form import Element, Form
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.table import LvsTable
    from hiwe.submission.plan import Order
    from hiwe.submission.rank import RankFunction

T = TypeVar("T")
FAILURES: Mapping[str, Callable[[str, str], HiweError]] = {
    "unreachable": SiteUnreachable,
    "timeout": PageTimeout,
}
SIGMA = 0.75  # label-match threshold, as in a task that names none


class Explorer:
    """A browser that opens pages and submits forms, one thing at a time; a context manager."""

    def __init__(
        self,
        *,
        user_agent: str = "",
        contact: str = "",
        delay_s: float = 1.0,
        robots: bool = True,
        probe: bool = True,
        headless: bool = True,
        executable: str | Path | None = None,
        timeout_s: float = 30.0,
        archive: Archive | None = None,
    ) -> None:
        """Start Chromium; BrowserMissing when there is none.

        `contact` is told to the sites. At least `delay_s` seconds lie between two requests to a
        host. `probe`: before a form's first assignment one nonsense query is sent, to learn how
        it says 'nothing found'. `archive` takes what goes over the wire (a `WarcWriter`, say).
        """
        self._agent = agent_name(user_agent, contact)
        self._delay_s, self._robots, self._probe = delay_s, robots, probe
        self._timeout_s = timeout_s
        self._policies: dict[str, RobotsPolicy] = {}
        self._asked: dict[str, float] = {}
        self._knowledge: dict[str, FormKnowledge] = {}
        self._numbers = count(1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        started = Browser.launch(
            executable=executable, headless=headless, timeout_s=timeout_s, user_agent=self._agent
        )
        with ExitStack() as undo:
            undo.callback(self._end_loop)
            browser = self._do(started)
            undo.pop_all()
        self._worker = Worker(browser, HttpClient(self._agent), archive or NoArchive())

    def __enter__(self) -> Self:
        """Nothing more to begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the browser."""
        self.close()

    def close(self) -> None:
        """Close the browser."""
        self._do(self._worker.close())
        self._end_loop()

    def open(self, url: str) -> Opened:
        """Open an address, a host or a file.

        UsageError for what is none of them, SiteUnreachable when no answer comes, PageError for
        what cannot be read or robots.txt forbids. A page that answers an error is opened: see
        `status`.
        """
        url = address_of(url)
        terms = self._terms(url)
        if terms.permits is not None and not terms.permits(url):
            raise PageError(url, "robots.txt forbids it")
        seen = self._perform(Visit(next(self._numbers), url, terms), url)
        return Opened(seen.url, seen.title, seen.forms, seen.links, seen.status)

    def submit(
        self, form: Form, assignment: ValueAssignment | Mapping[str, str], *, max_pages: int = 1
    ) -> Answer:
        """Carry an assignment to the site and judge the answer; reads `max_pages` result pages.

        A mapping names elements by label, name or id, and the value of each. UsageError for a
        form that is no search form, or an element or choice that it does not have.
        """
        if not form.searchable:
            raise UsageError(f"{form.action}: no search form ({form.reason}); it is not submitted")
        if not isinstance(assignment, ValueAssignment):
            assignment = assignment_of(form, assignment)
        probe = probe_assignment(form) if self._probe else None
        if probe is not None and form.fingerprint not in self._knowledge:
            self._send(form, probe, 1, probe=True)
        return self._send(form, assignment, max_pages)

    def _send(
        self, form: Form, assignment: ValueAssignment, max_pages: int, *, probe: bool = False
    ) -> Answer:
        known = self._knowledge.setdefault(form.fingerprint, FormKnowledge())
        key = assignment.key(form.fingerprint)
        action = Submit(
            next(self._numbers), form.page_url, form, assignment, key, form.fingerprint, known,
            self._terms(form.page_url), max_pages, probe=probe,
        )  # fmt: skip
        told = self._perform(action, form.page_url)
        if not told.pages:
            judgement = None if told.outcome == "not_sent" else Judgement(Verdict.ERROR, 1.0, ())
            return answer_of(assignment, judgement, told)
        features = told.pages[0].features
        judgement = judge(features, known)
        known = known.probed(features) if probe else known
        self._knowledge[form.fingerprint] = known.learned(features, judgement, key)
        left = told.pages_left and judgement.verdict is Verdict.RESULTS
        return answer_of(
            assignment, replace(judgement, truncated=judgement.truncated or left), told
        )

    def _terms(self, url: str) -> SiteTerms:
        """What the worker must know of a site; robots.txt is read once a host.

        What it says is not known while it cannot be had: SiteUnreachable, and it is asked again.
        """
        host = urlsplit(url).netloc
        terms = SiteTerms(host, self._delay_s, self._timeout_s)
        if not self._robots or urlsplit(url).scheme not in ("http", "https"):
            return terms
        if host not in self._policies:
            self._policies[host] = self._read_robots(url, terms)
        policy = self._policies[host]
        delay_s = max(self._delay_s, policy.crawl_delay_s)
        return SiteTerms(host, delay_s, self._timeout_s, permits=policy)

    def _read_robots(self, url: str, terms: SiteTerms) -> RobotsPolicy:
        where = robots_txt.robots_url(url)
        read = self._perform(ReadRobots(next(self._numbers), where, terms), url)
        if not read.status:
            raise SiteUnreachable(url, f"cannot be reached ({reason_of(read.error)})")
        empty = StoredRobots(where, None, "", 0.0, 0.0)
        stored = robots_txt.read(empty, where, read.status, read.text, now=time.time())
        found = robots_txt.policy(stored, self._agent) or robots_txt.ALLOW_EVERYTHING
        if found.is_temporary:
            why = f"robots.txt answers {read.status}, so that nothing may be asked; try again later"
            raise SiteUnreachable(url, why)
        return found

    def _perform(self, action: Any, url: str) -> Any:
        """What the worker brings back, after the host's pace; raises what a crawl would note."""
        wait_s = self._asked.get(action.terms.key, 0.0) + action.terms.delay_s - time.monotonic()
        time.sleep(max(0.0, wait_s))
        seen: Observation = self._do(self._worker.perform(action))
        self._asked[action.terms.key] = time.monotonic()
        if isinstance(seen, Failure):
            kind = FAILURES.get(seen.kind, PageError)
            raise kind(url, seen.message.removeprefix(f"{url}: "))
        assert isinstance(seen, RobotsRead | Submitted) or seen.action_id == action.id
        return seen

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def match(
    form: Form, table: LvsTable, *, sigma: float = SIGMA, generic: bool = True
) -> tuple[tuple[Element, LabelMatch], ...]:
    """Each element that takes values, with the row of the table that it matches (section 3.2)."""
    found = match_elements(form, table, sigma=sigma, generic=generic)
    return tuple((form.elements[at], matched) for at, matched in found.items())


def plan(
    form: Form,
    table: LvsTable,
    *,
    function: RankFunction = "min",
    rho_min: float = 0.6,
    order: Order = "harvest",
    sigma: float = SIGMA,
    budget: int = 100,
) -> Plan:
    """The form's ranked assignments: `next(n)` gives them, `record(answer.outcome)` teaches it."""
    matches = match_elements(form, table, sigma=sigma, generic=True)
    values = values_of(form, matches, table)
    return Plan(form, values, function=function, rho_min=rho_min, order=order, budget=budget)
