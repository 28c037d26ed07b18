"""Fingerprint: the same form on many pages, in many sessions, is one form."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hiwe.address import identity_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.form.form import Element

LEAST_ELEMENTS = 2  # that tell a form by themselves
LARGEST_DOMAIN = 300  # a longer list counts by its first and last values: it may grow


def form_fingerprint(
    method: str, action: str, elements: Sequence[Element], hidden_names: Iterable[str]
) -> str:
    """Hash of method, action, element names and domains.

    Session ids and tokens in the action, hidden fields, what is chosen or typed and where the form
    stands on the page are left out: a page's own view ('?hide=1') may add a hidden field to a form
    that stays the same. Only of a form with a single element the hidden names count, as they may be
    all that tells two boxes apart.
    """
    parts = [method, _address(action)]
    if len(elements) < LEAST_ELEMENTS:
        parts += sorted(set(hidden_names))
    for element in elements:
        values = (
            [o.value for o in element.options] if element.kind not in ("text", "search") else []
        )
        if len(values) > LARGEST_DOMAIN:
            values = [values[0], values[-1]]
        parts.append("\x1f".join((element.name or element.id, element.kind, *values)))
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:20]


def _address(action: str) -> str:
    """The action as it is compared; one that is no web address stays as it is."""
    try:
        return identity_url(action)
    except ValueError:
        return action
