"""Merge the copies of one form on a page: mobile and desktop, header and footer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.form.form import Form


def merge_copies(forms: Iterable[Form]) -> tuple[Form, ...]:
    """One form for each fingerprint: the displayed copy with the most labels wins."""
    kept: dict[str, Form] = {}
    for form in forms:
        key = form.fingerprint if form.elements else f"{form.index}"
        if key not in kept:
            kept[key] = form
            continue
        best, other = sorted((kept[key], form), key=_worth, reverse=True)
        kept[key] = replace(best, copies=(*best.copies, other.index, *other.copies))
    chosen = sorted(kept.values(), key=lambda f: f.index)
    return tuple(replace(f, index=i) for i, f in enumerate(chosen))


def _worth(form: Form) -> tuple[bool, int, int]:
    shown = sum(e.visible for e in form.elements)
    return (form.visible, shown, -form.index)


def without_hidden_copies(forms: Iterable[Form]) -> tuple[Form, ...]:
    """Every form but those not displayed that are copies of a displayed one."""
    forms = tuple(forms)
    displayed = {f.fingerprint for f in forms if f.visible}
    return tuple(f for f in forms if f.visible or f.fingerprint not in displayed)
