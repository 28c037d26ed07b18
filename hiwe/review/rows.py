"""The LVS table as the review pages show it: its rows, the values of one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.review.form_list import Paging
from hiwe.text import fold

if TYPE_CHECKING:
    from hiwe.lvs.table import LvsTable
    from hiwe.lvs.value_set import ValueRecord
    from hiwe.task.assist import Assist

PAGE_SIZE = 100
WEIGHT_MARK = "="  # 'Drama = 0.8' on a line gives a value its weight


@dataclass(frozen=True, slots=True)
class RowLine:
    """A row: label, aliases, number of values, where it comes from."""

    label: str
    aliases: tuple[str, ...]
    values: int
    provenance: str
    by_person: bool


def read_rows(table: LvsTable, assist: Assist) -> list[RowLine]:
    """Return the rows of the table; it holds those that a person added."""
    added = {fold(row.label) for row in assist.rows}
    return [
        RowLine(
            row.label, row.aliases, len(row.values), row.provenance.value, fold(row.label) in added
        )
        for row in table.rows
    ]


def read_values(table: LvsTable, label: str, page: int) -> tuple[list[ValueRecord], Paging] | None:
    """Return one page of a row's values, the heaviest first; None if there is no such row."""
    row = table.row(label)
    if row is None:
        return None
    records = sorted(
        table.values_of(row, table.language).records(), key=lambda r: (-r.weight, r.value)
    )
    paging = Paging.at(page, PAGE_SIZE, len(records))
    return records[paging.offset : paging.offset + paging.size], paging


def parse_values(text: str) -> dict[str, float]:
    """Return value -> weight of a text with a value a line, '= weight' after it if not 1.

    ValueError names a line whose weight is none from 0 to 1.
    """
    values: dict[str, float] = {}
    for line in text.splitlines():
        value, mark, weight = line.rpartition(WEIGHT_MARK)
        if not mark or not _is_number(weight):
            value, weight = line, "1"
        if not value.strip():
            continue
        if not 0.0 <= float(weight) <= 1.0:
            raise ValueError(f"the weight of {value.strip()} is {weight.strip()}; give 0 to 1")
        values[value.strip()] = float(weight)
    return values


def _is_number(text: str) -> bool:
    """Whether a text is a plain number: 'E = mc' is a value, not a weight."""
    return text.strip().replace(".", "", 1).isdecimal()
