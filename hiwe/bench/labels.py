"""`hiwe bench labels`: how many controls LITE calls what a person calls them.

Three sets beside their baselines: pages whose label markup was taken away, the same pages as they
were, and the pages with which Chromium tests its own inference.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.corpus import corpus_folder, domains, half_of, is_fillable, json_lines
from hiwe.bench.result import BenchResult
from hiwe.bench.scoring import by_page, is_strict_hit, share
from hiwe.form.find import understand
from hiwe.page.saved import saved_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from hiwe.form.find import Understanding
    from hiwe.page.page import Page
    from hiwe.page.saved import SavedPage

BASELINES = {
    "ablated": ("text order, runs .924; layout, runs .915; oracle of five rules .976", 0.975),
    "marked up": ("", 0.99),
    "chromium, trusted": ("(Chromium's own labels are the gold)", 0.96),
    "chromium, untrusted": ("Chromium .000", 0.5),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One labelled control: the gold, what LITE says, whether they agree."""

    page: str
    half: str
    control: str
    gold: str
    given: str

    @property
    def hit(self) -> bool:
        """Strictly equal?"""
        return is_strict_hit(self.gold, self.given)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds on one page: in the page function, the barest one, the round trip, in Python."""

    snapshot: float
    bare: float
    trip: float
    python: float


async def run(*, only: Sequence[str] = ()) -> BenchResult:
    """Measure all sets (or those named in `only`: ablated, marked up, chromium, styled)."""
    table = Table("set", "rows", "by page", "tune", "validate", "goal", "baselines", title="labels")
    figures: dict[str, Any] = {}
    misses: list[str] = []
    timings: list[Timing] = []
    for name, measure in SETS.items():
        if only and name not in only:
            continue
        for title, answers in (await measure(timings)).items():
            figures[title] = _add_row(table, title, answers)
            misses += [f"{title} {a.page} {a.control}: {a.gold!r} != {a.given!r}"
                       for a in answers if not a.hit]  # fmt: skip
    figures["ms"], table.caption = time_words(timings)
    return BenchResult(table, figures, tuple(misses))


def _add_row(table: Table, title: str, answers: list[Answer]) -> dict[str, float]:
    """Add one set to the table; its figures."""
    pairs = [(a.page, a.hit) for a in answers]
    mean = share if title.startswith("chromium") else by_page
    halves = {
        half: round(mean((a.page, a.hit) for a in answers if a.half == half), 4)
        for half in ("tune", "validate")
    }
    figures = {"rows": len(answers), "strict": round(mean(pairs), 4), "all": round(share(pairs), 4)}
    baseline, goal = BASELINES[title]
    table.add_row(title, str(len(answers)), f"{figures['strict']:.3f}", f"{halves['tune']:.3f}",
                  f"{halves['validate']:.3f}", f"{goal:.3f}", baseline)  # fmt: skip
    return {**figures, **halves}


def time_words(timings: Sequence[Timing]) -> tuple[dict[str, float], str]:
    """Median times, and their ratio to the barest page function's; the same in words."""
    if not timings:
        return {}, ""
    names = ("snapshot", "trip", "python", "bare")
    ms = {name: statistics.median(getattr(t, name) for t in timings) for name in names}
    total = statistics.median(t.snapshot + t.python for t in timings)
    ratio = statistics.median((t.snapshot + t.python) / max(t.bare, 0.1) for t in timings)
    said = ", ".join(f"{name} {value:.2f}" for name, value in ms.items())
    words = f"ms a page, median: {said}; snapshot and Python {total:.2f}, {ratio:.1f} times bare"
    figures = {**ms, "snapshot and python": total, "ratio to bare": ratio}
    return {name: round(value, 2) for name, value in figures.items()}, words


def labels_by_control(found: Understanding) -> dict[int, str]:
    """Label of each control as shown: a box's own, not its group's."""
    labels: dict[int, str] = {}
    elements = [e for form in found.forms for e in form.elements]
    for element in (*elements, *found.outside):
        if element.kind in ("radio", "checkbox"):
            labels.update({o.control: o.label for o in (*element.options, *element.captions)})
        else:
            labels[element.controls[0]] = element.label_text
    return labels


