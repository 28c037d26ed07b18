"""Forms as the crawler understood them, the decision about each, what was learned of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.form.form import Form
from hiwe.repository.codec import dumps, loads, plain_dumps

if TYPE_CHECKING:
    from hiwe.repository.database import Database, Row


@dataclass(frozen=True, slots=True)
class Match:
    """Which LVS row an element matched, how similar their labels are, by which rule.

    `row` None: no row. `rule` is that of `LabelMatch`; '' where none was looked for.
    """

    row: str | None
    similarity: float | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class StoredForm:
    """A form with its id in the database.

    `form` is the form as it is worked on, with what a person corrected; `found` as it was found.
    `knowledge` (of the response analysis) and `state` (of the crawl: budgets, templates tried)
    are JSON values that belong to those stages. `stopped` says why no more is submitted.
    """

    id: int
    site: str
    form: Form
    decision: str
    reason: str
    transport: str
    stopped: str
    estimated_total: float | None
    knowledge: Any
    state: Any
    found: Form


class Forms:
    """The forms of a run; one row for a form however many pages show it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, site: str, form: Form, *, decision: str, reason: str, at: float) -> int | None:
        """Keep a form; return its id, None if the site's form is known already.

        Either way the page is kept as one that shows the form.
        """
        with self._db.atomic():
            known = self._id(site, form.fingerprint)
            form_id = known or self._insert(site, form, decision, reason, at)
            self._db.execute(
                "INSERT OR IGNORE INTO form_pages VALUES (?, ?)", (form_id, form.page_url)
            )
        return None if known else form_id

    def _id(self, site: str, fingerprint: str) -> int | None:
        found = self._db.value(
            "SELECT id FROM forms WHERE site = ? AND fingerprint = ?", (site, fingerprint)
        )
        return None if found is None else int(found)

    def _insert(self, site: str, form: Form, decision: str, reason: str, at: float) -> int:
        form_id = self._db.insert(
            "INSERT INTO forms (site, fingerprint, url, action, method, decision, reason, form,"
            " first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (site, form.fingerprint, form.page_url, form.action, form.method, decision, reason,
             dumps(form), at),
        )  # fmt: skip
        self._db.execute_many(
            "INSERT INTO elements (form, position, name, label, label_source, kind)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (form_id, position, element.name, element.label, element.label_source, element.kind)
                for position, element in enumerate(form.elements)
            ],
        )
        return form_id

    def decide(self, form_id: int, decision: str, reason: str) -> None:
        """Change the decision about a form."""
        self._db.execute(
            "UPDATE forms SET decision = ?, reason = ? WHERE id = ?", (decision, reason, form_id)
        )

    def correct(self, form_id: int, form: Form) -> None:
        """Keep a form as a person corrected it; what was found is kept beside it."""
        with self._db.atomic():
            self._db.execute(
                "UPDATE forms SET found = coalesce(found, form), form = ? WHERE id = ?",
                (dumps(form), form_id),
            )
            self._db.execute_many(
                "UPDATE elements SET label = ?, label_source = ? WHERE form = ? AND position = ?",
                [
                    (element.label, element.label_source, form_id, position)
                    for position, element in enumerate(form.elements)
                ],
            )

    def set_matches(self, form_id: int, matches: dict[int, Match]) -> None:
        """Keep the label matches of a form's elements, by position; other elements have none."""
        with self._db.atomic():
            self._db.execute(
                "UPDATE elements SET matched_row = NULL, similarity = NULL, rule = ''"
                " WHERE form = ?",
                (form_id,),
            )
            self._db.execute_many(
                "UPDATE elements SET matched_row = ?, similarity = ?, rule = ?"
                " WHERE form = ? AND position = ?",
                [
                    (match.row, match.similarity, match.rule, form_id, position)
                    for position, match in matches.items()
                ],
            )

    def update(
        self,
        form_id: int,
        *,
        form: Form | None = None,
        knowledge: Any = None,
        state: Any = None,
        transport: str | None = None,
        stopped: str | None = None,
        estimated_total: float | None = None,
    ) -> None:
        """Change what is given; the rest stays. `knowledge` is of JSON values."""
        columns = {
            "form": None if form is None else dumps(form),
            "knowledge": None if knowledge is None else plain_dumps(knowledge),
            "state": None if state is None else dumps(state),
            "transport": transport,
            "stopped": stopped,
            "estimated_total": estimated_total,
        }
        given = {name: value for name, value in columns.items() if value is not None}
        if given:
            settings = ", ".join(f"{name} = :{name}" for name in given)
            self._db.execute(f"UPDATE forms SET {settings} WHERE id = :id", given | {"id": form_id})

    def get(self, form_id: int) -> StoredForm:
        """Return a form; KeyError if there is none with this id."""
        row = self._db.row("SELECT * FROM forms WHERE id = ?", (form_id,))
        if row is None:
            raise KeyError(form_id)
        return _stored(row)

    def find(self, site: str, fingerprint: str) -> StoredForm | None:
        """Return the site's form with this fingerprint, None if it is not known."""
        form_id = self._id(site, fingerprint)
        return None if form_id is None else self.get(form_id)

    def all(self, *, site: str | None = None, decision: str | None = None) -> list[StoredForm]:
        """Return the forms, in the order first seen."""
        rows = self._db.rows(
            "SELECT * FROM forms WHERE (:site IS NULL OR site = :site)"
            " AND (:decision IS NULL OR decision = :decision) ORDER BY id",
            {"site": site, "decision": decision},
        )
        return [_stored(row) for row in rows]

    def pages(self, form_id: int) -> list[str]:
        """Return the addresses of the pages that show a form."""
        rows = self._db.rows("SELECT url FROM form_pages WHERE form = ? ORDER BY url", (form_id,))
        return [row["url"] for row in rows]

    def matches(self, form_id: int) -> dict[int, Match]:
        """Return position -> label match of a form's elements."""
        rows = self._db.rows(
            "SELECT position, matched_row, similarity, rule FROM elements WHERE form = ?",
            (form_id,),
        )
        return {
            row["position"]: Match(row["matched_row"], row["similarity"], row["rule"])
            for row in rows
        }


def _stored(row: Row) -> StoredForm:
    form = loads(Form, row["form"])
    return StoredForm(
        id=row["id"],
        site=row["site"],
        form=form,
        decision=row["decision"],
        reason=row["reason"],
        transport=row["transport"],
        stopped=row["stopped"],
        estimated_total=row["estimated_total"],
        knowledge=json.loads(row["knowledge"]),
        state=json.loads(row["state"]),
        found=loads(Form, row["found"]) if row["found"] else form,
    )
