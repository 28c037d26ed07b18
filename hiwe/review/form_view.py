"""A form as its page shows it: elements with their matches, values, and a person's corrections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.crawl.replay import values_from
from hiwe.errors import ArchiveError
from hiwe.form.corrected import PERSON, element_key, hints_at
from hiwe.repository.archive_place import archive_of
from hiwe.repository.forms import Forms
from hiwe.repository.totals import COUNTED
from hiwe.repository.warc_reader import read_page
from hiwe.submission.wishes import has_choice
from hiwe.task.hints import ElementHints
from hiwe.text import fold

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.form.form import Element, Form
    from hiwe.page.page import Page
    from hiwe.repository.database import Database
    from hiwe.repository.forms import Match, StoredForm
    from hiwe.submission.assignment import Binding
    from hiwe.task.assist import Assist
    from hiwe.task.hints import FormHints


@dataclass(frozen=True, slots=True)
class Earned:
    """What the submissions with a value brought: how many were sent, found something, new ones."""

    sent: int = 0
    success: int = 0
    new_records: int = 0


@dataclass(frozen=True, slots=True)
class ValueLine:
    """A value of an element: rank in its list (None: not planned), weight, row, what it earned."""

    value: str
    place: int | None
    weight: float
    row: str
    provenance: str
    earned: Earned
    pinned: bool
    banned: bool


@dataclass(frozen=True, slots=True)
class ElementView:
    """An element with all that is known of it. `key` is its name in `assist.yaml`.

    `element` is as the crawl goes by it, `found` as it was before a person corrected it.
    """

    position: int
    key: str
    element: Element
    found: Element
    match: Match | None
    hints: ElementHints
    values: tuple[ValueLine, ...]

    @property
    def title(self) -> str:
        """The label that holds, else the name in brackets."""
        element = self.element
        return self.hints.label or element.label or f"[{element.name or element.id or self.key}]"

    @property
    def label_by_person(self) -> bool:
        """Whether a person gave the label."""
        return bool(self.hints.label) or self.element.label_source == PERSON

    @property
    def other_label(self) -> str:
        """The label that was found, where a person's holds in its place; '' else."""
        return self.found.label if self.label_by_person and self.found.label != self.title else ""

    @property
    def lost_pins(self) -> tuple[str, ...]:
        """Pinned values that a list has no choice for; none where it shows others at times."""
        if not (self.found.is_finite and self.found.options):
            return ()
        seen = {fold(line.value) for line in self.values if line.place or line.earned.sent}
        return tuple(
            text
            for text in self.hints.pin
            if fold(text) not in seen and not has_choice(self.found, text)
        )

    @property
    def row(self) -> str | None:
        """The row that holds: bound by a person, else matched; None for none."""
        return self.hints.row if self.hints.binds else self.match.row if self.match else None


@dataclass(frozen=True, slots=True)
class FormView:
    """A form with its elements and a person's corrections."""

    stored: StoredForm
    hints: FormHints
    elements: tuple[ElementView, ...]
    pages: int

    @property
    def form(self) -> Form:
        """The form as understood."""
        return self.stored.form

    @property
    def submitters(self) -> tuple[str, ...]:
        """How the buttons that send the form are called, best first, each once."""
        found = self.stored.found.submitters
        names = (s.text or s.name for s in found if s.control >= 0)
        return tuple(dict.fromkeys(" ".join(name.split()) for name in names if name.strip()))


def element_at(view: FormView, position: int) -> ElementView | None:
    """Return the element at a position, None if there is none."""
    return view.elements[position] if position < len(view.elements) else None


def read_form(db: Database, form_id: int, assist: Assist) -> FormView | None:
    """Return a form, None if there is none with this id."""
    try:
        stored = Forms(db).get(form_id)
    except KeyError:
        return None
    hints = assist.site(stored.site).form(stored.found.fingerprint)
    matches = Forms(db).matches(form_id)
    planned = _planned(stored)
    earned = _earned(db, form_id)
    elements = []
    told = hints_at(stored.found, hints)
    pairs = zip(stored.form.elements, stored.found.elements, strict=True)
    for position, (element, found) in enumerate(pairs):
        key, said = element_key(stored.found, position), told.get(position, ElementHints())
        lines = _lines(planned.get(position, ()), earned.get(position, {}), said)
        elements.append(
            ElementView(position, key, element, found, matches.get(position), said, tuple(lines))
        )
    pages = db.value("SELECT count(*) FROM form_pages WHERE form = ?", (form_id,))
    return FormView(stored, hints, tuple(elements), int(pages))


def _planned(stored: StoredForm) -> dict[int, tuple[Binding, ...]]:
    """Return position -> values in the order they are tried, as when the form was planned."""
    plain = (stored.state or {}).get("values") or ()
    return {one.element: one.values for one in values_from(plain)}


def _earned(db: Database, form_id: int) -> dict[int, dict[str, Earned]]:
    """Return position -> value -> what the submissions with it brought."""
    found: dict[int, dict[str, Earned]] = {}
    for row in db.rows(
        "SELECT json_extract(j.value, '$.element') AS element,"
        " json_extract(j.value, '$.value') AS value, count(*) AS sent,"
        " coalesce(sum(verdict = 'results'), 0) AS success,"
        " coalesce(sum(new_records), 0) AS new_records"
        f" FROM submissions, json_each(assignment, '$.bindings') j WHERE form = ? AND {COUNTED}"
        " GROUP BY 1, 2",
        (form_id,),
    ):
        earned = Earned(row["sent"], row["success"], row["new_records"])
        found.setdefault(row["element"], {})[str(row["value"])] = earned
    return found


def _lines(
    planned: tuple[Binding, ...], earned: dict[str, Earned], hints: ElementHints
) -> list[ValueLine]:
    """The values in rank order, then what was sent besides, then what a person named."""
    pinned, banned = ({fold(v) for v in values} for values in (hints.pin, hints.ban))
    lines: dict[str, ValueLine] = {}

    def add(value: str, place: int | None, weight: float, row: str, provenance: str) -> None:
        if value not in lines:
            lines[value] = ValueLine(
                value, place, weight, row, provenance, earned.get(value, Earned()),
                fold(value) in pinned, fold(value) in banned,
            )  # fmt: skip

    for place, binding in enumerate(planned, 1):
        add(binding.value, place, binding.weight, binding.row, binding.provenance)
    for value in (*earned, *hints.pin, *hints.ban):
        add(value, None, 0.0, "", "")
    return list(lines.values())


def page_of(out: Path, db: Database, stored: StoredForm) -> Page | None:
    """Return the snapshot in which the form was found, None where the archive has none."""
    row = db.row(
        "SELECT p.warc FROM pages p, forms f WHERE f.id = ? AND p.url = f.url AND p.warc <> ''"
        " ORDER BY p.purpose <> 'visit', abs(p.fetched_at - f.first_seen) LIMIT 1",
        (stored.id,),
    )
    if row is None:
        return None
    try:
        return read_page(archive_of(out), row["warc"]).page
    except (ArchiveError, OSError):
        return None
