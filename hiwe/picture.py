"""What the crawler understood of a page, drawn over the page: `hiwe inspect --screenshot`.

Each element and its label are boxed in the colour of the label's source, with a line between; a tag
beside the element says its label and, where a table is given, the row that it matches.
"""

from __future__ import annotations

from collections import Counter
from importlib import resources
from typing import TYPE_CHECKING, Any

from hiwe.form.find import understand
from hiwe.form.label_box import text_box
from hiwe.form.merge import without_hidden_copies
from hiwe.inspect import matches, row_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.form.form import Element, Form
    from hiwe.lvs.table import LvsTable
    from hiwe.page.page import Box, Page
    from hiwe.page.tab import Tab

DRAW_JS = resources.files("hiwe").joinpath("picture.js").read_text("utf-8")
COLOURS = {
    "for": "#0055cc",
    "wrap": "#0099bb",
    "aria": "#5533cc",
    "legend": "#008060",
    "header": "#558800",
    "layout": "#cc3300",
    "option": "#b36b00",
    "placeholder": "#c2187a",
    "title": "#7a5230",
    "name": "#777777",
    "none": "#000000",
}
SEARCHED, NOT_SEARCHED, BUTTON = "#007733", "#aa0000", "#444444"
TAG_PX, SMALL_PX = 11, 10
TAG_LENGTH = 44  # characters
# Pixels that a tag inside an element must leave free, by kind; other kinds have theirs beside.
FREE_PX = dict.fromkeys(("text", "search", "textarea", "number", "email", "tel", "url"), 40)
FREE_PX |= {"select": 160}


async def picture(tab: Tab, page: Page, table: LvsTable | None = None) -> bytes:
    """The PNG of a page as `tab` shows it, with what was understood of its snapshot `page`.

    It is as large as the page and a strip at the bottom with the legend. The live page is changed.
    """
    await tab.call(DRAW_JS, drawing(page, table))
    return await tab.screenshot()


def drawing(page: Page, table: LvsTable | None = None) -> dict[str, Any]:
    """What is to be drawn, as plain values: boxes with tags, forms, words to spare, legend."""
    found = understand(page)
    marks: list[dict[str, Any]] = []
    forms: list[dict[str, Any]] = []
    seen: list[Element] = []
    for number, form in enumerate(without_hidden_copies(found.forms)):
        rows = {place: row_text(m) for place, m in matches(form, table).items()} if table else {}
        for place, element in enumerate(form.elements):
            marks += _marks(element, rows.get(place, ""), page)
        marks += _button(form, page)
        seen += form.elements
        if form.visible and form.box is not None:
            forms.append(_form(number, form, form.box))
    for element in found.outside:
        marks += _marks(element, "", page)
    seen += found.outside
    words = [_plain(t.box) for t in page.texts if t.visible]
    words += [_plain(c.box) for c in page.controls if c.visible]
    return {"marks": marks, "forms": forms, "words": words, "legend": _legend(seen, table)}


def _marks(element: Element, row: str, page: Page) -> Iterator[dict[str, Any]]:
    """An element with its label; the single boxes of a group with theirs. Nothing if not seen."""
    if not element.visible:
        return
    colour = COLOURS[element.label_source]
    text = _short(element.label or element.label_text or "(no label)")
    if element.range_role or element.part:
        text += f" [{' '.join(filter(None, (element.range_role, element.part)))}]"
    if not element.fillable:
        text += f" ({element.role})" if element.role != "value" else " (fixed)"
    if row:
        text += f" → {row}"
    lone = element.kind in ("radio", "checkbox") and len(element.controls) == 1
    label = text_box(element, page)
    yield _mark(element.box, text, colour, label=label, free=FREE_PX.get(element.kind))
    if element.kind in ("radio", "checkbox") and not lone:
        for option in (*element.options, *element.captions):
            control = page.controls[option.control]
            if control.visible:
                yield _mark(control.box, _short(option.label), colour, size=SMALL_PX)


def _mark(
    box: Box,
    text: str,
    colour: str,
    *,
    label: Box | None = None,
    size: int = TAG_PX,
    free: int | None = None,
) -> dict[str, Any]:
    return {
        "box": _plain(box),
        "label": _plain(label) if label else None,
        "text": text,
        "colour": colour,
        "size": size,
        "free": free,
    }


def _plain(box: Box) -> list[float]:
    return [box.x, box.y, box.w, box.h]


def _short(text: str) -> str:
    return text if len(text) <= TAG_LENGTH else f"{text[: TAG_LENGTH - 1]}…"


def _button(form: Form, page: Page) -> Iterator[dict[str, Any]]:
    """The control that sends the form."""
    best = next(iter(form.submitters), None)
    if best is not None and best.control >= 0 and page.controls[best.control].visible:
        yield _mark(page.controls[best.control].box, "sends", BUTTON, size=SMALL_PX)


def _form(number: int, form: Form, box: Box) -> dict[str, Any]:
    said = "searchable" if form.searchable else f"not searched: {form.reason}"
    return {
        "box": [box.x - 5, box.y - 5, box.w + 10, box.h + 10],
        "text": f"form {number}: {said} ({form.score:.2f})",
        "colour": SEARCHED if form.searchable else NOT_SEARCHED,
    }


def _legend(elements: list[Element], table: LvsTable | None) -> list[tuple[str, str]]:
    """Text and colour of each entry: the sources that occur, with how many labels they gave."""
    counts: Mapping[str, int] = Counter(e.label_source for e in elements if e.visible)
    entries = [(f"{name} {counts[name]}", COLOURS[name]) for name in COLOURS if name in counts]
    said = "label → row of the table (similarity)" if table else "labels by source:"
    return [(said, ""), *entries]
