"""A form drawn from what the crawl kept of its page: texts, controls, what was understood.

No picture is taken during a crawl; the snapshot in the archive knows the box of every text and
control, and that is drawn. Without a snapshot (the page came by plain HTTP, or its archive is gone)
there are the boxes of the form itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.form.element import union
from hiwe.form.label_box import text_box
from hiwe.page.page import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.form.form import Element, Form
    from hiwe.page.page import Control, Page, TextRun

MARGIN_PX = 28.0
MOST_TEXTS = 800
LONGEST_TEXT = 300  # characters of one run
MOST_HIGH_PX, MOST_WIDE_PX = 4000.0, 3000.0
LINE_HEIGHT = 1.25  # of the font size, where a text has several lines
BUTTONS = frozenset({"submit", "button", "reset", "image"})
TYPED = frozenset({"select", "combobox", "listbox"})


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text: where it begins, how wide it is (None: as it comes), its baseline."""

    text: str
    x: float
    y: float
    width: float | None
    size: float
    bold: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A control: its box, its shape (field, list, button, box, round), what it shows."""

    box: Box
    shape: str
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """An element as understood: its box, its label's box if seen, the source of its label."""

    position: int
    box: Box
    label: Box | None
    source: str
    title: str

    @property
    def line(self) -> tuple[float, float, float, float] | None:
        """From the label to the element, edge to edge; None where there is no label."""
        if self.label is None:
            return None
        return (*_nearest(self.label, self.box), *_nearest(self.box, self.label))


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is drawn, in page coordinates; `view` is the part of the page that is shown.

    `whole` says whether the page's own snapshot was there. `sends` is the box of the button.
    """

    view: Box
    words: tuple[Words, ...]
    drawn: tuple[Drawn, ...]
    marks: tuple[Mark, ...]
    sends: Box | None
    whole: bool


def _nearest(box: Box, other: Box) -> tuple[float, float]:
    """The point of a box that is nearest to the middle of another."""
    x, y = other.x + other.w / 2, other.y + other.h / 2
    return min(max(x, box.x), box.x + box.w), min(max(y, box.y), box.y + box.h)


def sketch_form(form: Form, page: Page | None) -> Sketch | None:
    """Return the drawing of a form; None when nothing of it is seen.

    `page` is its page's snapshot; one that shows other controls than the form has is left aside.
    """
    if page is not None and not _shows(page, form):
        page = None
    marks = tuple(
        _mark(at, element, page) for at, element in enumerate(form.elements) if _seen(element)
    )
    sends = _sends(form, page)
    around = [mark.box for mark in marks] + [mark.label for mark in marks if mark.label]
    if not around:
        return None
    view = _view([*around, *([sends] if sends else [])], form, page)
    words: tuple[Words, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    if page is not None:
        texts = [t for t in page.texts if t.visible and t.text.strip() and _within(view, t.box)]
        words = tuple(line for text in texts[:MOST_TEXTS] for line in _lines(text))
        drawn = tuple(
            _control(c) for c in page.controls if c.visible and c.box.w and _meets(view, c.box)
        )
    return Sketch(view, words, drawn, marks, sends, page is not None)


def _shows(page: Page, form: Form) -> bool:
    """Whether the snapshot is one in which the form's elements are the same controls."""
    controls = page.controls
    return bool(page.texts) and all(
        element.controls
        and max(element.controls) < len(controls)
        and controls[element.controls[0]].name == element.name
        for element in form.elements
    )


def _seen(element: Element) -> bool:
    return element.visible and bool(element.box.w) and bool(element.box.h)


def _mark(position: int, element: Element, page: Page | None) -> Mark:
    label = text_box(element, page) if page is not None else element.label_box
    if label is not None and not (label.w and label.h):
        label = None
    return Mark(position, element.box, label, element.label_source, element.label or element.name)


def _sends(form: Form, page: Page | None) -> Box | None:
    """The button that sends the form."""
    best = next(iter(form.submitters), None)
    if page is None or best is None or not 0 <= best.control < len(page.controls):
        return None
    control = page.controls[best.control]
    return control.box if control.visible and control.box.w else None


def _view(around: list[Box], form: Form, page: Page | None) -> Box:
    """What is marked and what the form holds besides, with a margin; cut where it is endless."""
    if page is not None and form.box is not None:
        seen = [t.box for t in page.texts if t.visible and t.text.strip()]
        seen += [c.box for c in page.controls if c.visible and c.box.w]
        around = around + [box for box in seen if _holds(form.box, box)]
    whole = union(around)
    left, top = max(0.0, whole.x - MARGIN_PX), max(0.0, whole.y - MARGIN_PX)
    right, bottom = whole.x + whole.w + MARGIN_PX, whole.y + whole.h + MARGIN_PX
    return Box(left, top, min(right - left, MOST_WIDE_PX), min(bottom - top, MOST_HIGH_PX))


def _holds(outer: Box, inner: Box) -> bool:
    x, y = inner.x + inner.w / 2, inner.y + inner.h / 2
    return outer.x <= x <= outer.x + outer.w and outer.y <= y <= outer.y + outer.h


def _meets(view: Box, box: Box) -> bool:
    return (
        box.x < view.x + view.w
        and view.x < box.x + box.w
        and box.y < view.y + view.h
        and view.y < box.y + box.h
    )


def _within(view: Box, box: Box) -> bool:
    """Whether a text stands in view from top to bottom: half a line cannot be read."""
    return _meets(view, box) and view.y <= box.y and box.y + box.h <= view.y + view.h


def _lines(run: TextRun) -> Iterator[Words]:
    """The lines of a text; where they were broken is not known, so they are made even."""
    size = run.font_size or 13.0
    count = max(1, round(run.box.h / (size * LINE_HEIGHT * 1.15)))
    text = " ".join(run.text.split())[:LONGEST_TEXT]
    pieces = _broken(text, count)
    height = run.box.h / len(pieces)
    for at, piece in enumerate(pieces):
        y = run.box.y + height * at + height / 2 + size * 0.34
        width = run.box.w if len(pieces) == 1 and run.box.w else None
        yield Words(piece, run.box.x, round(y, 1), width, size, run.bold)


def _broken(text: str, count: int) -> list[str]:
    """A text in at most `count` lines of like length, broken between words."""
    length = -(-len(text) // count)
    lines: list[str] = []
    for word in text.split(" "):
        if lines and (len(lines) == count or len(lines[-1]) + len(word) / 2 < length):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _control(control: Control) -> Drawn:
    if control.kind in BUTTONS:
        return Drawn(control.box, "button", control.text or control.value)
    if control.kind == "checkbox":
        return Drawn(control.box, "box", "")
    if control.kind == "radio":
        return Drawn(control.box, "round", "")
    if control.kind in TYPED:
        return Drawn(control.box, "list", _chosen(control))
    return Drawn(control.box, "field", control.value or control.placeholder)


def _chosen(control: Control) -> str:
    """What a list shows when closed."""
    selected: Iterable[str] = (o.label for o in control.options if o.selected)
    first: Iterable[str] = (o.label for o in control.options)
    return next(iter(selected), None) or next(iter(first), None) or control.text
