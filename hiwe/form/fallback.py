"""Labels where no text near the element is one: placeholder, caption, title, name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.form.caption import split_choices
from hiwe.form.words import names, tokens

if TYPE_CHECKING:
    from hiwe.form.element import Draft
    from hiwe.form.slot import Slot
    from hiwe.page.page import Control

_FORMAT = re.compile(
    r"^[\W\d_]*$|^[dmyjagth./\-\s]{6,}$|^\W*(?:e\.?g\b|ex[.:]|z\.\s?b|https?:)", re.I
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-zA-Z])(?=\d)")


def fallback_label(slot: Slot, draft: Draft) -> tuple[str, str]:
    """Text and source of a label when layout and markup gave none; ('', 'none') as a last."""
    control = slot.first
    if slot.kind == "choice":
        return _first_of(
            (_title(control), "title"), (_value_label(control), "option"), (_split(control), "name")
        )
    caption = ""
    if control.kind in ("select", "combobox", "listbox"):
        caption = split_choices(control.options).title
    hint = control.placeholder
    if hint and (_FORMAT.match(hint) or not tokens(hint)):
        hint = ""
    return _first_of(
        (hint, "placeholder"),
        (caption, "option"),
        (_title(control), "title"),
        (_own_value(control), "option"),
        (_split(control), "name"),
    )


def _first_of(*found: tuple[str, str]) -> tuple[str, str]:
    return next(((text, source) for text, source in found if tokens(text)), ("", "none"))


def _title(control: Control) -> str:
    """The tooltip, unless it repeats the identifier."""
    title = control.title
    return "" if title in (control.name, control.id) else title


def _value_label(control: Control) -> str:
    """A box's value where it reads like a word."""
    value = control.value
    return (
        value
        if re.fullmatch(r"[^\W\d_][^\W_]{2,}(?:[ _-][^\W_]+)*", value) and value != "on"
        else ""
    )


def _own_value(control: Control) -> str:
    """A text box that says in itself what it wants ('Search...'), as old pages do."""
    if control.kind not in ("text", "search") or len(control.value) > 40:
        return ""
    return control.value if any(c.isalpha() for c in control.value) else ""


def _split(control: Control) -> str:
    """Name, else id, split to words, without the prefixes of programmers."""
    for name in (control.name, control.id):
        tail = re.split(r"[$:.\[]", name.rstrip("]$:."))[-1]
        words = [w for w in re.split(r"[\s_\-]+", _CAMEL.sub(" ", tail)) if w]
        kept = [w for w in words if w.casefold() not in names("prefixes")]
        text = " ".join(kept or words)
        if any(len(w) > 1 and w.isalpha() for w in text.split()):
            return text
    return ""
