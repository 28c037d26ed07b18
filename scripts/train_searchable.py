"""Train the weights of the searchable decision and write them to hiwe/form/searchable.yaml.

    python scripts/train_searchable.py [--write]

Logistic regression with an L2 penalty on the features of `hiwe/form/feature.py`, from the annotated
forms of the corpus beside the repository and the forms of its acceptance cases (structured search
forms, of which the corpus has few). The figures printed are of ten folds by domain.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
from pathlib import Path

from hiwe.bench.corpus import SHARED
from hiwe.bench.forms import cross_validated, judged_forms, train
from hiwe.bench.scoring import precision_recall_f1
from hiwe.form.find import understand_sketches
from hiwe.form.searchable import sure_reason
from hiwe.page.saved import saved_pages

WEIGHTS = Path(__file__).parents[1] / "hiwe" / "form" / "searchable.yaml"
NO_SEARCH_BUTTON = re.compile("subscribe|accept", re.I)
LEAST_WEIGHT = 0.05
THRESHOLD = 0.45


async def case_forms() -> list[tuple[frozenset[str], bool]]:
    """Features of the cases' forms; all but the subscription's are search forms."""
    found: list[tuple[frozenset[str], bool]] = []
    cases = Path(os.environ.get("HIWE_SHARED", SHARED)) / "cases"
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for case in sorted(cases.glob("*.md")):
            block = re.search(r"```html\n(.*?)```", case.read_text("utf-8"), re.DOTALL)
            if block:
                path = Path(folder) / f"{case.stem}.html"
                path.write_text(f"<!doctype html>{block.group(1)}", "utf-8")
                paths.append(path)
        async for saved in saved_pages(paths, scripts=True):
            for sketch, features in understand_sketches(saved.page).values():
                if not sure_reason(sketch):
                    said = " ".join(s.text for s in sketch.submitters)
                    found.append((features, not NO_SEARCH_BUTTON.search(said)))
    return found


async def main() -> None:
    """Print the figures of ten folds; with --write keep the weights of all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name}")
    arguments = parser.parse_args()
    forms, extra = await judged_forms(), await case_forms()
    scored = cross_validated(forms, extra)
    p, r, f1 = precision_recall_f1((f.searchable, s >= THRESHOLD) for f, s in scored)
    figures = (
        f"{len(forms)} forms, ten folds by domain: precision {p:.3f}, recall {r:.3f}, F1 {f1:.3f}"
    )
    print(figures)
    if arguments.write:
        table = train(forms, extra)
        lines = ["# Log odds by feature; made by scripts/train_searchable.py.", f"# {figures}"]
        lines += ["weights:", f"  bias: {table.pop('bias'):.2f}", f"  threshold: {THRESHOLD}"]
        kept = {name: w for name, w in table.items() if abs(w) >= LEAST_WEIGHT}
        lines += [f'  "{name}": {w:.2f}' for name, w in sorted(kept.items())]
        WEIGHTS.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
