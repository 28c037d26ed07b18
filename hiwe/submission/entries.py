"""The entry list of a form (HTML standard, 4.10.21.4: constructing the entry list)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.submission.encode import Entry, charset_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiwe.page.page import Control

BUTTONS = frozenset({"submit", "image"})
IDLE = frozenset({"button", "reset"})  # never sent
BOXES = frozenset({"radio", "checkbox"})
DIRECTED = frozenset(
    {"text", "search", "tel", "url", "email", "password", "hidden", "textarea", "submit"}
)
CHARSET_FIELD = "_charset_"


@dataclass(frozen=True, slots=True)
class Field:
    """A control as it stands in its form; `control` is its number in the page.

    `value` is what it holds, of a box what it sends when checked. `chosen` are the values of a
    select's chosen options.
    """

    kind: str
    name: str
    value: str
    control: int
    checked: bool = False
    disabled: bool = False
    chosen: tuple[str, ...] = ()
    point: tuple[int, int] = (0, 0)  # of an image button: where it is pressed
    dirname: str | None = None  # field that is sent with the direction of its text
    direction: str = "ltr"

    @property
    def written(self) -> str:
        """Which way its text runs (HTML standard, 3.2.6.4: the directionality of an element)."""
        if self.direction != "auto":
            return self.direction
        kinds = (unicodedata.bidirectional(letter) for letter in self.value)
        strong = next((kind for kind in kinds if kind in ("L", "R", "AL")), "L")
        return "ltr" if strong == "L" else "rtl"


def field_of(control: Control) -> Field:
    """A control of a page as a field."""
    value = control.value
    if control.kind == "submit" and control.tag == "input":
        value = value or control.text  # without a value the caption is sent
    return Field(
        kind=control.kind,
        name=control.name,
        value=value,
        control=control.index,
        checked=control.checked,
        disabled=control.disabled,
        chosen=tuple(o.value for o in control.options if o.selected and not o.disabled)
        if control.kind == "select"
        else (),
        dirname=control.dirname if _is_directed(control) else None,
        direction=control.direction,
    )


def _is_directed(control: Control) -> bool:
    """Whether the browser tells the direction of its text: of a button element it does not."""
    return control.kind in DIRECTED and control.tag != "button"


def entry_list(fields: Sequence[Field], submitter: int | None, codec: str) -> tuple[Entry, ...]:
    """What the fields send, in tree order; `submitter` is the place of the pressed one, if any."""
    return tuple(
        entry
        for place, field in enumerate(fields)
        for entry in _entries(field, codec, pressed=place == submitter)
    )


def _entries(field: Field, codec: str, *, pressed: bool) -> Iterator[Entry]:
    if field.disabled or field.kind in IDLE or (field.kind in BUTTONS and not pressed):
        return
    if field.kind == "image":
        prefix = f"{field.name}." if field.name else ""
        yield Entry(f"{prefix}x", str(field.point[0]))
        yield Entry(f"{prefix}y", str(field.point[1]))
    elif not field.name or (field.kind in BOXES and not field.checked):
        return
    elif field.kind == "select":
        for value in field.chosen:
            yield Entry(field.name, value)
    elif field.kind == "file":
        yield Entry(field.name, "", is_file=True)
    elif field.kind == "hidden" and field.name.lower() == CHARSET_FIELD:
        yield Entry(field.name, charset_name(codec))
    else:
        way = [Entry(field.dirname, field.written)] if field.dirname is not None else []
        text = Entry(field.name, field.value)
        yield from (*way, text) if field.kind == "submit" else (text, *way)
