"""report.html: the whole run as one page that needs nothing but itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiwe.report.costs import read_costs
from hiwe.report.directory import opened, snapshot, write_whole
from hiwe.report.figures import read_figures
from hiwe.report.graphs import form_graphs, growth_graph, run_graphs
from hiwe.report.growth import read_growth
from hiwe.report.history import read_history
from hiwe.report.look import environment
from hiwe.report.notes import read_notes
from hiwe.report.submissions import read_submissions
from hiwe.report.traces import TRACES

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.repository.database import Database

FILE_NAME = "report.html"
MOST_SUBMISSIONS = 1000  # rows of the table: more would be slow to open on a phone


def write_html(out: Path) -> Path:
    """Write report.html of the run in `out`; return its path. RunError if there is no run."""
    with opened(out) as db, snapshot(db):
        contents = _contents(db) | {"costs": read_costs(out)}
    page = environment().get_template("report.html.j2").render(contents)
    return write_whole(out / FILE_NAME, page)


def _contents(db: Database) -> dict[str, Any]:
    """Return what the template shows."""
    figures = read_figures(db)
    history = read_history(db)
    growth = read_growth(db)
    return {
        "run": figures,
        "notes": read_notes(db),
        "growth": growth,
        "graphs": run_graphs(figures, history),
        "form_graphs": {
            form.id: form_graphs([step for step in history if step.form == form.id])
            for form in figures.chosen
        },
        "growth_graph": growth_graph(growth),
        "submissions": read_submissions(db, figures.forms, limit=MOST_SUBMISSIONS),
        "traces": TRACES,
    }
