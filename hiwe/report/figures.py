"""The figures of a run as every report shows them: the run, its sites, its forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.report.coverage import Coverage, read_coverage
from hiwe.report.directory import snapshot
from hiwe.repository.run import TIME_SPENT, Run
from hiwe.repository.totals import COUNTED, RunTotals, SiteTotals, Tally, Totals

if TYPE_CHECKING:
    from hiwe.repository.database import Database, Row
    from hiwe.response.coverage import Estimate
    from hiwe.response.response import Verdict

CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class ElementFigures:
    """An element of a form as understood; `matched_row` None: no row of the LVS table.

    `rule` says how the row was found, `runner_up` which label it would have had otherwise, `bound`
    how many submissions set it. One that is not `fillable` keeps its default: `role` says why
    (paging, contact, trap).
    """

    name: str
    label: str
    label_source: str
    kind: str
    matched_row: str | None
    similarity: float | None
    rule: str
    runner_up: str
    role: str
    fillable: bool
    bound: int

    @property
    def title(self) -> str:
        """The label, or the name in brackets where no label was found."""
        return self.label or f"[{self.name}]"


@dataclass(frozen=True, slots=True)
class FormFigures:
    """A form, the decision about it, and what came of it.

    `estimated_total` is how many records there are behind it, as estimated from who found what
    (`estimate`, with its interval), else as the crawl noted; None when too little is known.

    `records` are distinct records its submissions found, `new_records` those nobody had found
    before. `pages` counts the pages that show the form.
    """

    id: int
    site: str
    url: str
    action: str
    method: str
    decision: str
    reason: str
    transport: str
    stopped: str
    estimated_total: float | None
    elements: tuple[ElementFigures, ...]
    pages: int
    tally: Tally
    probes: int
    records: int
    new_records: int
    estimate: Estimate | None

    @property
    def chosen(self) -> bool:
        """Whether assignments are submitted through it."""
        return self.decision == CHOSEN


@dataclass(frozen=True, slots=True)
class RunFigures:
    """All figures of a run. `started_at` and `ended_at` are seconds since 1970, None: not yet."""

    task: str
    status: str
    started_at: float | None
    ended_at: float | None
    duration_s: float
    totals: RunTotals
    verdicts: dict[Verdict, int]
    sites: tuple[SiteTotals, ...]
    forms: tuple[FormFigures, ...]
    coverage: Coverage

    @property
    def state(self) -> str:
        """The status in words: a process that was killed could not say so."""
        if self.is_out_of_time:
            return "out of time"
        return "still running or killed" if self.status == "running" else self.status

    @property
    def is_out_of_time(self) -> bool:
        """Whether the run ended with work left because the time of the budget was spent."""
        spent = any(site.stopped.startswith(TIME_SPENT) for site in self.sites)
        return self.status == "finished" and spent and self.totals.open_actions > 0

    @property
    def unanswered(self) -> int:
        """Submissions that left and brought no answer to judge."""
        return self.totals.tally.submissions - sum(self.verdicts.values())

    @property
    def chosen(self) -> tuple[FormFigures, ...]:
        """The forms submitted through."""
        return tuple(form for form in self.forms if form.chosen)

    @property
    def skipped(self) -> tuple[FormFigures, ...]:
        """The forms left alone."""
        return tuple(form for form in self.forms if not form.chosen)


def read_figures(db: Database) -> RunFigures:
    """Return the figures of a run as one consistent state, while others may be writing."""
    with snapshot(db):
        run, totals, coverage = Run(db), Totals(db), read_coverage(db)
        return RunFigures(
            task=str(run.get("task", "")),
            status=run.status,
            started_at=run.get("started_at"),
            ended_at=run.get("ended_at"),
            duration_s=run.duration_s,
            totals=totals.run(),
            verdicts=totals.verdicts(),
            sites=tuple(totals.sites()),
            forms=_forms(db, totals, coverage),
            coverage=coverage,
        )


def _forms(db: Database, totals: Totals, coverage: Coverage) -> tuple[FormFigures, ...]:
    """Return the forms, in the order of their sites, then as first seen."""
    elements = _elements(db)
    pages = {row[0]: row[1] for row in db.rows(
        "SELECT form, count(*) FROM form_pages GROUP BY form")}  # fmt: skip
    new = totals.new_records()
    figures = totals.forms()
    rows = db.rows(
        "SELECT id, forms.site, forms.url, action, method, decision, reason, transport,"
        " forms.stopped, estimated_total FROM forms LEFT JOIN sites ON sites.url = forms.site"
        " ORDER BY coalesce(position, 1e9), forms.site, id"
    )
    return tuple(
        FormFigures(
            **_with_total(row, coverage.forms.get(row["id"])),
            elements=tuple(elements.get(row["id"], ())),
            pages=pages.get(row["id"], 0),
            tally=figures[row["id"]].tally,
            probes=figures[row["id"]].probes,
            records=figures[row["id"]].records,
            new_records=new.get(row["id"], 0),
        )
        for row in rows
    )


def _with_total(row: Row, found: Estimate | None) -> dict[str, Any]:
    """Return a form's columns; what is estimated from all records outdoes what the crawl noted."""
    columns: dict[str, Any] = {**dict(row), "estimate": found}
    if found is not None:
        columns["estimated_total"] = round(found.estimated, 1)
    return columns


def _elements(db: Database) -> dict[int, list[ElementFigures]]:
    """Return form id -> its elements in their order."""
    bound = _bound(db)
    found: dict[int, list[ElementFigures]] = {}
    for row in db.rows(
        "SELECT e.form, position, name, label, label_source, kind, matched_row, similarity, rule,"
        " coalesce(json_extract(j.value, '$.runner_up'), '') AS runner_up,"
        " coalesce(json_extract(j.value, '$.role'), 'value') AS role,"
        " coalesce(json_extract(j.value, '$.fillable'), 1) AS fillable"
        " FROM forms, json_each(forms.form, '$.elements') j"
        " JOIN elements e ON e.form = forms.id AND e.position = j.key ORDER BY e.form, position"
    ):
        found.setdefault(row["form"], []).append(_element(row, bound))
    return found


def _bound(db: Database) -> dict[tuple[int, int], int]:
    """Return (form, position of the element) -> submissions that set it."""
    rows = db.rows(
        "SELECT form, json_extract(j.value, '$.element') AS element, count(*) AS bound"
        f" FROM submissions, json_each(assignment, '$.bindings') j WHERE {COUNTED}"
        " GROUP BY form, element"
    )
    return {(row["form"], row["element"]): row["bound"] for row in rows}


def _element(row: Row, bound: dict[tuple[int, int], int]) -> ElementFigures:
    plain = dict(row)
    place = (plain.pop("form"), plain.pop("position"))
    fillable = bool(plain.pop("fillable"))
    return ElementFigures(**plain, fillable=fillable, bound=bound.get(place, 0))
