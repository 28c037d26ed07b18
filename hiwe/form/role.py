"""What an element is for: a value to search by, or something to leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.operators import are_operators
from hiwe.form.words import name_speaks_of, name_tokens, names, speaks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft

LISTS = frozenset({"select", "listbox", "combobox", "radio"})
PAGE_SIZES = frozenset(
    str(n) for n in (5, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 48, 50, 60, 64, 72, 75,
                     80, 96, 100, 120, 150, 200, 250, 300, 400, 500, 1000)
)  # fmt: skip
NO_VALUE_KINDS = frozenset({"password", "file", "color"})


def role_of(
    draft: Draft, label: str, choices: Sequence[str], *, from_name: bool, form_is_seen: bool
) -> str:
    """value, operator (what compares), paging (what arranges), contact or trap.

    `choices` are the texts of its options; `from_name`: the label is but the element's name;
    `form_is_seen`: at least one element of the form is.
    """
    first = draft.first
    if form_is_seen and not draft.visible:
        return "trap"
    if names("trap") & set(name_tokens(first.name)) or not _reached(draft):
        return "trap"
    if _is_contact(draft, label):
        return "contact"
    told = [choice for choice in choices if choice.strip()] if draft.kind in LISTS else []
    if are_operators(told):  # says how the value beside it is meant
        return "operator"
    paging = (
        speaks_of("paging", label)
        or _arranges(told)
        or _counts(told, label, first.name)
        or _is_called_paging(draft, from_name=from_name)
    )
    return "paging" if paging else "value"


def _reached(draft: Draft) -> bool:
    """A text box that keyboards cannot reach and that no person is to fill in is a trap."""
    first = draft.first
    off = first.autocomplete in ("off", "nope", "new-password")
    return draft.kind != "text" or first.tabbable or first.widget or not off or first.readonly


def _is_contact(draft: Draft, label: str) -> bool:
    if draft.kind in ("email", "tel"):
        return True
    if draft.kind != "text":
        return False
    return (
        speaks_of("email", label)
        or speaks_of("phone", label)
        or name_speaks_of("email", draft.first.name)
        or name_speaks_of("phone", draft.first.name)
    )


def _is_called_paging(draft: Draft, *, from_name: bool) -> bool:
    """By the name, where the label does not tell what a free text is for.

    `dir` is a direction or 'Directed by'.
    """
    if draft.kind in ("text", "number") and not from_name:
        return False
    joined = "".join(name_tokens(draft.first.name))
    if draft.kind in ("select", "radio", "checkbox", "number", "text", "combobox"):
        plain = joined.rstrip("0123456789")  # the second key to sort by: 'sort1', 'group_by_2'
        return joined in names("paging") or (len(plain) > 3 and plain in names("paging"))
    return False


def _arranges(choices: Sequence[str]) -> bool:
    """Nothing but ways to sort, whatever the list is called: 'Ascending, Descending'."""
    return len(choices) > 1 and all(speaks_of("arrangement", choice) for choice in choices)


def _counts(choices: Sequence[str], label: str, name: str) -> bool:
    """Numbers as a page has results, in a list that says 'Show' or is named so."""
    numbers = [choice.strip() for choice in choices]
    if len(numbers) < 2 or not all(number in PAGE_SIZES for number in numbers):
        return False
    return speaks_of("amount", label) or bool(names("amount") & set(name_tokens(name)))
