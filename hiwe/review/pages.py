"""The pages that show: overview, forms, a form, an element, answers, rows, corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from hiwe.report.audit import read_audit
from hiwe.report.sheet import answered_page, answers, harmless_html
from hiwe.repository.judged import Judged
from hiwe.repository.run import Run
from hiwe.repository.totals import Totals
from hiwe.response.response import Verdict
from hiwe.review.answers import read_answer, read_lines, verdict_counts
from hiwe.review.form_list import Paging, Wish, read_forms, reasons
from hiwe.review.form_view import element_at, page_of, read_form
from hiwe.review.found import found
from hiwe.review.guard import FOREIGN_PAGE
from hiwe.review.live import look, told_of_corrections
from hiwe.review.rows import read_rows, read_values
from hiwe.review.sketch import sketch_form
from hiwe.task.assist import FILE_NAME as ASSIST_FILE

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request

    from hiwe.review.guard import Keys
    from hiwe.review.reviewed import Reviewed

VALUES_A_PAGE = 100
LONGEST_NUMBER = 10  # digits
SAID = {
    "saved": "Saved. It holds from the crawl's next action on.",
    "verdict": "Verdict kept.",
    "drawn": "Answers drawn.",
    "told": "The crawl is told.",
}


class Pages:
    """Answers to GET. Every page is rendered from the database as it is at that moment."""

    def __init__(self, reviewed: Reviewed, keys: Keys, templates: Environment) -> None:
        self._reviewed = reviewed
        self._keys = keys
        self._templates = templates

    def _show(self, request: Request, template: str, **contents: Any) -> Response:
        """Render a page; `said` in the address names what was just done."""
        contents |= {
            "csrf": self._keys.csrf,
            "out": str(self._reviewed.out),
            "here": template.removesuffix(".html.j2"),
            "said": SAID.get(request.query_params.get("said", ""), ""),
        }
        text = self._templates.get_template(template).render(contents)
        return HTMLResponse(text.encode("utf-8", "replace"))  # pages hold half surrogate pairs

    def overview(self, request: Request) -> Response:
        """Live figures by site, the events, what can be told to the crawl."""
        with self._reviewed.database() as db:
            now = look(db, self._reviewed.wanted(), self._reviewed.assist())
        return self._show(request, "overview.html.j2", now=now)

    def live(self, request: Request) -> Response:
        """The overview's figures again, for its script."""
        with self._reviewed.database() as db:
            now = look(db, self._reviewed.wanted(), self._reviewed.assist())
        return JSONResponse(now.plain())

    def forms(self, request: Request) -> Response:
        """The list of forms."""
        asked = request.query_params
        wish = Wish(asked.get("decision", ""), asked.get("site", ""), asked.get("words", ""))
        with self._reviewed.database() as db:
            lines, paging = read_forms(db, wish, _number(asked.get("page")))
            counts, sites = reasons(db), list(Run(db).site_states())
        hints = self._reviewed.assist()
        corrected = {n.id for n in lines if hints.site(n.site).form(n.fingerprint)}
        return self._show(
            request, "form_list.html.j2", forms=lines, paging=paging, wish=wish, reasons=counts,
            sites=sites, corrected=corrected,
        )  # fmt: skip

    def form(self, request: Request) -> Response:
        """One form: picture, elements, buttons, answers."""
        verdict = request.query_params.get("verdict", "")
        page = _number(request.query_params.get("page"))
        with self._reviewed.database() as db:
            view = found(
                read_form(db, request.path_params["form"], self._reviewed.assist()), "form"
            )
            lines, paging = read_lines(db, view.stored.id, page, verdict)
            counts = verdict_counts(db, view.stored.id)
            snapshot = page_of(self._reviewed.out, db, view.stored)
            told = told_of_corrections(db, view.stored.id)
        return self._show(
            request, "form.html.j2", view=view, sketch=sketch_form(view.form, snapshot),
            answers=lines, paging=paging, verdicts=counts, verdict=verdict,
            told=told,
        )  # fmt: skip

    def element(self, request: Request) -> Response:
        """One element: what a person corrects, its values in rank order."""
        with self._reviewed.database() as db:
            view = found(
                read_form(db, request.path_params["form"], self._reviewed.assist()), "form"
            )
        element = found(element_at(view, request.path_params["position"]), "element")
        labels = [row.label for row in self._reviewed.table().rows]
        asked = _number(request.query_params.get("page"))
        paging = Paging.at(asked, VALUES_A_PAGE, len(element.values))
        values = element.values[paging.offset : paging.offset + paging.size]
        return self._show(
            request, "element.html.j2", view=view, element=element, rows=labels, values=values,
            paging=paging,
        )  # fmt: skip

    def answer(self, request: Request) -> Response:
        """One answer with its text, to be judged."""
        with self._reviewed.database() as db:
            number = request.path_params["submission"]
            view = found(read_answer(self._reviewed.out, db, number), "judged answer")
        return self._show(request, "answer.html.j2", view=view, verdicts=list(Verdict), left=None)

    def archived(self, request: Request) -> Response:
        """The archived page of an answer, without scripts and cut off from everything."""
        with self._reviewed.database() as db:
            one = next(answers(db, [request.path_params["submission"]]), None)
        page = answered_page(self._reviewed.out, one) if one is not None else None
        if page is None:
            return PlainTextResponse("The archive has no page of this answer.", 404)
        headers = {"content-security-policy": FOREIGN_PAGE, "referrer-policy": "no-referrer"}
        return HTMLResponse(harmless_html(page).encode("utf-8", "replace"), headers=headers)

    def judge(self, request: Request) -> Response:
        """The sample drawn to be judged: what it says so far, and the next answer."""
        after = _number(request.query_params.get("after"), 0)
        with self._reviewed.database() as db:
            judged = Judged(db)
            drawn, known = judged.drawn(), judged.verdicts()
            left = [number for number in drawn if number not in known]
            later = [number for number in left if number > after] or left
            view = read_answer(self._reviewed.out, db, later[0]) if later else None
            audit = read_audit(db)
            population = sum(Totals(db).verdicts().values())
        return self._show(
            request, "judge.html.j2", view=view, drawn=len(drawn), left=len(left), audit=audit,
            verdicts=list(Verdict), population=population,
        )  # fmt: skip

    def rows(self, request: Request) -> Response:
        """The LVS table, one row's values, a row to add."""
        label = request.query_params.get("row", "")
        table, assist = self._reviewed.table(), self._reviewed.assist()
        values = read_values(table, label, _number(request.query_params.get("page")))
        added = next((row for row in assist.rows if row.label == label), None)
        return self._show(
            request, "rows.html.j2", rows=read_rows(table, assist), label=label, added=added,
            values=values[0] if values else [], paging=values[1] if values else None,
        )  # fmt: skip

    def corrections(self, request: Request) -> Response:
        """All that a person corrected, as the file has it."""
        path = self._reviewed.assist_path
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        self._reviewed.assist()  # a file spoilt by hand is told
        with self._reviewed.database() as db:
            told = told_of_corrections(db)
        return self._show(
            request, "corrections.html.j2", text=text, path=str(path), name=ASSIST_FILE, told=told
        )

    def style(self, request: Request) -> Response:
        """The style sheet: the look shared with the report, and what only these pages have."""
        text = "".join(
            self._templates.get_template(name).render() for name in ("look.css", "review.css")
        )
        return Response(text, media_type="text/css")

    def script(self, request: Request) -> Response:
        """The script that puts live figures in place."""
        text = self._templates.get_template("review.js").render()
        return Response(text, media_type="text/javascript")

    def trouble(self, request: Request, text: str, status: int) -> Response:
        """A page that says what is wrong."""
        page = self._show(request, "trouble.html.j2", text=text)
        page.status_code = status
        return page


def _number(text: str | None, otherwise: int = 1) -> int:
    """A number of the address, `otherwise` for none and for what is none."""
    is_number = text and text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER
    return int(text) if text and is_number else otherwise
