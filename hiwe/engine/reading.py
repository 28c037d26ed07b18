"""Reading: the result pages of one submission, analysed as they come."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hiwe.engine.action import ResultPage, Submitted
from hiwe.engine.check import Told, told_by
from hiwe.form.find import find_forms
from hiwe.response.analyse import analyse
from hiwe.response.knowledge import SURE
from hiwe.response.pager import step_after
from hiwe.response.response import PagerStep, Verdict
from hiwe.response.verdict import hit_records, judge
from hiwe.submission.chain import may_go_on

if TYPE_CHECKING:
    from hiwe.engine.action import Submit
    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.response.response import Judgement, Record, ResponseFeatures
    from hiwe.submission.submission import Submission

NEXT_PART = PagerStep("json", text="the next part")


class Reading:
    """Collects the result pages of one submission."""

    def __init__(self, action: Submit, sent: Submission) -> None:
        self._action = action
        self._sent = sent
        self._knowledge = action.knowledge
        self._pages: list[ResultPage] = []
        self._judgement: Judgement | None = None
        self._records: dict[str, tuple[Record, str]] = {}
        self._grew = False
        self._analysed: tuple[Page, str, tuple[str, ...], ResponseFeatures] | None = None
        self._further: Form | None = None
        self._missing: ResultPage | None = None
        self._dialogs = sent.form_page.dialogs
        self._instead: ResponseFeatures | None = None
        if sent.reason == "form_gone":
            self._instead = analyse(sent.form_page, form_page=None, form=action.form, landed="page")

    def add(self, page: Page, archived: tuple[str, ...]) -> None:
        """Analyse one more page of the answer."""
        values = tuple(b.value for b in self._action.assignment.bindings)
        features = self._analyse(page, self._sent.landed, values)
        if self._goes_on(features):
            features = replace(features, pager=NEXT_PART)
        judgement = judge(features, self._knowledge)
        if not self._pages:
            self._judgement = judgement
            self._further = self._further_form(page, features)
        self._dialogs += page.dialogs
        self._pages.append(ResultPage(features, archived))
        self._take_records(self._pages[-1], judgement)

    def _analyse(self, page: Page, landed: str, values: tuple[str, ...]) -> ResponseFeatures:
        last = self._analysed
        if last is not None and last[0] is page and last[1:3] == (landed, values):
            return last[3]
        features = analyse(
            page,
            form_page=self._sent.form_page,
            form=self._action.form,
            landed=landed,
            values=values,
            outcome_reason=self._sent.reason,
        )
        self._analysed = page, landed, values, features
        return features

    def _take_records(self, page: ResultPage, judgement: Judgement) -> None:
        before = len(self._records)
        where = page.archived[-1] if page.archived else ""
        for record in hit_records(page.features, judgement, self._knowledge):
            self._records.setdefault(record.key, (record, where))
        self._grew = len(self._records) > before

    def _goes_on(self, features: ResponseFeatures) -> bool:
        """Whether a part of an answer, asked for in a script's place, is not the last."""
        call, count = self._action.road.call, features.count
        if self._action.road.form != "http" or call is None or call.turn is None:
            return False
        known = {record.key for record in features.records} | self._records.keys()
        return count is not None and (count.total or 0) > len(known)

    def _further_form(self, page: Page, features: ResponseFeatures) -> Form | None:
        """The search form of an answer that is but the next step: new fields, no hits."""
        verdicts = (Verdict.SAME_PAGE, Verdict.INVALID)
        told = self._judgement is not None and self._judgement.verdict in verdicts
        if not told or features.has_form_again or features.signal("further_form") is None:
            return None
        known = {form.fingerprint for form in find_forms(self._sent.form_page)}
        fresh = [
            form
            for form in find_forms(page)
            if may_go_on(form) and form.fingerprint not in known | {self._action.form.fingerprint}
        ]
        return max(fresh, key=lambda form: form.score, default=None)

    @property
    def is_doubtful(self) -> bool:
        """The first page may as well be the site's 'page not found' with status 200."""
        judgement, known = self._judgement, self._knowledge
        if judgement is None or known.missing or self._further is not None:
            return False
        likely = judgement.verdict in (Verdict.RESULTS, Verdict.NO_RESULTS)
        return likely and judgement.confidence < SURE and self._pages[0].features.count is None

    def compare_with_missing(self, page: Page, word: str, archived: tuple[str, ...]) -> None:
        """Judge the first page again, now that the answer to a made-up path is known.

        `word` is the made-up part of the path: its echo is masked.
        """
        features = self._analyse(page, "page", (word,))
        self._missing = ResultPage(features, archived)
        if features.status >= 400 or not features.significant:
            return
        self._knowledge = self._knowledge.with_missing(features)
        self._judgement = judge(self._pages[0].features, self._knowledge)
        self._records.clear()
        self._take_records(self._pages[0], self._judgement)

    def note(self, form_page: str) -> dict[str, Any]:
        """What the archive keeps beside the page, so that it can be analysed again from there."""
        action, sent = self._action, self._sent
        return {
            "purpose": "result",
            "form": action.identity,
            "fingerprint": action.form.fingerprint,
            "form_page": form_page,
            "key": action.key,
            "page": len(self._pages),
            "probe": action.probe,
            "landed": sent.landed,
            "reason": sent.reason,
            "values": [binding.value for binding in action.assignment.bindings],
        }

    def brings_new(self, page: Page) -> bool:
        """Whether one more page of the answer, not added yet, holds new records."""
        values = tuple(b.value for b in self._action.assignment.bindings)
        features = self._analyse(page, self._sent.landed, values)
        told = told_by(features, self._knowledge, len(self._pages) + 1)
        return not told.keys <= self._records.keys()

    def compare(self, page: Page, landed: str, place: int) -> tuple[Told, Told, ResponseFeatures]:
        """What result page `place` (-1: the last) told, and what another reading of it tells."""
        values = tuple(b.value for b in self._action.assignment.bindings)
        number = len(self._pages) if place < 0 else place + 1
        features = self._analyse(page, landed, values)
        ours = told_by(self._pages[place].features, self._knowledge, number)
        return ours, told_by(features, self._knowledge, number), features

    def wants_part(self) -> bool:
        """Whether more of an answer that comes in parts is worth asking for."""
        count = self._pages[0].features.count
        if not self._grew or self._action.probe or len(self._pages) >= self._action.max_pages:
            return False
        return count is None or count.total is None or len(self._records) < count.total

    @property
    def keys(self) -> frozenset[str]:
        """Keys of all records so far."""
        return frozenset(self._records)

    @property
    def size(self) -> int:
        """How many result pages were read."""
        return len(self._pages)

    def next_step(self) -> PagerStep | None:
        """The pager step worth following: results that still grow, within the budget."""
        features: ResponseFeatures = self._pages[-1].features
        if not self._grew or self._action.probe or len(self._pages) >= self._action.max_pages:
            return None
        return step_after(features, len(self._pages))

    def observation(self, duration_s: float, response_s: float) -> Submitted:
        """What the brain is told."""
        sent = self._sent
        request = sent.request
        last = self._pages[-1].features if self._pages else None
        return Submitted(
            action_id=self._action.id,
            outcome=sent.outcome,
            reason=sent.reason,
            landed=sent.landed,
            fills=sent.fills,
            pages=tuple(self._pages),
            judgement=self._judgement,
            records=tuple(self._records.values()),
            request=None
            if request is None
            else (request.method, request.url, request.request_body.decode("utf-8", "replace")),
            pages_left=bool(last and last.pager and self._grew),
            duration_s=duration_s,
            response_s=response_s,
            domains=sent.domains,
            dialogs=self._dialogs,
            further=self._further,
            missing=self._missing,
            instead=self._instead,
        )
