"""Accessibility faults of a page that a browser shows, as axe-core (tests/vendor) finds them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

SOURCE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
LEAST_PASSES = 10  # rules that any page of ours meets: fewer, and axe looked at nothing


def faults(view: Page, *rules: str) -> list[tuple[str, str]]:
    """(rule, first element at fault) of each serious fault of the page as it is shown now.

    `rules` are the only ones to look for; none: all.
    """
    if not view.evaluate("'axe' in window"):
        view.evaluate(SOURCE.read_text(encoding="utf-8"))
    options = {"runOnly": list(rules)} if rules else {}
    found: dict[str, Any] = view.evaluate("options => axe.run(document, options)", options)
    assert len(found["passes"]) >= (len(rules) or LEAST_PASSES), "axe looked at nothing"
    return [
        (rule["id"], rule["nodes"][0]["html"])
        for rule in found["violations"]
        if rule["impact"] in GRAVE
    ]
