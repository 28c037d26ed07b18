"""`hiwe bench styled`: LITE and two simple rules on forms that real style sheets lay out."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.labels import Timing, labels_by_control, time_words, understood
from hiwe.bench.result import BenchResult
from hiwe.bench.scoring import by_page, is_strict_hit
from hiwe.bench.simple import by_layout, by_order
from hiwe.bench.styled import styled_forms
from hiwe.bench.styled_sheets import cache_folder, style_sheets
from hiwe.page.saved import saved_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiwe.bench.styled import StyledForm
    from hiwe.form.find import Understanding
    from hiwe.page.page import Page

COUNT = 720
GOAL = 0.98


@dataclass(frozen=True, slots=True)
class Read:
    """One labelled control or group of a styled form, as one method reads it."""

    form: StyledForm
    control: str
    gold: str
    given: str

    @property
    def pair(self) -> tuple[str, bool]:
        """Page and strict hit."""
        return self.form.name, is_strict_hit(self.gold, self.given)


PARTS: dict[str, Callable[[Read], bool]] = {
    "all": lambda r: True,
    "fields": lambda r: not r.control.startswith("group:"),
    "marked up": lambda r: r.form.marked,
    "no markup": lambda r: not r.form.marked,
    "order agrees": lambda r: not r.form.disagrees,
    "order disagrees": lambda r: r.form.disagrees,
}


async def run(*, count: int = COUNT, seed: int = 1) -> BenchResult:
    """Write the forms, look at them in a browser, score each method; UsageError without npm.

    The simple rules name no groups and are scored without them.
    """
    forms = {f"{f.name}.html": f for f in styled_forms(style_sheets(cache_folder()), count, seed)}
    timings: list[Timing] = []
    lite: list[Read] = []
    rules: dict[str, list[Read]] = {"text order": [], "left, else above": []}
    with tempfile.TemporaryDirectory(prefix="hiwe-styled-") as folder:
        paths = [Path(folder) / name for name in forms]
        for path in paths:
            path.write_text(forms[path.name].html, "utf-8")
        async for saved in saved_pages(paths):
            form, page = forms[saved.path.name], saved.page
            found = understood(saved, timings)
            lite += _read(form, page, labels_by_control(found), _groups(found))
            rules["text order"] += _read(form, page, by_order(page))
            rules["left, else above"] += _read(form, page, by_layout(page))
    return _result({"LITE": lite, **rules}, timings)


def _groups(found: Understanding) -> dict[str, str]:
    """What groups of boxes are called, by `group:NAME`."""
    elements = (e for form in found.forms for e in form.elements)
    return {f"group:{e.name}": e.label_text for e in elements if e.kind in ("radio", "checkbox")}


def _read(
    form: StyledForm, page: Page, labels: dict[int, str], groups: dict[str, str] | None = None
) -> list[Read]:
    known = {c.id: labels.get(c.index, "") for c in page.controls} | (groups or {})
    return [
        Read(form, control, gold, known.get(control, ""))
        for control, gold in form.gold.items()
        if groups is not None or not control.startswith("group:")
    ]


def _result(reads: dict[str, list[Read]], timings: Sequence[Timing]) -> BenchResult:
    forms = len({r.form.name for r in reads["LITE"]})
    table = Table("method", *PARTS, title=f"styled, {forms} forms")
    figures: dict[str, Any] = {"goal": GOAL}
    for method, read in reads.items():
        shares = {part: by_page(r.pair for r in read if keep(r)) for part, keep in PARTS.items()}
        table.add_row(method, *(f"{share:.3f}" for share in shares.values()))
        figures[method] = {part: round(share, 4) for part, share in shares.items()}
    figures["recipes"] = _by_recipe(reads["LITE"])
    figures["ms"], table.caption = time_words(timings)
    misses = (r for r in reads["LITE"] if not r.pair[1])
    lines = tuple(f"{r.form.name} {r.control}: {r.gold!r} != {r.given!r}" for r in misses)
    return BenchResult(table, figures, lines)


def _by_recipe(read: Sequence[Read]) -> dict[str, float]:
    """Strict, by page, of each recipe."""
    recipes = dict.fromkeys(r.form.recipe for r in read)
    return {
        name: round(by_page(r.pair for r in read if r.form.recipe == name), 4) for name in recipes
    }
