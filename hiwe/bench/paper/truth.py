"""A run read beside the truth: what the server knows of every answer, form and label."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hiwe.bench.scoring import is_strict_hit
from hiwe.crawl.stores import Stores
from hiwe.report.growth import read_growth
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.submissions import COUNTED_STATES
from hiwe_fixtures.generated.markup import action, is_silent

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.form.form import Form
    from hiwe.repository.forms import StoredForm
    from hiwe.repository.submissions import StoredSubmission
    from hiwe_fixtures.generated import FormPlan, ServedWeb, SitePlan

VERDICTS = {"results": "results", "none": "no_results", "invalid": "invalid"}
TASKS = ("films", "reports", "articles")


def read_run(run: Path, web: ServedWeb, task: str) -> dict[str, Any]:
    """Everything the tables need of a run, as JSON values."""
    with Database(run / FILE_NAME, read_only=True) as db:
        stores = Stores.of(db)
        every = [s for s in stores.submissions.each() if not s.probe and s.state in COUNTED_STATES]
        forms = stores.forms.all()
        growth = read_growth(db)
        records = len((run / "records.jsonl").read_text(encoding="utf-8").splitlines())
        table = sum(count for _, count in growth.start)
    keys = {url: key for key, url in web.urls.items()}
    known = {form.id: _planned(form, web, keys) for form in forms}
    return {
        **_counts(every),
        "records": records,
        "by_form": [_form_row(f, known[f.id], every, task) for f in forms],
        "missed": _missed(known, web, keys, forms, task),
        **_verdicts(every, web, keys),
        "labels": [row for f in forms if (row := _labels(f.found, known[f.id])) is not None],
        "steps": _steps(every),
        "growth": [value.at for value in growth.new_values],
        "table": table,
    }


def _counts(every: list[StoredSubmission]) -> dict[str, int]:
    verdicts = Counter(_said(s) for s in every)
    return {
        "total": len(every),
        "success": verdicts["results"],
        "valid": verdicts["results"] + verdicts["no_results"],
        "by_http": sum(s.transport == "http" for s in every),
    }


def _said(submission: StoredSubmission) -> str:
    return str(submission.judgement.verdict) if submission.judgement else "unjudged"


def _planned(
    form: StoredForm, web: ServedWeb, keys: dict[str, str]
) -> tuple[SitePlan, FormPlan] | None:
    """The plan of a form that was met, None for one that is no search of the web."""
    site = next(s for s in web.plan.sites if s.key == keys[form.site])
    names = {element.name for element in form.found.elements}
    path = urlsplit(form.form.page_url).path
    for plan in site.forms:
        wanted = {field.name for field in plan.fields}
        on_page = path == plan.path or path.startswith(action(plan))
        if on_page and names & wanted and len(names ^ wanted) <= len(wanted) // 2:
            return site, plan
    return None


def _form_row(
    form: StoredForm, planned: tuple[SitePlan, FormPlan] | None, every: list[StoredSubmission],
    task: str,
) -> dict[str, Any]:  # fmt: skip
    """One form as met: what it is, what was decided, what its submissions came to."""
    own = [_said(s) for s in every if s.form == form.id]
    return {
        "site": planned[0].key if planned else "",
        "path": urlsplit(form.form.page_url).path,
        "domain": planned[1].domain if planned else "",
        "fits": bool(planned and planned[1].domain == task),
        "technology": planned[1].technology if planned else "",
        "layout": planned[1].layout if planned else "",
        "size": sum(element.fillable for element in form.form.elements),
        "decision": form.decision,
        "reason": form.reason,
        "stopped": form.stopped,
        "total": len(own),
        "success": own.count("results"),
        "valid": own.count("results") + own.count("no_results"),
    }


def _missed(
    known: dict[int, tuple[SitePlan, FormPlan] | None], web: ServedWeb, keys: dict[str, str],
    forms: list[StoredForm], task: str,
) -> list[str]:  # fmt: skip
    """The search forms of the task that were never met."""
    met = {(pair[0].key, action(pair[1])) for pair in known.values() if pair}
    visited = {keys[form.site] for form in forms}
    return [
        f"{site.key} {action(form)}"
        for site in web.plan.sites
        if site.key in visited
        for form in site.forms
        if form.domain == task and (site.key, action(form)) not in met
    ]


def _verdicts(
    every: list[StoredSubmission], web: ServedWeb, keys: dict[str, str]
) -> dict[str, Any]:
    """Verdicts beside what the server answered; those without an answer stand as unknown."""
    truth = {(a.site, a.request): a for a in web.answers}
    by_path = {(a.site, a.request[0], _without_token(a.request)): a for a in web.answers}
    matrix: Counter[str] = Counter()
    wrong: list[str] = []
    for sent in every:
        method, url, body = sent.request
        parts = urlsplit(url)
        where = parts.path + (f"?{parts.query}" if parts.query else "")
        site, request = keys[sent.site], (method, where, body)
        answer = truth.get((site, request)) or by_path.get((site, method, _without_token(request)))
        true = VERDICTS[answer.verdict] if answer else "unknown"
        matrix[f"{true}/{_said(sent)}"] += 1
        if true != _said(sent):
            wrong.append(f"{site} {method} {where} {body[:120]}: {true}, judged {_said(sent)}"
                         f" ({sent.transport}; {sent.reason})")  # fmt: skip
    return {"matrix": dict(matrix), "wrong": wrong}


def _without_token(request: tuple[str, str, str]) -> tuple[str, str]:
    """Path and body of a request without its token, which changes from visit to visit."""
    return request[1], re.sub(r"(^|&)csrf_token=[^&]*", "", request[2])


def _labels(form: Form, planned: tuple[SitePlan, FormPlan] | None) -> list[Any] | None:
    """(layout, field, label wanted, label found, hit) of a planned form's elements."""
    if planned is None:
        return None
    plan = planned[1]
    found = {element.name: element for element in form.elements}
    rows = []
    for field in plan.fields:
        if is_silent(plan, field):
            continue
        element = found.get(field.name)
        given = element.label_text if element else ""
        hit = any(is_strict_hit(name, given) for name in field.names)
        rows.append([plan.layout, f"{planned[0].key} {field.name}", field.label, given, hit])
    return rows


def _steps(every: list[StoredSubmission]) -> list[list[Any]]:
    """(time, verdict) of each submission in the order they ended."""
    ended = sorted(every, key=lambda s: s.ended_at or s.claimed_at)
    return [[s.ended_at or s.claimed_at, _said(s)] for s in ended]
