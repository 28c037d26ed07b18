"""What the LVS needs to know of an element: the caller builds it from the form's element."""

from __future__ import annotations

from dataclasses import dataclass

FINITE_KINDS = frozenset(
    {"select", "select-one", "select-multiple", "radio", "checkbox", "listbox", "menu", "combobox"}
)
NUMBER_KINDS = frozenset({"number", "range"})
DATE_KINDS = frozenset({"date", "month", "week", "datetime-local", "time"})
# Kinds that take no row's values: what belongs there is private or no search value.
CLOSED_KINDS = frozenset({"email", "tel", "password", "file", "color", "hidden"})


@dataclass(frozen=True, slots=True)
class ElementView:
    """One element: its label ('' when none was found), name or id, kind, domain and constraints.

    `domain` holds the option labels of a finite element, or the suggestions of a text box, and
    is empty for a domain that is infinite.
    """

    label: str
    name: str = ""
    kind: str = "text"
    domain: tuple[str, ...] = ()
    language: str | None = None
    pattern: str | None = None
    maxlength: int | None = None
    minimum: str | None = None
    maximum: str | None = None
    step: str | None = None
    placeholder: str | None = None

    @property
    def is_finite(self) -> bool:
        """Whether the domain is the whole value set; suggestions of a text box are not."""
        return self.kind in FINITE_KINDS and bool(self.domain)

    @property
    def is_closed(self) -> bool:
        """Whether no value of the table may go into the element."""
        return self.kind in CLOSED_KINDS
