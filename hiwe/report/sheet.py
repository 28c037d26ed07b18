"""The sheet of an audit: the drawn answers as a table to be judged, each with its page to look at.

`audit.csv` has one row a submission; a person fills the column `judged` in a spreadsheet. The
answers lie beside it as pages without scripts, taken from the archive.
"""

from __future__ import annotations

import csv
import json
import re
import time
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from hiwe.errors import ArchiveError, RunError, UsageError
from hiwe.report.audit import sample
from hiwe.repository.archive_place import archive_of
from hiwe.repository.export import spreadsheet_safe
from hiwe.repository.judged import Judged
from hiwe.repository.warc_reader import read_page
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hiwe.page.page import Page
    from hiwe.repository.database import Database

SHEET_NAME = "audit.csv"
FOLDER = "audit"
COLUMNS = (
    "submission", "site", "form", "values", "verdict", "confidence", "reason", "request",
    "records", "answer", "judged", "note",
)  # fmt: skip
_SCRIPT = re.compile(
    r"<script\b.*?</script\s*>|<meta[^>]+http-equiv[^>]*>|<base\b[^>]*>", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A submission as a person judges it. `evidence` are the signals, strongest first."""

    id: int
    site: str
    form: str
    values: str
    verdict: Verdict
    confidence: float
    reason: str
    request: str
    records: int
    evidence: tuple[str, ...]
    archived: tuple[str, ...]


def draw(db: Database, size: int) -> list[int]:
    """Draw a sample of about `size` submissions, or of more where one was drawn; return it all."""
    judged = Judged(db)
    judged.draw(sample(judged.population(), size), at=time.time())
    return judged.drawn()


def answers(db: Database, ids: Sequence[int]) -> Iterator[Answer]:
    """Yield submissions by id, as they were asked and judged."""
    for number in ids:
        row = db.row(
            "SELECT s.*, f.action FROM submissions s JOIN forms f ON f.id = s.form WHERE s.id = ?",
            (number,),
        )
        if row is None or row["verdict"] is None:
            continue
        bindings = json.loads(row["assignment"])["bindings"]
        signals = sorted(json.loads(row["evidence"]), key=lambda one: -one.get("weight", 0.0))
        yield Answer(
            id=number,
            site=row["site"],
            form=row["action"],
            values=", ".join(one["value"] for one in bindings) or "(nothing)",
            verdict=Verdict(row["verdict"]),
            confidence=row["confidence"] or 0.0,
            reason=row["reason"],
            request=f"{row['method']} {row['url']} {row['body']}".strip(),
            records=row["records"],
            evidence=tuple(f"{one['name']}: {one['text']}" for one in signals),
            archived=tuple(json.loads(row["archived"])),
        )


def write_sheet(out: Path, db: Database, ids: Sequence[int], path: Path | None = None) -> Path:
    """Write the table of drawn submissions and their pages; return the table's path."""
    path = path or out / SHEET_NAME
    given = Judged(db).verdicts()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for one in answers(db, ids):
                page = write_answer(out, one)
                facts = (
                    one.id, one.site, one.form, one.values, one.verdict, f"{one.confidence:.2f}",
                    one.reason, one.request, one.records, page or "", given.get(one.id, ""), "",
                )  # fmt: skip
                writer.writerow([spreadsheet_safe(str(fact)) for fact in facts])
    except OSError as exc:
        raise RunError(path, f"cannot be written: {exc.strerror or exc}") from exc
    return path


def write_answer(out: Path, answer: Answer) -> Path | None:
    """Write the archived answer as a page to look at; None when the archive has none."""
    page = answered_page(out, answer)
    if page is None:
        return None
    target = out / FOLDER / f"{answer.id}.html"
    target.parent.mkdir(exist_ok=True)
    head = f'<meta charset="utf-8"><base href="{escape(page.base_url or page.url)}">'
    target.write_text(head + harmless_html(page), encoding="utf-8")
    return target


def answered_page(out: Path, answer: Answer) -> Page | None:
    """Return the archived page of an answer, None when the archive has none."""
    for ref in answer.archived:
        try:
            return read_page(archive_of(out), ref).page
        except ArchiveError:
            continue  # an exchange, not a rendered page
    return None


def harmless_html(page: Page) -> str:
    """Return a page's HTML without scripts and without a base address of its own."""
    return _SCRIPT.sub("", page.html)


def read_sheet(path: Path) -> list[tuple[int, Verdict, str]]:
    """Return (submission, verdict, note) of the rows that a person judged.

    UsageError, with the line, for a verdict that is none or a table that is no sheet.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"{path} cannot be read: {exc}") from exc
    first = text.partition("\n")[0]
    rows = csv.DictReader(text.splitlines(), delimiter=max(",;\t", key=first.count))
    missing = {"submission", "judged"} - set(rows.fieldnames or ())
    if missing:
        wanted = " and ".join(sorted(missing))
        raise UsageError(f"{path} has no column {wanted}; `hiwe report DIR --audit N` writes one")
    found = []
    for row in rows:
        said = (row["judged"] or "").strip().lower().replace(" ", "_")
        if not said:
            continue
        number = (row["submission"] or "").strip()
        if said not in set(Verdict) or not number.isdecimal():
            raise UsageError(
                f"{path}:{rows.line_num}: judged is {row['judged']!r} for submission {number!r};"
                f" give one of {', '.join(Verdict)}"
            )
        found.append((int(number), Verdict(said), (row.get("note") or "").strip()))
    return found


def take_sheet(db: Database, path: Path) -> int:
    """Keep a judged sheet's verdicts; return how many. UsageError for unknown submissions."""
    rows, known = read_sheet(path), Judged(db).population()
    unknown = [number for number, _, _ in rows if number not in known]
    if unknown:
        raise UsageError(f"{path}: this run has no submission {unknown[0]}; is it another run's?")
    with db.atomic():
        for number, verdict, note in rows:
            Judged(db).judge(number, verdict, at=time.time(), note=note)
    return len(rows)
