"""Reading: the result pages of one submission, analysed as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiwe.engine.action import ResultPage, Submitted
from hiwe.response.analyse import analyse
from hiwe.response.verdict import hit_records, judge

if TYPE_CHECKING:
    from hiwe.engine.action import Submit
    from hiwe.page.page import Page
    from hiwe.response.response import Judgement, PagerStep, Record, ResponseFeatures
    from hiwe.submission.submission import Submission


class Reading:
    """Collects the result pages of one submission."""

    def __init__(self, action: Submit, sent: Submission) -> None:
        self._action = action
        self._sent = sent
        self._pages: list[ResultPage] = []
        self._judgement: Judgement | None = None
        self._records: dict[str, tuple[Record, str]] = {}
        self._grew = False

    def add(self, page: Page, archived: tuple[str, ...]) -> None:
        """Analyse one more page of the answer."""
        features = analyse(
            page,
            form_page=self._sent.form_page,
            form=self._action.form,
            landed=self._sent.landed,
            values=tuple(b.value for b in self._action.assignment.bindings),
            outcome_reason=self._sent.reason,
        )
        judgement = judge(features, self._action.knowledge)
        self._judgement = self._judgement or judgement
        self._pages.append(ResultPage(features, archived))
        before = len(self._records)
        for record in hit_records(features, judgement, self._action.knowledge):
            self._records.setdefault(record.key, (record, archived[-1] if archived else ""))
        self._grew = len(self._records) > before

    def note(self, form_page: str) -> dict[str, Any]:
        """What the archive keeps beside the page, so that it can be analysed again from there."""
        action, sent = self._action, self._sent
        return {
            "purpose": "result",
            "form": action.form.fingerprint,
            "form_page": form_page,
            "key": action.assignment.key(action.form.fingerprint),
            "page": len(self._pages),
            "probe": action.probe,
            "landed": sent.landed,
            "reason": sent.reason,
            "values": [binding.value for binding in action.assignment.bindings],
        }

    def next_step(self) -> PagerStep | None:
        """The pager step worth following: results that still grow, within the budget."""
        features: ResponseFeatures = self._pages[-1].features
        if not self._grew or self._action.probe or len(self._pages) >= self._action.max_pages:
            return None
        return features.pager

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
        )
