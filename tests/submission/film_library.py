"""A form over twelve books, and a site that answers it in memory: what a plan is tried on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiwe.form.form import Element, Form
from hiwe.lvs.value import Provenance, WeightedValue
from hiwe.page.page import Box, Option
from hiwe.response.response import Verdict
from hiwe.submission.plan import Outcome, Plan
from hiwe.submission.values import element_values

if TYPE_CHECKING:
    from hiwe.submission.assignment import Binding, ValueAssignment

BOX = Box(0, 0, 0, 0)
BOOKS = [
    ("1", "The Glass Orchard", "Ida Fenwick", "Science fiction", "English", 1994, "Paper"),
    ("2", "Salt Roads", "Omar Velt", "History", "English", 2003, "Paper"),
    ("3", "Nine Small Moons", "Ida Fenwick", "Science fiction", "English", 2011, "E-book"),
    ("4", "Le Pain du Nord", "Claire Aubry", "Cookery", "French", 1999, "Paper"),
    ("5", "Atlas of Quiet Rivers", "Jonas Reuter", "Poetry", "German", 2016, "Paper"),
    ("6", "Brass Engines", "Omar Velt", "History", "English", 1987, "Paper"),
    ("7", "Winter Stock", "Claire Aubry", "Cookery", "French", 2008, "E-book"),
    ("8", "The Cartographer's Debt", "Lena Storm", "History", "German", 2021, "E-book"),
    ("9", "Тихий берег", "Вера Лунина", "Poetry", "Russian", 2014, "Paper"),
    ("10", "Red Shift Market", "Ida Fenwick", "Science fiction", "English", 2019, "Audio"),
    ("11", "Café des Sept Ponts", "Claire Aubry", "Cookery", "French", 2013, "Audio"),
    ("12", "Paper Suns", "Kai Morrow", "Science fiction", "English", 2005, "E-book"),
]
FIELDS = ("id", "title", "author", "genre", "language", "year", "format")
RECORDS = [dict(zip(FIELDS, book, strict=True)) for book in BOOKS]
TABLE = {
    "title": ["Glass", "Salt", "Moons", "Brass"],
    "author": ["Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm"],
    "genre": ["Science fiction", "History", "Cookery", "Poetry", "Travel"],
    "language": ["English", "French", "German", "Russian"],
    "year": [str(y) for y in sorted(r["year"] for r in RECORDS)],
    "format": ["Paper", "E-book", "Audio"],
}


def element(name, kind="text", options=(), **more):
    """An element; `options` are labels, their sent value the label itself ('' for a caption)."""
    found = tuple(Option(value=label, label=label) for label in options)
    more.setdefault("neutral", "" if not options or more.get("multiple") else None)
    more.setdefault("default", "")
    return Element(
        (0,), name, name, kind, more.pop("label", name.title()), "for", "", found, BOX, True, **more
    )


def select(name, options, *, open_choice=True, **more):
    """A select, with a caption '-- any --' (value '') when `open_choice`."""
    if open_choice:
        return element(name, "select", options, neutral="", default="", **more)
    return element(name, "select", options, neutral=None, default=options[0], **more)


def form(*elements):
    return Form(
        0,
        0,
        "http://books/",
        "Books",
        "en",
        "GET",
        "/find",
        "",
        elements,
        (),
        (),
        True,
        "",
        1.0,
        "f",
    )


def weighted(values, row, provenance=Provenance.EXPLICIT):
    pairs = values.items() if isinstance(values, dict) else ((v, 1.0) for v in values)
    return tuple(WeightedValue(v, w, row, provenance) for v, w in pairs)


def plan_for(a_form, table=None, **more):
    """A plan with the values of the table's rows for the elements of the same name."""
    rows = TABLE if table is None else table
    sets = {
        i: weighted(rows[e.name], e.name.title())
        for i, e in enumerate(a_form.elements)
        if e.name in rows
    }
    more.setdefault("budget", 500)
    return Plan(a_form, element_values(a_form, sets), **more)


@dataclass
class Library:
    """Answers assignments of a form over the books; `cap` is the most it shows."""

    form: Form
    records: list = field(default_factory=lambda: RECORDS)
    cap: int = 10**9
    tells_total: bool = True
    needs: tuple[str, ...] = ()  # fields that may not be empty
    children: dict = field(default_factory=dict)  # parent name -> field of the child
    sent: list = field(default_factory=list)
    seen: set = field(default_factory=set)

    def answer(self, assignment: ValueAssignment) -> Outcome:
        """The outcome of one assignment, as the crawl would record it."""
        asked = self.asked(assignment.bindings)
        domains = self._domains(assignment.bindings)
        template = assignment.template
        if assignment.discover:
            return Outcome(
                template, assignment.bindings, Verdict.SAME_PAGE, discover=True, domains=domains
            )
        self.sent.append(asked)
        if any(not asked.get(name) for name in self.needs):
            return Outcome(template, assignment.bindings, Verdict.INVALID)
        hits = [r["id"] for r in self.records if self._matches(r, asked)]
        shown = frozenset(hits[: self.cap])
        new = len(shown - self.seen)
        self.seen |= shown
        return Outcome(
            template,
            assignment.bindings,
            Verdict.RESULTS if hits else Verdict.NO_RESULTS,
            shown,
            new,
            len(hits) > self.cap,
            len(hits) if self.tells_total else None,
            domains=domains,
        )

    def asked(self, bindings: tuple[Binding, ...]) -> dict:
        """Name -> values as sent: the bound ones, and presets that are not empty."""
        sent = {e.name: [e.default] for e in self.form.elements if e.default}
        bound: dict = {}
        for b in bindings:
            bound.setdefault(self.form.elements[b.element].name, []).append(b.value)
        return sent | bound

    def _matches(self, record, asked):
        for name, values in asked.items():
            if name in ("y1", "y2"):
                bound = int(values[0])
                if (record["year"] < bound) if name == "y1" else (record["year"] > bound):
                    return False
            elif name in ("title", "q"):
                text = " ".join(str(v) for v in record.values()) if name == "q" else record["title"]
                if values[0].lower() not in text.lower():
                    return False
            elif name in record and str(record[name]) not in values:
                return False
        return True

    def _domains(self, bindings):
        found = []
        by_name = {self.form.elements[b.element].name: b.value for b in bindings}
        for place, e in enumerate(self.form.elements):
            parent = self.children.get(e.name)
            if parent and parent in by_name:
                values = dict.fromkeys(
                    r[e.name] for r in self.records if r.get(parent) == by_name[parent]
                )
                found.append((place, tuple(Option(v, v) for v in values)))
        return tuple(found)


def run(plan, library, most=10_000):
    """Carry out the plan one by one; the assignments that were given."""
    given = []
    while len(given) < most:
        following = plan.next()
        if not following:
            break
        given.append(following[0])
        plan.record(library.answer(following[0]))
    return given
