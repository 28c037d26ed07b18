"""Chunks: a run of text cut where one inline element ends and a sibling begins.

'Remember me <a>Forgot your password?</a>' is two texts when 'Remember me' stands in an element of
its own; 'I accept the <a>terms</a>' is one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.form.words import tokens
from hiwe.page.page import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.page.page import TextRun

_REMARK_FIRST = re.compile(r"^\s*([(（][^()（）]*[)）])\s*(.+)$", re.DOTALL)
_SEPARATOR = re.compile(r"^\s*[|·•»/]\s*$")

Part = tuple[str, int, bool]


def chunks_of(run: TextRun, parents: Sequence[int]) -> list[TextRun]:
    """The texts of a run that may each be a label by itself; most runs are one."""
    if len(run.parts) < 2:
        return _after_remark(run)
    groups = _grouped(run.parts, parents)
    if len(groups) == 1 and len(groups[0]) == len(run.parts):
        return _after_remark(run)
    said = [" ".join(part[0] for part in group) for group in groups]
    whole = sum(len(s) + 1 for s in said)
    found: list[TextRun] = []
    start = 0
    for group, text in zip(groups, said, strict=True):
        if tokens(text):
            found.append(_piece(run, group, text, start / whole, (start + len(text)) / whole))
        start += len(text) + 1
    if found:
        found[0] = replace(found[0], follows=run.follows)
        found[-1] = replace(found[-1], leads_to=run.leads_to)
    return found or [run]


def _after_remark(run: TextRun) -> list[TextRun]:
    """A remark in brackets behind one field, and the label of the next on the same line, apart."""
    if run.text[0] not in "(（":
        return [run]
    match = _REMARK_FIRST.match(run.text)
    if not match or not tokens(match.group(2)) or (run.follows is None and run.leads_to is None):
        return [run]
    return [replace(run, text=text, parts=()) for text in match.groups()]


def _grouped(parts: Sequence[Part], parents: Sequence[int]) -> list[list[Part]]:
    groups: list[list[Part]] = [[]]
    for part in parts:
        if _SEPARATOR.match(part[0]) and (groups[-1] or len(groups) > 1):
            groups.append([])
            continue
        current = groups[-1]
        if current and _is_sibling(current, part[1], parents) and tokens(part[0]):
            groups.append([part])
        else:
            current.append(part)
    return [group for group in groups if group]


def _is_sibling(group: Sequence[Part], node: int, parents: Sequence[int]) -> bool:
    """Neither inside nor round any element of the group: an element beside them."""
    return not any(_within(node, n, parents) or _within(n, node, parents) for _, n, _ in group)


def _within(node: int, outer: int, parents: Sequence[int]) -> bool:
    while node > outer:  # a parent always has the smaller number
        node = parents[node]
    return node == outer


def _piece(run: TextRun, group: Sequence[Part], text: str, start: float, end: float) -> TextRun:
    """One chunk with its own part of the run's box, as far as that can be told from its letters."""
    box = run.box
    if box.h < 2.2 * run.font_size:
        box = Box(box.x + box.w * start, box.y, box.w * (end - start), box.h)
    linked = all(part[2] for part in group)
    return replace(
        run, text=text, box=box, node=group[0][1], linked=linked, parts=(), follows=None,
        leads_to=None,
    )  # fmt: skip
