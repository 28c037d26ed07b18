"""`hiwe bench forms`: are search forms told from others, on domains not seen before?"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.corpus import HALVES, corpus_folder, domains, half_of, json_lines
from hiwe.bench.fit import fit, probability
from hiwe.bench.result import BenchResult
from hiwe.bench.scoring import precision_recall_f1
from hiwe.form.find import understand_sketches
from hiwe.form.searchable import sure_reason, weights
from hiwe.page.saved import saved_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOLDS = 10
FOLDINGS = 5
IN_SAMPLE = "refitted, in sample"
GOAL = 0.965
BASELINES = (
    ("every form is searchable", 0.351, 1.0, 0.519),
    ("Formasaurus, 10-fold", 0.896, 0.959, 0.926),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """An annotated form: what it is, its features, the sign that alone forbids it ('' for none)."""

    page: str
    dom_form: int
    domain: str
    type: str
    searchable: bool
    features: frozenset[str]
    sure: str


async def judged_forms() -> list[Judged]:
    """All annotated forms of the corpus that a browser finds."""
    folder = corpus_folder("forms")
    rows = json_lines(folder / "form_types.jsonl")
    domain = domains(rows)
    wanted: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["searchable"] is not None and row["dom_form"] is not None:
            wanted.setdefault(row["page"], []).append(row)
    found: list[Judged] = []
    async for saved in saved_pages([folder / "pages" / name for name in wanted]):
        sketches = understand_sketches(saved.page)
        for row in wanted[saved.path.name]:
            sketch, given = sketches[row["dom_form"]]
            found.append(
                Judged(row["page"], row["dom_form"], domain[row["page"]], row["type"],
                       row["searchable"], given, sure_reason(sketch))
            )  # fmt: skip
    return found


def score(form: Judged, table: Mapping[str, float]) -> float:
    """Probability that a form is searchable under a table of weights."""
    if form.sure:
        return 0.0
    return probability(table["bias"] + sum(table.get(f, 0.0) for f in form.features))


def train(
    forms: Sequence[Judged], extra: Sequence[tuple[frozenset[str], bool]] = ()
) -> dict[str, float]:
    """Weights from annotated forms; `extra` are further (features, searchable) pairs.

    Forms that a sure sign refuses teach too: what a log-in says without its password.
    """
    rows = [*(f.features for f in forms), *(x for x, _ in extra)]
    truth = [*(f.searchable for f in forms), *(y for _, y in extra)]
    return fit(rows, truth)


def cross_validated(
    forms: Sequence[Judged],
    extra: Sequence[tuple[frozenset[str], bool]] = (),
    *,
    folding: int = 0,
) -> list[tuple[Judged, float]]:
    """Return each form with its score under weights trained on the other nine folds.

    A domain is wholly in one fold; `folding` numbers the ways to spread the domains.
    """
    found: list[tuple[Judged, float]] = []
    for fold in range(FOLDS):
        table = train([f for f in forms if _fold(f, folding) != fold], extra)
        found += [(f, score(f, table)) for f in forms if _fold(f, folding) == fold]
    return found


def _fold(form: Judged, folding: int) -> int:
    key = f"{form.domain}{folding or ''}"
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % FOLDS


Scored = list[tuple[Judged, float]]


async def run() -> BenchResult:
    """Measure the committed weights, and what weights trained without a domain say of it.

    The committed weights know the forms of the acceptance cases too; the others are refitted to
    the corpus alone, so that those in sample and those out of fold differ in nothing else. Words
    and features are the same for all.
    """
    forms = await judged_forms()
    committed, refitted = weights(), train(forms)
    foldings = [cross_validated(forms, folding=n) for n in range(FOLDINGS)]
    sets: dict[str, Scored] = {
        "committed weights": [(f, score(f, committed)) for f in forms],
        IN_SAMPLE: [(f, score(f, refitted)) for f in forms],
        "out of fold: ten folds by domain": foldings[0],
        **_halves(forms),
    }
    return _result(sets, foldings, committed["threshold"])


def _halves(forms: Sequence[Judged]) -> dict[str, Scored]:
    """Weights from half of the domains, on that half and on the other."""
    found: dict[str, Scored] = {}
    for half, other in (HALVES, HALVES[::-1]):
        table = train([f for f in forms if half_of(f.domain) == half])
        for tested in (half, other):
            scored = [(f, score(f, table)) for f in forms if half_of(f.domain) == tested]
            found[f"trained on {half}, tested on {tested}"] = scored
    return found


def _result(sets: dict[str, Scored], foldings: Sequence[Scored], threshold: float) -> BenchResult:
    forms = len(foldings[0])
    table = Table("decision", "precision", "recall", "F1", title=f"searchable, {forms} forms")
    for title, p, r, f1 in BASELINES:
        table.add_row(title, f"{p:.3f}", f"{r:.3f}", f"{f1:.3f}")
    figures: dict[str, Any] = {"forms": forms, "goal": GOAL}
    for title, scored in sets.items():
        p, r, f1 = _figures(scored, threshold)
        table.add_row(title, f"{p:.3f}", f"{r:.3f}", f"{f1:.3f}")
        figures[title] = {"precision": round(p, 4), "recall": round(r, 4), "f1": round(f1, 4)}
    unseen = [_figures(scored, threshold)[2] for scored in foldings]
    mean = statistics.mean(unseen)
    gap = figures[IN_SAMPLE]["f1"] - mean
    title = f"out of fold: mean of {len(foldings)} ways to fold"
    table.add_row(title, "", "", f"{mean:.3f} ({min(unseen):.3f} to {max(unseen):.3f})")
    table.caption = f"in sample less out of fold: {100 * gap:.1f} points of F1"
    figures[title] = {"f1": round(mean, 4), "least": round(min(unseen), 4)}
    figures["gap"] = round(gap, 4)
    wrong = [(f, s) for f, s in foldings[0] if (s >= threshold) != f.searchable]
    figures["wrong by type"] = dict(Counter(f.type for f, _ in wrong))
    misses = tuple(f"{f.page} form {f.dom_form} ({f.type}): {s:.2f}" for f, s in wrong)
    return BenchResult(table, figures, misses)


def _figures(scored: Scored, threshold: float) -> tuple[float, float, float]:
    return precision_recall_f1((f.searchable, s >= threshold) for f, s in scored)
