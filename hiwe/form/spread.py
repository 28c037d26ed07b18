"""Spreading: one text that names several elements, the halves of a range, the parts of a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.form.halves import bind_halves
from hiwe.form.naming import Naming
from hiwe.form.part import bind_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.form.label import Label
    from hiwe.form.sight import Sight


def name_elements(drafts: Sequence[Draft], labels: Sequence[Label], sight: Sight) -> list[Naming]:
    """Turn the elements' labels to their names: parts share theirs, then ranges are bound."""
    namings = [Naming.of(label) for label in labels]
    bind_parts(drafts, namings, sight)
    bind_halves(drafts, namings, sight)
    return namings
