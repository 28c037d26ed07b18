"""Make the styled set: get CSS frameworks from npm, write the pages and their gold.

    python scripts/styled_set.py OUT [--count 720]

Needs npm. Writes OUT/pages/*.html and OUT/labels.jsonl; `hiwe bench labels` reads the folder that
HIWE_STYLED names.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from hiwe.bench.styled import styled_forms

# name -> (npm package with version, style sheet inside it)
FRAMEWORKS = {
    "bootstrap5": ("bootstrap@5.3.3", "package/dist/css/bootstrap.min.css"),
    "bootstrap3": ("bootstrap@3.4.1", "package/dist/css/bootstrap.min.css"),
    "bulma": ("bulma@1.0.2", "package/css/bulma.min.css"),
    "pico": ("@picocss/pico@2.0.6", "package/css/pico.min.css"),
    "foundation": ("foundation-sites@6.8.1", "package/dist/css/foundation.min.css"),
    "uikit": ("uikit@3.21.6", "package/dist/css/uikit.min.css"),
    "materialize": ("materialize-css@1.0.0", "package/dist/css/materialize.min.css"),
    "pure": ("purecss@3.0.0", "package/build/pure-min.css"),
}


def sheets(folder: Path) -> dict[str, str]:
    """The style sheets by framework, fetched once into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, (package, member) in FRAMEWORKS.items():
        kept = folder / f"{name}.css"
        if not kept.exists():
            done = subprocess.run(
                ["npm", "pack", "--silent", package],
                cwd=folder, check=True, capture_output=True, text=True,
            )  # fmt: skip
            archive = folder / done.stdout.strip().splitlines()[-1]
            with tarfile.open(archive) as opened:
                sheet = opened.extractfile(member)
                if sheet is None:
                    sys.exit(f"{package} has no {member}")
                kept.write_bytes(sheet.read())
            archive.unlink()
        found[name] = kept.read_text("utf-8")
    return found


def main() -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=720)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which("npm") is None:
        sys.exit("npm is needed to get the CSS frameworks: apt-get install npm")
    pages = arguments.out / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    rows = []
    for form in styled_forms(sheets(arguments.out / "css"), arguments.count, arguments.seed):
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
