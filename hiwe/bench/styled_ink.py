"""Ink of the styled set: writes labels and controls, keeps the gold, as every recipe needs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Field:
    """A field to write: its gold label and what stands round it."""

    name: str
    label: str
    kind: str
    options: tuple[str, ...] = ()
    mark: str = ""  # behind the label: ':' or ' *'
    hint: str = ""
    unit: str = ""
    error: str = ""


@dataclass(slots=True)
class Ink:
    """Writes labels and controls and keeps the gold; `marked`: with label markup."""

    marked: bool
    rng: random.Random
    gold: dict[str, str] = field(default_factory=dict)

    def label(self, f: Field, css: str = "", style: str = "", tag: str = "span") -> str:
        """The label of a field, tied to its control when marked."""
        attributes = f' class="{css}"' if css else ""
        attributes += f' style="{style}"' if style else ""
        if f.kind in ("radio", "checkbox") or not self.marked:
            return f"<{tag}{attributes}>{f.label}{f.mark}</{tag}>"
        return f'<label for="{f.name}"{attributes}>{f.label}{f.mark}</label>'

    def control(self, f: Field, css: str = "", select: str = "", style: str = "") -> str:
        """The control with its hint, unit and error text; boxes with their own labels."""
        looks = f' style="{style}"' if style else ""
        if f.kind in ("radio", "checkbox"):
            return self._boxes(f)
        self.gold[f.name] = f.label
        shared = f'id="{f.name}" name="{f.name}" data-gold-id="{f.name}"{looks}'
        if f.kind == "select":
            options = "".join(f"<option>{o}</option>" for o in f.options)
            written = f'<select class="{select or css}" {shared}>{options}</select>'
        else:
            written = f'<input type="{f.kind}" class="{css}" {shared}>'
        return written + self._after(f)

    def _after(self, f: Field) -> str:
        unit = f" <span>{f.unit}</span>" if f.unit else ""
        hint = f'<br><small class="form-text">{f.hint}</small>' if f.hint else ""
        error = f'<div style="color:#b00;font-size:11px">{f.error}</div>' if f.error else ""
        return unit + hint + error

    def _boxes(self, f: Field) -> str:
        self.gold[f"group:{f.name}"] = f.label
        parts = []
        for n, option in enumerate(f.options):
            key = f"{f.name}-{n}"
            self.gold[key] = option
            box = (
                f'<input type="{f.kind}" name="{f.name}" value="v{n}" id="{key}"'
                f' data-gold-id="{key}" style="width:auto;height:auto;position:static;opacity:1;'
                f'pointer-events:auto;display:inline;float:none;margin:0 3px">'
            )
            if self.marked:
                looks = "display:inline;float:none;position:static"
                text = f'<label for="{key}" style="{looks}">{option}</label>'
            else:
                text = f"<span>{option}</span>" if self.rng.random() < 0.5 else option
            parts.append(f"{box} {text}")
        return "<div style='display:inline-block'>" + " &nbsp; ".join(parts) + "</div>"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One layout. `disagrees`: source order against visual order; `bare`: no hints or units."""

    name: str
    write: Callable[[Sequence[Field], Ink], str]
    css: str = ""
    framework: str = ""
    container: str = ""
    form_class: str = ""
    disagrees: bool = False
    rtl: bool = False
    bare: bool = False
    boxes: bool = True


def each(pattern: Callable[[Field, Ink], str]) -> Callable[[Sequence[Field], Ink], str]:
    """A layout that writes one field after another."""
    return lambda fields, ink: "".join(pattern(f, ink) for f in fields)


def rows_of(fields: Sequence[Field], n: int) -> list[Sequence[Field]]:
    """The fields in rows of `n`."""
    return [fields[i : i + n] for i in range(0, len(fields), n)]
