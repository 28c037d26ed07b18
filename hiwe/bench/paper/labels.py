"""Table (e): labels by LITE, by the order of the text and by a simple view of the layout."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.bench.corpus import corpus_folder, json_lines
from hiwe.bench.labels import labels_by_control
from hiwe.bench.scoring import is_strict_hit
from hiwe.bench.simple import by_layout, by_order
from hiwe.errors import UsageError
from hiwe.form.find import understand
from hiwe.page.saved import saved_pages
from hiwe_fixtures.generated.markup import is_silent
from hiwe_fixtures.generated.site import GeneratedSite

if TYPE_CHECKING:
    from hiwe.page.page import Page
    from hiwe_fixtures.generated import FieldPlan, FormPlan, SitePlan, WebPlan

METHODS = ("text order", "simple layout", "LITE")
BOXES = ("radio", "checkbox")


async def generated_labels(plan: WebPlan) -> dict[str, Any]:
    """Accuracy of each method over the elements of the generated forms, by layout and in all.

    A radio or check-box group is left out here: the simple rules know no groups, and what they say
    of a box is measured on the corpus.
    """
    hits: list[tuple[str, tuple[bool, bool, bool]]] = []
    misses: list[str] = []
    with tempfile.TemporaryDirectory(prefix="hiwe-labels-") as folder:
        pages = _written(plan, Path(folder))
        async for saved in saved_pages(list(pages)):
            said = _said(saved.page)
            names = {c.name: c.index for c in saved.page.controls}
            site, path = pages[saved.path]
            for form, field in _fields(site, path):
                at = names.get(field.name, -1)
                given = tuple(labels.get(at, "") for labels in said)
                one, two, three = (_is_hit(field, text) for text in given)
                hits.append((form.layout, (one, two, three)))
                if not three:
                    misses.append(f"{site.key} {path} {form.layout} {field.name}:"
                                  f" {field.label!r} != {given[2]!r}")  # fmt: skip
    layouts = sorted({layout for layout, _ in hits})
    return {
        "elements": len(hits),
        "all": _accuracies([hit for _, hit in hits]),
        "by layout": {one: _accuracies([h for layout, h in hits if layout == one])
                      for one in layouts},
        "misses": misses,
    }  # fmt: skip


async def corpus_labels() -> dict[str, Any] | None:
    """The same over the labelled pages of the corpus; None where it is not there."""
    try:
        folder = corpus_folder("forms")
    except UsageError:
        return None
    gold: dict[str, list[dict[str, Any]]] = {}
    for row in json_lines(folder / "labels.jsonl"):
        gold.setdefault(row["page"], []).append(row)
    hits: list[tuple[bool, ...]] = []
    async for saved in saved_pages([folder / "ablated" / name for name in gold]):
        said = _said(saved.page)
        places = {dict(c.data).get("data-gold-id"): c.index for c in saved.page.controls}
        for row in gold[saved.path.name]:
            at = places.get(row["gold_id"], -1)
            hits.append(tuple(is_strict_hit(row["label"], labels.get(at, "")) for labels in said))
    return {"elements": len(hits), "all": _accuracies(hits)}


def _said(page: Page) -> tuple[dict[int, str], ...]:
    """Control -> label by each method, in the order of METHODS."""
    return by_order(page), by_layout(page), labels_by_control(understand(page))


def _is_hit(field: FieldPlan, text: str) -> bool:
    return any(is_strict_hit(name, text) for name in field.names)


def _accuracies(hits: list[Any]) -> dict[str, float]:
    counts = (sum(hit[at] for hit in hits) for at in range(len(METHODS)))
    return {
        name: round(count / max(1, len(hits)), 4)
        for name, count in zip(METHODS, counts, strict=True)
    }


def _fields(site: SitePlan, path: str) -> list[tuple[FormPlan, FieldPlan]]:
    """The elements of a page that have a text beside them and are no groups."""
    return [
        (form, field)
        for form in site.forms
        if form.path == path
        for field in form.fields
        if not is_silent(form, field) and field.kind not in BOXES
    ]


def _written(plan: WebPlan, folder: Path) -> dict[Path, tuple[SitePlan, str]]:
    """Write every page with a search form; file -> site and path."""
    found: dict[Path, tuple[SitePlan, str]] = {}
    for site in plan.sites:
        served = GeneratedSite(site, lambda *_: None, lambda _: None)
        for path in dict.fromkeys(form.path for form in site.forms):
            file = folder / f"{site.key}-{re.sub(r'[^a-z]', '', path) or 'home'}.html"
            body = bytes(served.html(served.form_page(path), site.name).body)
            file.write_bytes(body)
            found[file] = (site, path)
        served.close()
    return found
