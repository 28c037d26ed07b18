"""Where a label's own words stand: a `<label>` may hold more, the element itself even."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.element import union

if TYPE_CHECKING:
    from hiwe.form.form import Element
    from hiwe.page.page import Box, Page


def text_box(element: Element, page: Page) -> Box | None:
    """Return the box of the label's words on the page, None for a label that is not seen there."""
    outer = element.label_box
    if outer is None or not outer.w or not outer.h:
        return None
    said = "".join(element.label_text.split())
    words = [
        t.box
        for t in page.texts
        if t.visible and _holds(outer, t.box) and "".join(t.text.split()) in said
    ]
    return union(words) if words and said else outer


def _holds(outer: Box, inner: Box) -> bool:
    x, y = inner.x + inner.w / 2, inner.y + inner.h / 2
    return outer.x <= x <= outer.x + outer.w and outer.y <= y <= outer.y + outer.h
