"""Answers: a form's submissions a page at a time, one answer with its evidence and its text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.report.sheet import Answer, answered_page, answers
from hiwe.repository.judged import Judged
from hiwe.repository.totals import COUNTED
from hiwe.response.response import Verdict
from hiwe.review.form_list import Paging

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.html import HtmlElement

    from hiwe.page.page import Page
    from hiwe.repository.database import Database

PAGE_SIZE = 25
RECORDS_SHOWN = 10
LONGEST_TEXT = 40_000
UNSEEN = frozenset({"script", "style", "noscript", "template", "head", "svg", "option"})
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
})  # fmt: skip
HIDDEN = "hiwe-hidden"  # the attribute that a snapshot puts on what is not seen


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A submission in a form's list; `judged` is a person's verdict, '' for none yet."""

    id: int
    values: str
    rank: float
    verdict: str
    confidence: float
    reason: str
    records: int
    new_records: int
    judged: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer: as asked and judged, the records it showed, its text in the archive.

    `text` is '' and `has_page` False when the archive has no page of it.
    """

    answer: Answer
    form: int
    judged: str
    records: tuple[tuple[tuple[str, str], ...], ...]
    text: str
    is_cut: bool
    has_page: bool


def read_lines(
    db: Database, form: int, page: int, verdict: str = ""
) -> tuple[list[AnswerLine], Paging]:
    """Return one page of a form's judged submissions, the newest first."""
    where = f"WHERE form = :form AND {COUNTED} AND s.verdict IS NOT NULL"
    where += " AND (:verdict = '' OR s.verdict = :verdict)"
    wanted = {"form": form, "verdict": verdict}
    total = int(db.value(f"SELECT count(*) FROM submissions s {where}", wanted))
    paging = Paging.at(page, PAGE_SIZE, total)
    rows = db.rows(
        "SELECT s.id, assignment, rank, s.verdict, confidence, reason, records, new_records,"
        " coalesce(j.verdict, '') AS judged FROM submissions s"
        f" LEFT JOIN judged j ON j.submission = s.id {where} ORDER BY s.id DESC"
        " LIMIT :size OFFSET :offset",
        {**wanted, "size": paging.size, "offset": paging.offset},
    )
    lines = []
    for row in rows:
        plain = dict(row)
        values = [str(one["value"]) for one in json.loads(plain.pop("assignment"))["bindings"]]
        lines.append(AnswerLine(**plain, values=", ".join(values) or "the form as it stands"))
    return lines, paging


def verdict_counts(db: Database, form: int) -> dict[str, int]:
    """Return verdict -> number of a form's submissions, without those that never occurred."""
    rows = db.rows(
        f"SELECT verdict, count(*) FROM submissions WHERE form = ? AND {COUNTED}"
        " AND verdict IS NOT NULL GROUP BY verdict",
        (form,),
    )
    found = {row[0]: row[1] for row in rows}
    return {str(verdict): found[verdict] for verdict in Verdict if verdict in found}


def read_answer(out: Path, db: Database, submission: int) -> AnswerView | None:
    """Return an answer; None if there is no judged submission with this id."""
    one = next(answers(db, [submission]), None)
    if one is None:
        return None
    page = answered_page(out, one)
    text = page_text(page) if page is not None else ""
    return AnswerView(
        answer=one,
        form=int(db.value("SELECT form FROM submissions WHERE id = ?", (submission,))),
        judged=str(Judged(db).verdicts().get(submission, "")),
        records=_records(db, submission),
        text=text[:LONGEST_TEXT],
        is_cut=len(text) > LONGEST_TEXT,
        has_page=page is not None,
    )


def _records(db: Database, submission: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the fields of the first records that an answer showed."""
    rows = db.rows(
        "SELECT r.fields FROM record_finders f JOIN records r ON r.id = f.record"
        " WHERE f.submission = ? ORDER BY r.id LIMIT ?",
        (submission, RECORDS_SHOWN),
    )
    return tuple(
        tuple((str(name), str(value)) for name, value in json.loads(row["fields"])) for row in rows
    )


def page_text(page: Page) -> str:
    """Return what a page says, a block a line: what is hidden, scripts and choices left out."""
    pieces: list[str] = []
    _collect(page.tree, pieces)
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def _collect(root: HtmlElement, pieces: list[str]) -> None:
    """Gather the texts below an element in order; without recursion: pages nest deeply."""
    stack: list[tuple[HtmlElement, bool]] = [(root, True)]
    while stack:
        element, opens = stack.pop()
        name = element.tag if isinstance(element.tag, str) else ""
        if opens:
            if name in BLOCKS:
                pieces.append("\n")
            if name and name not in UNSEEN and element.get(HIDDEN) is None:
                pieces.append((element.text or "").replace("\n", " "))
                stack.append((element, False))
                stack.extend((child, True) for child in reversed(element))
                continue
        elif name in BLOCKS:
            pieces.append("\n")
        elif name in ("td", "th"):
            pieces.append(" | ")
        if element is not root:
            pieces.append((element.tail or "").replace("\n", " "))
