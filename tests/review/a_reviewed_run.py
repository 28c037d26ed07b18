"""A run to be reviewed: two forms, one with its page in the archive, answers, an LVS table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.form.form import Submitter
from hiwe.page.page import Box, Control, DomForm, Option, Page, TextRun
from hiwe.repository.codec import to_plain
from hiwe.repository.pages import StoredPage
from hiwe.repository.warc_writer import WarcWriter
from hiwe.response.response import Verdict
from hiwe.review.application import application
from hiwe.review.guard import Keys
from hiwe.review.reviewed import Reviewed
from hiwe.submission.assignment import Binding
from hiwe.submission.values import ElementValues
from tests.report.a_run import ACTION, ONE, TWO, Builder, element, form
from tests.review.asgi import Client

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "<script>alert(1)</script>"
PLAIN = {"visible": True, "font_size": 16.0, "bold": False, "tag": "td"}
ANSWER = f"<main><h1>Films</h1><p>2 films by {EVIL}<b>Ida</b></p><p hiwe-hidden>unseen</p></main>"


def control(index, kind, name, box, **more):
    """A control of the page."""
    return Control(
        index=index, tag="input", kind=kind, name=name, id="", value="", form=0, box=Box(*box),
        visible=True, **more,
    )  # fmt: skip


def snapshot(url=ONE) -> Page:
    """The page of the first form as a browser saw it."""
    genres = (Option("", "any genre"), Option("d", "Drama", selected=True))
    return Page(
        url=url, status=200, html="<title>Films</title>", viewport=(800, 600),
        forms=(DomForm(0, 0, "", "", "GET", ACTION, "", "", "", "", "", Box(0, 0, 800, 200),
                       visible=True),),
        controls=(
            control(0, "text", "d", (120, 20, 200, 24), placeholder="surname"),
            control(1, "select", "g", (120, 60, 200, 24), options=genres),
            control(2, "text", "q", (120, 100, 200, 24)),
            control(3, "submit", "", (120, 140, 60, 24), text="Go"),
        ),
        texts=(
            TextRun("Regisseur", Box(20, 22, 80, 20), order=0, **PLAIN),
            TextRun("Genre", Box(20, 62, 50, 20), order=1, **PLAIN),
            TextRun(EVIL, Box(20, 102, 80, 20), order=2, **PLAIN),
            TextRun("A page far below", Box(20, 5000, 200, 20), order=3, **PLAIN),
        ),
    )  # fmt: skip


def elements():
    """Elements as found in `snapshot`: a wrong label, a right one, none."""
    return [
        replace(element("d", "Regisseur"), box=Box(120, 20, 200, 24), label_text="Regisseur",
                label_box=Box(20, 22, 80, 20), runner_up="Genre", label_cost=4.2),
        replace(element("g", "Genre", "for", "select"), controls=(1,), box=Box(120, 60, 200, 24),
                label_box=Box(20, 62, 50, 20), label_text="Genre",
                options=(Option("d", "Drama"), Option("w", "Western"))),
        replace(element("q", "", "none"), controls=(2,), box=Box(120, 100, 200, 24)),
    ]  # fmt: skip


def values(position, *names):
    """What an element may be set to, best first."""
    bindings = tuple(Binding(position, name, 1.0, "Director", None, "", "explicit")
                     for name in names)  # fmt: skip
    return ElementValues(position, bindings, True, False, True)


def build(out: Path) -> Path:
    """The run, finished; its configuration lies beside it, a directory above."""
    made = Builder(out)
    table = out.parent / "films.yaml"
    table.write_text("- label: Director\n  values: [Ida Fenwick]\n- label: Genre\n"
                     "  values: {Drama: 0.5}\n")  # fmt: skip
    config = f"task: films\nsites: ['{ONE}', '{TWO}']\nlvs: {{builtin: [], tables: ['{table}']}}\n"
    (out.parent / "films-task.yaml").write_text(config)
    (out / "config.yaml").write_text(config)
    made.run.set("assist", str(out.parent / "assist.yaml"))
    made.begin(ONE, TWO)
    archive = WarcWriter(out / "warc")
    (seen,) = archive.store((), snapshot())
    (answered,) = archive.store((), Page(url=f"{ACTION}?d=x", status=200, html=ANSWER))
    archive.close()
    made.pages.add(StoredPage(ONE, ONE, "visit", 200, made.now, warc=seen))
    sends = Submitter(3, "submit", "Go", "", "", ACTION, "GET")
    searched = replace(form("wide", elements()), submitters=(sends,))
    wide = made.meet(searched, rows=("Director", "Genre"))
    made.forms.update(wide, state={"values": to_plain((values(0, "Ida Fenwick", "Kit Moore"),))})
    made.meet(
        form("login", [element("user", EVIL), element("", "Password", kind="password")],
             url="javascript:alert(1)", action=f"{ONE}login", method="POST"),
        decision="skipped", reason="login",
    )  # fmt: skip
    made.submit(wide, "Ida Fenwick", Verdict.RESULTS, ("a", "b"))
    made.submit(wide, EVIL, Verdict.NO_RESULTS)
    made.submit(wide, "lost", None)
    made.db.execute("UPDATE submissions SET archived = json_array(?)", (answered,))
    made.run.add_event("form", f"chosen {EVIL}", site=ONE, data={"form": wide})
    made.run.end("finished")
    made.close()
    return out


def client(out: Path) -> Client:
    """One who has been let in."""
    keys = Keys.fresh(8123)
    return Client(application(Reviewed.of(out), keys), keys)
