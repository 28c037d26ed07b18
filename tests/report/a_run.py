"""A small run, written through the repository's stores as a crawl writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.form import Element, Form, Submitter
from hiwe.page.page import Box
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.experience import Change, Experience
from hiwe.repository.forms import Forms, Match
from hiwe.repository.pages import Pages, StoredPage
from hiwe.repository.records import Records
from hiwe.repository.run import Run
from hiwe.repository.submissions import Sent, Submissions
from hiwe.response.response import Judgement, Record, Signal, Verdict
from hiwe.submission.assignment import Binding, ValueAssignment

if TYPE_CHECKING:
    from pathlib import Path

BEGAN = 1_780_000_000.0  # 2026-05-28 20:26:40 UTC
ONE, TWO = "http://127.0.0.1:8701/", "http://127.0.0.1:8702/"
ACTION = f"{ONE}cgi/find"
NO_BOX = Box(0.0, 0.0, 0.0, 0.0)


def element(name, label, source="layout", kind="text"):
    """An element of a form."""
    return Element(controls=(0,), name=name, id="", kind=kind, label=label, label_source=source,
                   runner_up="", options=(), box=NO_BOX, visible=True)  # fmt: skip


def form(fingerprint, elements, *, url=ONE, action=ACTION, method="GET", reason="search"):
    """A form with elements and one button."""
    return Form(
        index=0, dom_form=0, page_url=url, page_title="Films", language="en", method=method,
        action=action, enctype="", elements=tuple(elements),
        submitters=(Submitter(1, "submit", "Go", "", "", action, method),), hidden=(),
        searchable=True, reason=reason, score=1.0, fingerprint=fingerprint,
    )  # fmt: skip


class Builder:
    """Writes a run step by step; the clock goes on by a second with every submission."""

    def __init__(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self.now = BEGAN
        self.db = Database(out / FILE_NAME)
        self.run = Run(self.db, clock=lambda: self.now)
        self.forms, self.submissions = Forms(self.db), Submissions(self.db)
        self.records, self.pages = Records(self.db), Pages(self.db)
        self.experience = Experience(self.db)

    def begin(self, *sites):
        """Start to work on the sites."""
        self.run.begin("films")
        self.run.set_sites(sites)

    def visit(self, url, *, site=ONE):
        """Keep a visited page."""
        self.pages.add(StoredPage(site, url, "visit", 200, self.now, duration_s=0.2))

    def meet(self, seen, *, site=ONE, decision="chosen", reason="search", rows=()):
        """Keep a form and the rows its elements matched; its id."""
        form_id = self.forms.add(site, seen, decision=decision, reason=reason, at=self.now)
        assert form_id is not None, "met before"
        self.forms.set_matches(
            form_id, {at: Match(row, 0.9, "label") for at, row in enumerate(rows) if row}
        )
        return form_id

    def submit(
        self, form_id, value, verdict, keys=(), *, site=ONE, rank=0.8, probe=False, stated=None
    ):
        """Carry out one submission that finds the records with these keys; its id.

        `value` None sends the form as it stands; `stated` is the site's own count.
        """
        self.now += 1.0
        bindings = () if value is None else (Binding(0, value, rank, "Director"),)
        assignment = ValueAssignment(bindings, rank)
        number = self.submissions.claim(
            form_id, f"{form_id}-{value}", site=site, assignment=assignment, at=self.now,
            probe=probe,
        )  # fmt: skip
        assert number is not None, "submitted before"
        request = ("GET", f"{ACTION}?d={value}", "")
        sent = Sent("sent", request=request, archived=("0-1.warc.gz#120",), duration_s=0.4,
                    result_pages=1,
                    features={"features": {"count": {"total": stated}}})  # fmt: skip
        self.submissions.record(number, sent, at=self.now)
        new = sum(
            self.records.add(Record((("Title", key),), None, key), site=site, submission=number,
                             at=self.now)
            for key in keys
        )  # fmt: skip
        if verdict is not None:
            judged = Judgement(verdict, 0.9, (Signal("count", "1-2 of 2", 0.8),), "2 items")
            self.submissions.judge(number, judged, records=len(keys), new_records=new)
        return number

    def learn(self, value, provenance, *, submission=None):
        """Put a value into the row Director."""
        data = [0.8, 0.8, provenance, 0, 0]
        self.experience.save_rows({"Director": {"label": "Director", "provenance": "explicit"}})
        self.experience.save_values([("Director", value, data)])
        change = Change("Director", value, None, 0.8, f"{provenance} value", submission)
        self.experience.log([change], at=self.now)

    def close(self):
        """Close the database."""
        self.db.close()


def build(out: Path, *, status: str | None = "finished") -> Path:
    """A run of two sites: one harvested through two forms, one that does not answer."""
    made = Builder(out)
    made.begin(ONE, TWO)
    made.visit(ONE)
    made.visit(f"{ONE}about")
    wide = made.meet(
        form("wide", [element("d", "Director"), element("g", "Genre", "for", "select"),
                      element("q", "", "none")]),
        rows=("Director", "Genre"),
    )  # fmt: skip
    box = made.meet(form("box", [element("q", "Search", "placeholder")], action=f"{ONE}search"),
                    rows=("Director",))  # fmt: skip
    made.meet(
        form("login", [element("user", "User"), element("pass", "Password", kind="password")],
             action=f"{ONE}login", method="POST"),
        decision="skipped", reason="login",
    )  # fmt: skip
    made.submit(wide, "zqxvkj", Verdict.NO_RESULTS, probe=True)
    found = made.submit(wide, "Ida Fenwick", Verdict.RESULTS, ("a", "b", "c"))
    made.submit(wide, "Olu <b>Berg</b>", Verdict.RESULTS, ("c", "d"))
    made.submit(wide, "Nobody", Verdict.NO_RESULTS)
    made.submit(box, "Ida Fenwick", Verdict.RESULTS, ("a",))
    made.submit(box, "x", Verdict.INVALID)
    made.submit(box, "lost", None)
    made.forms.update(wide, stopped="exhausted")
    made.forms.update(box, estimated_total=5.5)
    made.learn("Ida Fenwick", "explicit")
    made.learn("Kit Moore", "results", submission=found)
    made.run.add_event("form", "chosen GET /cgi/find (search)", site=ONE, data={"form": wide})
    made.run.add_event("error", f"{TWO} does not answer", level="error", site=TWO)
    made.run.stop_site(TWO, "unreachable: the host does not answer")
    made.db.execute(
        "INSERT INTO shapes (host, shape, addresses, closed, refused)"
        " VALUES ('127.0.0.1:8701', '/calendar?m=N', 50, 'stale', 12)"
    )
    if status is not None:
        made.run.end(status)
    made.close()
    return out
