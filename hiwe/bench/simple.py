"""Simple rules that labels are measured against: the text before, the text to the left or above.

Both read the same text runs as LITE does and know no markup; they are the baselines of the corpus,
which were measured there by a program of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from hiwe.bench.corpus import is_fillable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.page.page import Control, Page, TextRun

BOXES = frozenset({"radio", "checkbox"})
ON_LINE_PX = 4.0  # of overlap, to be on one line
ASIDE_PX = 20.0  # how far a text above may stand to the side


def by_order(page: Page) -> dict[int, str]:
    """Label of each field by the source: the text before it; behind it for boxes."""
    texts = sorted(_shown(page), key=lambda t: t.order)
    orders = [t.order for t in texts]
    labels: dict[int, str] = {}
    for control in _fields(page):
        at = bisect_left(orders, control.order)
        place = at if control.kind in BOXES else at - 1
        labels[control.index] = texts[place].text if 0 <= place < len(texts) else ""
    return labels


def by_layout(page: Page) -> dict[int, str]:
    """Label of each field by the eye: left on its line, else above; boxes look right first."""
    texts = list(_shown(page))
    rtl = page.direction == "rtl"
    return {control.index: _seen(control, texts, rtl=rtl) for control in _fields(page)}


def _fields(page: Page) -> Iterator[Control]:
    return (c for c in page.controls if is_fillable(c) and c.visible)


def _shown(page: Page) -> Iterator[TextRun]:
    return (t for t in page.texts if t.visible and any(x.isalnum() for x in t.text))


def _seen(control: Control, texts: Sequence[TextRun], *, rtl: bool) -> str:
    sides = ("right", "left") if (control.kind in BOXES) != rtl else ("left", "right")
    for side in (*(sides if control.kind in BOXES else sides[:1]), "above"):
        found = [(gap, t) for t in texts if (gap := _gap(control, t, side)) is not None]
        if found:
            return min(found, key=lambda pair: pair[0])[1].text
    return ""


def _gap(control: Control, text: TextRun, side: str) -> float | None:
    """Pixels between a control and a text on one side of it, None where it does not lie there."""
    c, t = control.box, text.box
    if side == "above":
        apart = max(c.x - t.x - t.w, t.x - c.x - c.w, 0.0)
        gap = c.y - t.y - t.h
        return gap if gap >= -ON_LINE_PX and apart <= ASIDE_PX else None
    if min(c.y + c.h, t.y + t.h) - max(c.y, t.y) < ON_LINE_PX:
        return None
    gap = c.x - t.x - t.w if side == "left" else t.x - c.x - c.w
    return gap if gap >= -ON_LINE_PX else None
