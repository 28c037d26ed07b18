"""summary.json: the figures of a run for other programs, as the contract lays them down."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiwe.report.directory import opened, write_whole
from hiwe.report.figures import read_figures
from hiwe.report.words import iso

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.report.figures import ElementFigures, FormFigures, RunFigures
    from hiwe.repository.totals import SiteTotals

FILE_NAME = "summary.json"


def write_summary(out: Path) -> Path:
    """Write summary.json of the run in `out`; return its path. RunError if there is no run."""
    with opened(out) as db:
        figures = read_figures(db)
    text = json.dumps(summary_of(figures), ensure_ascii=False, indent=2)
    return write_whole(out / FILE_NAME, text + "\n")


def summary_of(figures: RunFigures) -> dict[str, Any]:
    """Return the summary as JSON values: times in ISO 8601 UTC, durations in seconds."""
    return {
        "task": figures.task,
        "status": figures.status,
        "started_at": iso(figures.started_at),
        "ended_at": iso(figures.ended_at),
        "duration_s": round(figures.duration_s, 3),
        "totals": _totals(figures),
        "verdicts": {str(verdict): number for verdict, number in figures.verdicts.items()},
        "sites": [_site(site) for site in figures.sites],
        "forms": [_form(form) for form in figures.forms],
    }


def _totals(figures: RunFigures) -> dict[str, Any]:
    totals = figures.totals
    return {
        "pages": totals.pages,
        "result_pages": totals.result_pages,
        "forms_seen": totals.forms_seen,
        "forms_chosen": totals.forms_chosen,
        "submissions": totals.tally.submissions,
        "success": totals.tally.success,
        "valid": totals.tally.valid,
        "truncated": totals.tally.truncated,
        "se_strict": round(totals.tally.se_strict, 6),
        "se_lenient": round(totals.tally.se_lenient, 6),
        "records": totals.records,
        "errors": totals.errors,
        "probes": totals.probes,
        "checks": totals.checks,
    }


def _site(site: SiteTotals) -> dict[str, Any]:
    return {
        "url": site.url,
        "pages": site.pages,
        "submissions": site.tally.submissions,
        "records": site.records,
        "stopped": site.stopped,
    }


def _form(form: FormFigures) -> dict[str, Any]:
    return {
        "id": form.id,
        "site": form.site,
        "url": form.url,
        "action": form.action,
        "method": form.method,
        "decision": form.decision,
        "reason": form.reason,
        "transport": form.transport,
        "stopped": form.stopped,
        "elements": [_element(element) for element in form.elements],
        "submissions": form.tally.submissions,
        "success": form.tally.success,
        "valid": form.tally.valid,
        "probes": form.probes,
        "records": form.records,
        "new_records": form.new_records,
        "estimated_total": form.estimated_total,
    }


def _element(element: ElementFigures) -> dict[str, Any]:
    return {
        "name": element.name,
        "label": element.label,
        "label_source": element.label_source,
        "kind": element.kind,
        "matched_row": element.matched_row,
        "matched_by": element.rule,
    }
