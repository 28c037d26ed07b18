"""Tables of hits: their head, their data rows, and what only looks like rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.response.document import run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.response.document import Document, Node

LONGEST_PERIOD = 3  # rows that one hit may take
# What a head shows of how its column is sorted, or of the menu it opens; letters are its name.
_SORT_MARKS = re.compile(
    r"[\u2190-\u21ff\u25b2-\u25c5\u2303\u2304\u2b06\u2b07\u2b0d\u2195\u22ee\u2699\uf000-\uf8ff]\ufe0f?"
)


def column_name(text: str) -> str:
    """The name in a column's head, without the marks of sorting: 'Year ▲' is 'Year'."""
    return " ".join(_SORT_MARKS.sub(" ", text).split()) or text


def cells_in(row: Node) -> list[Node]:
    """The cells of a row."""
    return [cell for cell in row.children if cell.tag in ("td", "th")]


def head_and_rows(document: Document, rows: Sequence[Node]) -> tuple[list[str], list[Node]]:
    """The column names ([] without a head) and the data rows, without those that head a group."""
    header: list[str] = []
    data: list[Node] = []
    for row in rows:
        cells = cells_in(row)
        if len(cells) > 1 and all(cell.tag == "th" for cell in cells):
            header = header or [column_name(document.text(cell)) for cell in cells]
        elif cells and document.text(row) and (len(cells) > 1 or not header):
            data.append(row)
    header = header or _head_above(document, rows[0])
    if header:
        data = [row for row in data if not is_heading_row(row)]
    elif _is_styled_head(document, data):
        header = [column_name(document.text(cell)) for cell in cells_in(data[0])]
        data = data[1:]
    return header, data


def is_heading_row(row: Node) -> bool:
    """Whether a row only heads those below it: a single cell across the table."""
    cells = cells_in(row)
    if row.tag != "tr" or not cells:
        return False
    return all(cell.tag == "th" for cell in cells) or (
        len(cells) == 1 and (cells[0].get("colspan") or "1") != "1"
    )


def is_pairs(document: Document, rows: Sequence[Node]) -> bool:
    """Whether rows without a head are names and values of one thing."""
    cells = [cells_in(row) for row in rows]
    if sum(len(row) == 2 and row[0].tag == "th" for row in cells) * 2 > len(rows):
        return True
    names = [document.text(row[0]) for row in cells if len(row) == 2]
    return len(names) == len(rows) and sum(n.endswith(":") for n in names) * 2 > len(names)


def periodic(rows: Sequence[Node]) -> list[Node]:
    """Rows joined where two or three of them make one hit, again and again; else the rows."""
    joined = spanned(rows)
    if all(node.tag != "tr" for node in joined) and len(joined[0].children) <= LONGEST_PERIOD:
        return joined
    shapes = [
        tuple((cell.tag, cell.get("class"), cell.get("colspan")) for cell in cells_in(row))
        for row in rows
    ]
    for period in range(2, LONGEST_PERIOD + 1):
        if len(rows) < 2 * period or len(rows) % period or len(set(shapes[:period])) < 2:
            continue
        if all(shape == shapes[i % period] for i, shape in enumerate(shapes)):
            return [run_of(list(rows[i : i + period])) for i in range(0, len(rows), period)]
    return list(rows)


def spanned(rows: Sequence[Node]) -> list[Node]:
    """Rows joined with those that their first cell reaches down to; else the rows."""
    found: list[list[Node]] = []
    left = 0
    for row in rows:
        cells = cells_in(row)
        if left > 0 and found:
            found[-1].append(row)
            left -= 1
            continue
        span = cells[0].get("rowspan") if cells else ""
        left = int(span) - 1 if span.isdecimal() else 0
        found.append([row])
    return [run_of(part) if len(part) > 1 else part[0] for part in found]


def _head_above(document: Document, row: Node) -> list[str]:
    """The column names in the head of the table that a row stands in."""
    table = row.parent
    while table is not None and table.tag != "table":
        table = table.parent
    if table is None:
        return []
    for section in table.children:
        for other in [section] if section.tag == "tr" else section.children:
            cells = cells_in(other)
            if other is row or len(cells) < 2:
                continue
            if section.tag == "thead" or all(cell.tag == "th" for cell in cells):
                return [column_name(document.text(cell)) for cell in cells]
    return []


def _is_styled_head(document: Document, rows: Sequence[Node]) -> bool:
    """Whether the first row is a head by its looks: bold, or a class that others lack."""
    if len(rows) < 2:
        return False
    cells = cells_in(rows[0])
    if len(cells) < 2:
        return False
    names = f"{rows[0].get('class')} {cells[0].get('class')}".lower()
    if "head" in names and rows[0].get("class") != rows[1].get("class"):
        return True
    if _colour(rows[0]) and _colour(rows[0]) not in {_colour(row) for row in rows[1:4]}:
        return not any(char.isdigit() for char in document.text(rows[0]))
    filled = [cell for cell in cells if document.text(cell)]
    later = [cell for row in rows[1:3] for cell in cells_in(row) if document.text(cell)]
    return all(map(_is_bold, filled)) and not all(map(_is_bold, later))


def _colour(row: Node) -> str:
    """The background that a row or its first cell names."""
    cells = cells_in(row)
    return row.get("bgcolor") or (cells[0].get("bgcolor") if cells else "")


def _is_bold(cell: Node) -> bool:
    """Whether all of a cell stands in one bold element."""
    node = cell
    while len(node.children) == 1:
        node = node.children[0]
        if node.tag in ("b", "strong"):
            return True
    return False


def is_regular(rows: Sequence[Node]) -> bool:
    """Whether rows make a table of data by their shape: three columns or more in each."""
    widths = {len(cells_in(row)) for row in rows}
    return len(rows) > 2 and len(widths) == 1 and min(widths) > 2
