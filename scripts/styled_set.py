"""Make the styled set: get CSS frameworks from npm, write the pages and their gold.

    python scripts/styled_set.py OUT [--count 720]

Needs npm the first time. Writes OUT/pages/*.html and OUT/labels.jsonl, to look at the forms that
`hiwe bench styled` scores.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from hiwe.bench.styled import styled_forms
from hiwe.bench.styled_sheets import cache_folder, style_sheets
from hiwe.errors import UsageError


def main() -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=720)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        sheets = style_sheets(cache_folder())
    except UsageError as error:
        sys.exit(str(error))
    pages = arguments.out / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    rows = []
    for form in styled_forms(sheets, arguments.count, arguments.seed):
        (pages / f"{form.name}.html").write_text(form.html, "utf-8")
        facts = {"recipe": form.recipe, "marked": form.marked, "disagrees": form.disagrees}
        rows += [
            {"page": f"{form.name}.html", "gold_id": key, "label": label, **facts}
            for key, label in form.gold.items()
        ]
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (arguments.out / "labels.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{arguments.count} forms, {len(rows)} labels in {arguments.out}")


if __name__ == "__main__":
    main()
