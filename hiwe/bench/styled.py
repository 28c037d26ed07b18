"""The styled set: forms laid out by real style sheets, with the gold known because we made them.

The corpora come without their style sheets and hardly test layout. Here each form is written by a
recipe (`styled_recipes.py`): a CSS framework or plain CSS of some era, with or without label
markup; in more than a third of the forms the source order says something else than the eye.
`scripts/styled_set.py` gets the frameworks from npm and writes the pages.
"""

from __future__ import annotations

import html
import random
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from hiwe.bench.styled_ink import Field, Ink
from hiwe.bench.styled_recipes import RECIPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiwe.bench.styled_ink import Recipe

KINDS = ("text", "text", "text", "select", "select", "number", "radio", "checkbox")
HINTS = ("e.g. Smith", "as on the cover", "at least 3 letters", "(yyyy)", "use * for any letters")
UNITS = ("EUR", "cm", "years", "km", "%")
ERRORS = ("Please fill in this field", "Invalid value")


@dataclass(frozen=True, slots=True)
class StyledForm:
    """A page with its gold: control id -> label; `group:NAME` -> the question of a group."""

    name: str
    html: str
    gold: dict[str, str]
    recipe: str
    language: str
    marked: bool
    disagrees: bool  # source order against visual order


@cache
def vocabulary() -> dict[str, dict[str, list[Any]]]:
    """By language: labels, choices (lists of options), headings, buttons."""
    text = resources.files("hiwe.bench").joinpath("data/styled.yaml").read_text("utf-8")
    loaded: dict[str, dict[str, list[Any]]] = yaml.safe_load(text)
    return loaded


def styled_forms(sheets: Mapping[str, str], count: int, seed: int = 1) -> Iterator[StyledForm]:
    """Write `count` forms; `sheets` maps a framework's name to its style sheet.

    Recipes whose framework is missing are left out; recipes, languages and markup take turns.
    """
    usable = [r for r in RECIPES if not r.framework or r.framework in sheets]
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        recipe = usable[number % len(usable)]
        languages = [x for x in vocabulary() if (x in ("he", "ar")) == recipe.rtl]
        language = languages[rng.randrange(len(languages))]
        marked = (number // len(usable)) % 3 == 0
        yield _form(number, recipe, language, rng, sheets, marked=marked)


def _form(
    number: int,
    recipe: Recipe,
    language: str,
    rng: random.Random,
    sheets: Mapping[str, str],
    *,
    marked: bool,
) -> StyledForm:
    words = vocabulary()[language]
    fields = _fields(words, rng, recipe)
    ink = Ink(marked=marked, rng=rng)
    body = recipe.write(fields, ink)
    heading, button = rng.choice(words["headings"]), rng.choice(words["buttons"])
    direction = ' dir="rtl"' if recipe.rtl else ""
    sheet = sheets.get(recipe.framework, "") if recipe.framework else ""
    page = (
        f'<!DOCTYPE html><html lang="{language}"{direction}><head><meta charset="utf-8">'
        f"<title>{heading}</title><style>{sheet}</style><style>{recipe.css}</style></head><body>"
        f"{_surroundings(rng, words, before=True)}<main class='{recipe.container}'>"
        f"<h2>{heading}</h2><form action='/find' class='{recipe.form_class}'>{body}"
        f"<p style='clear:both'><button type='submit'>{button}</button></p></form></main>"
        f"{_surroundings(rng, words, before=False)}</body></html>"
    )
    name = f"{number:04}-{recipe.name}-{language}"
    return StyledForm(name, page, ink.gold, recipe.name, language, marked, recipe.disagrees)


def _fields(words: dict[str, list[Any]], rng: random.Random, recipe: Recipe) -> list[Field]:
    labels = rng.sample(words["labels"], min(rng.randint(3, 8), len(words["labels"])))
    mark = rng.choice(("", "", ":", " *"))
    noisy = rng.random() < 0.4 and not recipe.bare
    fields = []
    for place, label in enumerate(labels):
        kind = rng.choice(KINDS if recipe.boxes else KINDS[:6])
        options = (
            tuple(rng.choice(words["choices"])) if kind in ("select", "radio", "checkbox") else ()
        )
        fields.append(
            Field(
                name=f"f{place}",
                label=html.escape(label),
                kind=kind,
                options=options,
                mark=mark if mark != " *" or rng.random() < 0.5 else "",
                hint=rng.choice(HINTS) if noisy and rng.random() < 0.4 else "",
                unit=rng.choice(UNITS) if noisy and kind == "number" else "",
                error=rng.choice(ERRORS) if noisy and rng.random() < 0.15 else "",
            )
        )
    return fields


def _surroundings(rng: random.Random, words: dict[str, list[Any]], *, before: bool) -> str:
    """What pages have round their forms: menu, intro, footer."""
    if before:
        menu = "".join(f"<a href='/{i}'>{w}</a> " for i, w in enumerate(words["headings"]))
        return f"<nav>{menu}</nav>" if rng.random() < 0.6 else ""
    if rng.random() < 0.6:
        said = f"{rng.choice(words['headings'])} · {rng.choice(words['labels'])}"
        return f"<footer><p>{said}</p></footer>"
    return ""
