"""Value assignment [E1 <- v1, ..., En <- vn] and what it binds (paper, section 3.2)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Binding:
    """E <- v: the element's position in `Form.elements`, the value and where it came from.

    `value` is what a person would choose or type: the option's label for a finite element
    (with `option` its position in `Element.options`), the text for an infinite one.
    `weight` is M_V(v); `row` is the LVS row's label, '' for a value of the domain alone;
    `source` is the value as the row has it where that differs, `provenance` how it came there.
    `beside` is what else is bound whenever this value is: the option that names the field, the
    other parts of a date. An assignment has it spread out.
    """

    element: int
    value: str
    weight: float
    row: str = ""
    option: int | None = None
    source: str = ""
    provenance: str = ""
    beside: tuple[Binding, ...] = ()

    @property
    def spread(self) -> tuple[Binding, ...]:
        """The binding and what is bound beside it, each alone."""
        return (replace(self, beside=()), *self.beside) if self.beside else (self,)

    @property
    def row_value(self) -> str:
        """The value as the row names it: what the table's rewards ask for."""
        return self.source or self.value


@dataclass(frozen=True, slots=True)
class ValueAssignment:
    """Bindings of some elements; the others stay at their default (partial filling).

    No binding at all is the open query: the form as it stands. `discover` asks only for the
    domain of a dependent element: set the bindings, read the options, send nothing.
    """

    bindings: tuple[Binding, ...]
    rank: float
    discover: bool = False

    @property
    def template(self) -> tuple[int, ...]:
        """Positions of the bound elements: the query template."""
        return tuple(sorted(b.element for b in self.bindings))

    def key(self, form_fingerprint: str) -> str:
        """Identity of the submission: form and real values; no tokens, no order (design, 5.9)."""
        pairs = sorted(
            (b.element, b.option if b.option is not None else -1, b.value) for b in self.bindings
        )
        about = (
            [form_fingerprint, pairs, "discover"] if self.discover else [form_fingerprint, pairs]
        )
        text = json.dumps(about, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def __repr__(self) -> str:
        inner = ", ".join(f"{b.element}<-{b.value!r}" for b in self.bindings)
        return f"<ValueAssignment {self.rank:.2f} {inner}>"
