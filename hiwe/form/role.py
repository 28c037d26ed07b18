"""What an element is for: a value to search by, or something to leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.operators import are_operators
from hiwe.form.words import name_speaks_of, name_tokens, names, speaks_of

if TYPE_CHECKING:
    from hiwe.form.element import Draft

LISTS = frozenset({"select", "listbox", "combobox"})
NO_VALUE_KINDS = frozenset({"password", "file", "color"})


def role_of(draft: Draft, label: str, *, from_name: bool, form_is_seen: bool) -> str:
    """value, operator (what compares), paging (what arranges), contact or trap.

    `from_name`: the label is but the element's name; `form_is_seen`: at least one element of the
    form is.
    """
    first = draft.first
    if form_is_seen and not draft.visible:
        return "trap"
    if names("trap") & set(name_tokens(first.name)) or not _reached(draft):
        return "trap"
    if _is_contact(draft, label):
        return "contact"
    if _compares(draft):
        return "operator"
    return "paging" if _is_paging(draft, label, from_name=from_name) else "value"


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


def _compares(draft: Draft) -> bool:
    """A list of operators says how the value beside it is meant."""
    return draft.kind in LISTS and are_operators(option.label for option in draft.first.options)


def _is_paging(draft: Draft, label: str, *, from_name: bool) -> bool:
    """By the label; by the name where the label does not tell what a free text is for.

    `dir` is a direction or 'Directed by'.
    """
    if speaks_of("paging", label) or _arranges(draft):
        return True
    if draft.kind in ("text", "number") and not from_name:
        return False
    joined = "".join(name_tokens(draft.first.name))
    if draft.kind in ("select", "radio", "checkbox", "number", "text", "combobox"):
        plain = joined.rstrip("0123456789")  # the second key to sort by: 'sort1', 'group_by_2'
        return joined in names("paging") or (len(plain) > 3 and plain in names("paging"))
    return False


def _arranges(draft: Draft) -> bool:
    """A list of nothing but ways to sort, whatever it is called: 'Ascending, Descending'."""
    choices = [option.label for option in draft.first.options if option.label.strip()]
    sorts = len(choices) > 1 and all(speaks_of("arrangement", choice) for choice in choices)
    return draft.kind in LISTS and sorts