def understood(saved: SavedPage, timings: list[Timing]) -> Understanding:
    """Understand a saved page and note what it took."""
    started = time.process_time()
    found = understand(saved.page)
    python = saved.parse_ms + (time.process_time() - started) * 1000
    timings.append(Timing(saved.snapshot_ms, saved.bare_ms, saved.trip_ms, python))
    return found


async def _ablated(timings: list[Timing]) -> dict[str, list[Answer]]:
    folder = corpus_folder("forms")
    gold = _gold_by_page(folder)
    answers: list[Answer] = []
    async for saved in saved_pages([folder / "ablated" / name for name in gold]):
        page, labels = saved.page, labels_by_control(understood(saved, timings))
        known = {dict(c.data).get("data-gold-id"): labels.get(c.index, "") for c in page.controls}
        for row in gold[saved.path.name]:
            given = known.get(row["gold_id"], "")
            answers.append(_answer(row, row["half"], row["gold_id"], given))
    return {"ablated": answers}


async def _marked_up(timings: list[Timing]) -> dict[str, list[Answer]]:
    """The pages as they were; controls are tied to the gold by name and order."""
    folder = corpus_folder("forms")
    gold = {n: r for n, r in _gold_by_page(folder).items() if (folder / "pages" / n).is_file()}
    places: dict[str, dict[str, tuple[str, int]]] = {}
    async for saved in saved_pages([folder / "ablated" / name for name in gold]):
        places[saved.path.name] = dict(_places(saved.page))
    answers: list[Answer] = []
    async for saved in saved_pages([folder / "pages" / name for name in gold]):
        page, labels = saved.page, labels_by_control(understood(saved, timings))
        by_place = {place: index for index, place in _numbered(page)}
        for row in gold[saved.path.name]:
            index = by_place.get(places[saved.path.name].get(row["gold_id"], ("", -1)), -1)
            answers.append(_answer(row, row["half"], row["gold_id"], labels.get(index, "")))
    return {"marked up": answers}


def _numbered(page: Page) -> Iterator[tuple[int, tuple[str, int]]]:
    """Index of each fillable control with its name and its place among those of that name."""
    seen: dict[str, int] = {}
    for control in filter(is_fillable, page.controls):
        place = seen.get(control.name, 0)
        seen[control.name] = place + 1
        yield control.index, (control.name, place)


def _places(page: Page) -> Iterator[tuple[str, tuple[str, int]]]:
    for index, place in _numbered(page):
        gold_id = dict(page.controls[index].data).get("data-gold-id")
        if gold_id:
            yield gold_id, place


def _gold_by_page(folder: Path) -> dict[str, list[dict[str, Any]]]:
    domain = domains(json_lines(folder / "form_types.jsonl"))
    gold: dict[str, list[dict[str, Any]]] = {}
    for row in json_lines(folder / "labels.jsonl"):
        row["half"] = half_of(domain.get(row["page"]) or row["page"])
        gold.setdefault(row["page"], []).append(row)
    return gold


def _answer(row: dict[str, Any], half: str, control: str, given: str) -> Answer:
    return Answer(row["page"], half, control, row["label"], given)


async def _chromium(timings: list[Timing]) -> dict[str, list[Answer]]:
    folder = corpus_folder("chromium")
    rows = json_lines(folder / "labels.jsonl")
    sets: dict[str, list[Answer]] = {"chromium, trusted": [], "chromium, untrusted": []}
    paths = sorted((folder / "pages").glob("*.html"))
    async for saved in saved_pages(paths):
        page, labels = saved.page, labels_by_control(understood(saved, timings))
        controls = [c for c in page.controls if is_fillable(c) and c.kind != "file"]
        for row in _judged(rows, saved.path.name):
            title = "chromium, trusted" if row["trusted"] else "chromium, untrusted"
            given = labels.get(controls[row["order"]].index, "")
            half = half_of(saved.path.name)
            sets[title].append(_answer(row, half, row["field"], given))
    return sets


def _judged(rows: Iterable[dict[str, Any]], page: str) -> Iterator[dict[str, Any]]:
    """A page's rows with the label to score against: where untrusted, what a person says."""
    for row in rows:
        if row["page"] != page:
            continue
        label = row["label"] if row["trusted"] else row.get("person_label")
        if label is not None:
            yield {**row, "label": label}


SETS = {
    "ablated": _ablated,
    "marked up": _marked_up,
    "chromium": _chromium,
}
