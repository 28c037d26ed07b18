"""The heading or legend that names a form as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.sight import Sight
    from hiwe.page.page import Control, DomForm, TextRun

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "summary"})
REACH_PX = 120.0
LONGEST = 80


def heading_of(controls: Sequence[Control], dom: DomForm | None, sight: Sight) -> str:
    """The first heading inside the form, else the nearest one just above it; '' for none."""
    if dom is not None and dom.aria_label:
        return dom.aria_label
    visible = [c for c in controls if c.visible]
    if not visible:
        return ""
    first = min(c.order for c in visible)
    top = min(c.box.y for c in visible)
    best: TextRun | None = None
    for text in sight.texts:
        if text.inside not in HEADINGS or text.order > first or len(text.text) > LONGEST:
            continue
        if top - REACH_PX < text.box.y <= top + 4 and (best is None or text.order > best.order):
            best = text
    return best.text if best else ""
