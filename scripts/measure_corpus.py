"""Measure a corpus of saved pages: the distributions that the generated web is drawn from.

    python scripts/measure_corpus.py ../shared/corpus

writes ``fixtures/hiwe_fixtures/generated/measured.json``: counts alone, no text of any page. Forms
and their types are those that people annotated (`forms/form_types.jsonl`); everything else is read
from the markup, so that the counts need no browser. Copies of one form on pages of one site are
counted once.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import lxml.html

OUT = Path(__file__).parents[1] / "fixtures/hiwe_fixtures/generated/measured.json"
NOT_FILLED = frozenset({"hidden", "submit", "button", "image", "reset"})
BOXES = frozenset({"radio", "checkbox"})
#: Names of elements that say how to search or show, not what for.
OPERATOR = re.compile(
    r"sort|order|per_?page|limit|display|titleonly|typeofsearch|showposts|^terms$|operat|"
    r"beforeafter|^s[ktdrcf]$|^ch$|pag(e|in)|exact|usage|toggle|^st$",
    re.IGNORECASE,
)
TOKEN = re.compile(r"csrf|token|nonce|authenticity|viewstate|xsrf", re.IGNORECASE)
PURPOSES = {
    "login": "login",
    "registration": "registration",
    "contact/comment": "contact",
    "join mailing list": "newsletter",
    "password/login recovery": "recovery",
    "order/add to cart": "cart",
}


@dataclass
class Counts:
    """What is counted, by the name it has in the file."""

    purposes: Counter[str] = field(default_factory=Counter)
    method: Counter[str] = field(default_factory=Counter)
    post_token: Counter[str] = field(default_factory=Counter)
    size: Counter[str] = field(default_factory=Counter)
    kind: Counter[str] = field(default_factory=Counter)
    operator: Counter[str] = field(default_factory=Counter)
    tie_one: Counter[str] = field(default_factory=Counter)
    tie_many: Counter[str] = field(default_factory=Counter)
    place: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)
    submitter: Counter[str] = field(default_factory=Counter)
    language: Counter[str] = field(default_factory=Counter)


def main(corpus: Path) -> None:
    """Measure `corpus` and write the counts."""
    rows = [json.loads(line) for line in (corpus / "forms/form_types.jsonl").open("rb")]
    pages: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        pages.setdefault(row["page"], []).append(row)
    counts = Counts()
    seen: set[tuple[str, str]] = set()
    for name, forms in pages.items():
        _page(corpus / "forms/pages" / name, forms, counts, seen)
    chromium = [json.loads(line) for line in (corpus / "chromium/labels.jsonl").open("rb")]
    found: dict[str, Any] = {
        "source": "390 pages of the corpus 'forms', 27 of 'chromium'; scripts/measure_corpus.py",
        **{name: dict(sorted(counter.items())) for name, counter in vars(counts).items()},
        "chromium_layout": dict(sorted(Counter(r["layout"] for r in chromium).items())),
        "chromium_source": dict(sorted(Counter(r["label_source"] for r in chromium).items())),
    }
    OUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


def _page(
    path: Path, rows: list[dict[str, Any]], counts: Counts, seen: set[tuple[str, str]]
) -> None:
    parser = lxml.html.HTMLParser(encoding="utf-8")
    tree = lxml.html.document_fromstring(path.read_bytes(), parser=parser)
    language = re.match(r"[a-z]{2}", str(tree.get("lang") or "").lower())
    counts.language[language.group() if language else "unknown"] += 1
    forms = tree.xpath("//form")
    ties = {label.get("for") for label in tree.xpath("//label[@for]")}
    for row in rows:
        form = forms[row["form"]]
        elements = _elements(form)
        shape = ",".join(_kind(e) + str(e.get("name")) for e in elements)
        known = (str(urlsplit(row["url"]).hostname), shape)
        if known in seen or row["searchable"] is None:
            continue
        seen.add(known)
        counts.purposes["search" if row["searchable"] else PURPOSES.get(row["type"], "other")] += 1
        if row["searchable"] and elements:
            _search(form, elements, ties, counts)


def _search(form: Any, elements: list[Any], ties: set[str], counts: Counts) -> None:
    method = (form.get("method") or "get").lower()
    counts.method[method] += 1
    if method == "post":
        hidden = form.xpath(".//input[@type='hidden']/@name")
        counts.post_token["yes" if any(TOKEN.search(name) for name in hidden) else "no"] += 1
    counts.size[f"{len(elements):02}"] += 1
    counts.submitter[_submitter(form)] += 1
    for element in elements:
        tie = _tie(element, ties)
        if len(elements) == 1:
            counts.tie_one[tie] += 1
            continue
        counts.tie_many[tie] += 1
        counts.place[_place(element)] += 1
        counts.kind[_kind(element)] += 1
        if _kind(element) in ("select", "radio"):
            is_operator = bool(OPERATOR.search(element.get("name") or ""))
            counts.operator["yes" if is_operator else "no"] += 1
        if element.tag == "select":
            counts.options[_size_class(len(element.xpath(".//option")))] += 1


def _elements(form: Any) -> list[Any]:
    """The fields of a form; radio buttons of one name are one, check boxes too."""
    found: dict[Any, Any] = {}
    for control in form.xpath(".//input|.//select|.//textarea"):
        kind = _kind(control)
        if kind not in NOT_FILLED:
            key = (kind, control.get("name")) if kind in BOXES else id(control)
            found.setdefault(key, control)
    return list(found.values())


def _kind(control: Any) -> str:
    return str(control.get("type") or "text").lower() if control.tag == "input" else control.tag


def _tie(control: Any, ties: set[str]) -> str:
    """How a text is tied to a control in the markup."""
    if control.get("id") in ties:
        return "for"
    if control.xpath("ancestor::label"):
        return "wrap"
    if control.get("aria-label") or control.get("aria-labelledby"):
        return "aria"
    return "placeholder" if control.get("placeholder") else "none"


def _place(control: Any) -> str:
    """The nearest container within the form: table cell, list item, block or none."""
    for node in control.iterancestors():
        if node.tag in ("td", "th"):
            return "cell"
        if node.tag in ("li", "dd"):
            return "list"
        if node.tag in ("div", "p", "fieldset"):
            return "block"
        if node.tag == "form":
            return "flow"
    return "flow"


def _submitter(form: Any) -> str:
    for name, path in (
        ("input", ".//input[@type='submit']"),
        ("button", ".//button"),
        ("image", ".//input[@type='image']"),
    ):
        if form.xpath(path):
            return name
    return "none"


def _size_class(count: int) -> str:
    return "1-5" if count <= 5 else "6-15" if count <= 15 else "16-60" if count <= 60 else "61-"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
