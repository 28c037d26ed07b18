"""What another form of the site was asked for in vain comes last: it hardly has it here. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from hiwe.submission.values import ElementValues


def fruitless_last(
    values: Iterable[ElementValues], fruitless: Container[tuple[str, str]]
) -> tuple[ElementValues, ...]:
    """The values of free elements again; of equal weight, those in `fruitless` stand last.

    `fruitless` holds rows with the value as the row has it. Lists are left as they are: what a
    form offers to choose from, it has.
    """
    return tuple(
        v
        if v.finite or v.suggested
        else replace(
            v,
            values=tuple(
                sorted(v.values, key=lambda b: (-b.weight, (b.row, b.row_value) in fruitless))
            ),
        )
        for v in values
    )
