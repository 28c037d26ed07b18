"""Rows: what the database keeps of a submission's answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hiwe.repository.codec import to_plain
from hiwe.repository.pages import StoredPage
from hiwe.repository.submissions import Sent

if TYPE_CHECKING:
    from hiwe.crawl.form_work import FormWork
    from hiwe.engine.action import Submitted
    from hiwe.response.response import ResponseFeatures


def sent_row(answer: Submitted, features: Any) -> Sent:
    """How an assignment was carried out."""
    return Sent(
        outcome=answer.outcome,
        reason=answer.reason,
        request=answer.request,
        landed=answer.landed,
        fills=answer.fills,
        transport=answer.transport,
        result_pages=len(answer.pages),
        archived=tuple(ref for page in answer.pages for ref in page.archived),
        duration_s=answer.duration_s,
        features=features,
    )


def slim(features: ResponseFeatures | None) -> Any:
    """Features without the records, which have rows of their own."""
    if features is None:
        return None
    return to_plain(replace(features, records=(), region=None, lone=(), pages=()))


def page_row(
    work: FormWork,
    features: ResponseFeatures,
    archived: tuple[str, ...],
    now: float,
    purpose: str = "result",
) -> StoredPage:
    """A page that came for a form's submission."""
    return StoredPage(
        site=work.site.key,
        url=features.url,
        purpose=purpose,
        status=features.status,
        fetched_at=now,
        content_type=features.content_type,
        title=features.title,
        digest=features.digest,
        warc=archived[-1] if archived else "",
        archived=archived,
    )
