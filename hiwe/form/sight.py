"""What LITE looks at on one page: candidate texts, controls between, the tree above them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hiwe.form.chunk import chunks_of
from hiwe.form.date_format import format_in
from hiwe.form.element import BUTTON_KINDS, NO_FIELD
from hiwe.form.words import tokens
from hiwe.page.page import TextRun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.page.page import Box, Control, Page

REACH_ABOVE_PX = 160.0
REACH_BELOW_PX = 70.0
FARTHEST_HEADER_PX = 1500.0
BAND_PX = 200.0  # of the index of fields by height: most fields lie in one or two
HEADING_FONT = 16.0  # pixels
BUTTON_FONT = 13.3  # pixels, as browsers draw a button
COLONS = (":", "\uff1a")


@dataclass(frozen=True)
class Sight:
    """A page as LITE sees it.

    `texts` are the visible runs with letters or digits that some field could be called by, by
    height.
    """

    page: Page
    texts: tuple[TextRun, ...]
    fields: tuple[Control, ...]  # visible, no buttons

    @classmethod
    def of(cls, page: Page) -> Sight:
        """Take from a page what can be a label or stand in the way of one."""
        fields = tuple(c for c in page.controls if c.visible and c.kind not in NO_FIELD)
        tables = {c.cell[0] for c in fields if c.cell}
        stripes = _stripes(fields)
        texts = [
            chunk
            for t in page.texts
            if t.visible
            and (
                _lies_in(t.box.y, stripes)
                or (t.cell and t.cell[0] in tables)
                or t.label is not None
            )
            and not _is_menu(t)
            and tokens(t.text)
            for chunk in chunks_of(t, page.parents)
        ]
        texts += [_as_heading(c) for c in page.controls if c.unfolds and _heads(c)]
        texts += [_as_text(c) for c in page.controls if _announces(c, fields)]
        return cls(page, tuple(sorted(texts, key=lambda t: t.box.y)), fields)

    @cached_property
    def _heights(self) -> list[float]:
        return [t.box.y for t in self.texts]

    @cached_property
    def typical_font(self) -> float:
        """The font size of most of the text, in pixels."""
        letters: dict[float, int] = {}
        for text in self.page.texts:
            if not text.visible or _is_menu(text):
                continue
            letters[text.font_size] = letters.get(text.font_size, 0) + len(text.text)
        return max(letters, key=letters.__getitem__, default=16.0)

    @cached_property
    def _in_order(self) -> tuple[list[int], list[TextRun]]:
        """Every visible text of the page by its place in the source."""
        found = sorted((t for t in self.page.texts if t.visible), key=lambda t: t.order)
        return [t.order for t in found], found

    def between(self, start: int, end: int) -> list[TextRun]:
        """Visible texts after the place `start` in the source and before `end`."""
        orders, found = self._in_order
        return found[bisect_right(orders, start) : bisect_left(orders, end)]

    @cached_property
    def formats(self) -> list[tuple[str, TextRun]]:
        """The visible texts that show how to write a date, and what they show."""
        found = ((format_in(t.text), t) for t in self.page.texts if t.visible)
        return [(shown, text) for shown, text in found if shown]

    @cached_property
    def _field_orders(self) -> list[int]:
        return sorted(field.order for field in self.fields)

    def fields_between(self, start: int, end: int) -> int:
        """How many fields stand after the place `start` in the source and before `end`."""
        orders = self._field_orders
        return max(0, bisect_left(orders, end) - bisect_right(orders, start))

    @cached_property
    def _bands(self) -> dict[int, list[Control]]:
        found: dict[int, list[Control]] = {}
        for field in self.fields:
            for band in _bands_of(field.box.y, field.box.y + field.box.h):
                found.setdefault(band, []).append(field)
        return found

    def fields_at(self, top: float, bottom: float) -> Iterable[Control]:
        """The fields that may meet a stripe of the page; none that meets it is left out."""
        bands = _bands_of(min(top, bottom), max(top, bottom))
        if len(bands) == 1:
            return self._bands.get(bands[0], ())
        found = (field for band in bands for field in self._bands.get(band, ()))
        return {field.index: field for field in found}.values()

    @cached_property
    def _by_table(self) -> dict[int, list[tuple[int, TextRun]]]:
        found: dict[int, list[tuple[int, TextRun]]] = {}
        for number, text in enumerate(self.texts):
            if text.cell:
                found.setdefault(text.cell[0], []).append((number, text))
        return found

    @cached_property
    def fields_below(self) -> dict[int, int]:
        """How many visible fields stand below each node of the tree (absent: none)."""
        counts: dict[int, int] = {}
        for field in self.fields:
            for node in self.ancestors(field.node):
                counts[node] = counts.get(node, 0) + 1
        return counts

    @cached_property
    def tied(self) -> frozenset[int]:
        """Numbers of the labels that markup ties to exactly one control without doubt."""
        found: set[int] = set()
        for control in self.page.controls:
            for tie in control.associations:
                if tie.label is not None and not tie.shared:
                    found.add(tie.label)
        return frozenset(found)

    @cached_property
    def spoken_names(self) -> Counter[tuple[str, str]]:
        """How many fields each name has that only screen readers speak, by source and text."""
        return Counter(
            (tie.source, tie.text)
            for field in self.fields
            if field.kind not in ("radio", "checkbox")
            for tie in field.associations
            if tie.source in ("labelledby", "aria-label")
        )

    def ancestors(self, node: int) -> list[int]:
        """The node and all above it, innermost first."""
        parents = self.page.parents
        found = []
        while node >= 0:
            found.append(node)
            node = parents[node]
        return found

    def common(self, node: int, above: dict[int, int]) -> int:
        """The innermost node over `node` that is among `above`, -1 if none."""
        parents = self.page.parents
        while node >= 0 and node not in above:
            node = parents[node]
        return node

    def bearing(self, node: int) -> int:
        """The innermost node over `node` (itself too) that holds a field, -1 if none."""
        parents, below = self.page.parents, self.fields_below
        while node >= 0 and node not in below:
            node = parents[node]
        return node

    def near(self, box: Box, table: int | None) -> list[tuple[int, TextRun]]:
        """Texts (with their number) close enough to be a label of what stands in `box`.

        Texts of its table count however high above it they stand: a header row serves all rows.
        """
        low = bisect_left(self._heights, box.y - REACH_ABOVE_PX)
        high = bisect_right(self._heights, box.y + box.h + REACH_BELOW_PX)
        found = list(enumerate(self.texts[low:high], low))
        if table is not None:
            for number, text in self._by_table.get(table, ()):
                if box.y - FARTHEST_HEADER_PX < text.box.y < box.y - REACH_ABOVE_PX:
                    found.append((number, text))
        return found


def _bands_of(top: float, bottom: float) -> range:
    """The numbers of the bands that a stripe of the page meets."""
    return range(int(top // BAND_PX), int(bottom // BAND_PX) + 1)


def _heads(control: Control) -> bool:
    """A button that opens and closes a part of the page, by its name."""
    return control.kind == "button" and control.visible and bool(tokens(control.text))


def _as_heading(control: Control) -> TextRun:
    """The name on a button as the heading of what the button shows."""
    return TextRun(
        text=control.text,
        box=control.box,
        font_size=HEADING_FONT,
        bold=True,
        visible=True,
        tag="button",
        order=control.order,
        node=control.node,
        inside="h4",
        frame=control.frame,
    )


def _announces(control: Control, fields: Iterable[Control]) -> bool:
    """A button before a box, on its line, that ends in a colon: 'Show issue: [   ]'."""
    text = control.text.rstrip()
    if control.kind not in BUTTON_KINDS or not control.visible or not text.endswith(COLONS):
        return False
    behind = min(
        (f for f in fields if f.order > control.order), key=lambda f: f.order, default=None
    )
    if behind is None or behind.form != control.form or not tokens(text):
        return False
    button, box = control.box, behind.box
    return (
        box.x >= button.x + button.w - 1
        and box.y < button.y + button.h
        and (button.y < box.y + box.h)
    )


def _as_text(control: Control) -> TextRun:
    """The name on a button as a text before the box behind it."""
    return replace(_as_heading(control), font_size=BUTTON_FONT, bold=False, inside="")


def _stripes(fields: Iterable[Control]) -> tuple[list[float], list[float]]:
    """The stripes of the page in which texts are near a field: where each begins and ends."""
    starts: list[float] = []
    ends: list[float] = []
    for low, high in sorted(
        (f.box.y - REACH_ABOVE_PX, f.box.y + f.box.h + REACH_BELOW_PX) for f in fields
    ):
        if ends and low <= ends[-1]:
            ends[-1] = max(ends[-1], high)
        else:
            starts.append(low)
            ends.append(high)
    return starts, ends


def _lies_in(y: float, stripes: tuple[list[float], list[float]]) -> bool:
    starts, ends = stripes
    place = bisect_right(starts, y) - 1
    return place >= 0 and y <= ends[place]


def _is_menu(text: TextRun) -> bool:
    return text.inside == "button" or (text.inside == "nav" and text.linked)
