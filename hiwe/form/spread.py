"""Labels that serve several elements: ranges ('Year from [ ] to [ ]'), parts of a date."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.form.caption import split_choices
from hiwe.form.clean import clean_label, shown_label, split_range_word
from hiwe.form.cost import label_cost
from hiwe.form.element import union
from hiwe.form.slot import Slot
from hiwe.form.words import is_word, name_tokens, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.form.label import Label
    from hiwe.form.sight import Sight
    from hiwe.page.page import Box

EXPLICIT = frozenset({"for", "wrap", "aria"})
WEAK = frozenset({"none", "name"})
INSIDE = frozenset({"option", "placeholder"})
SHARED = EXPLICIT | {"layout", "header", "legend"}  # texts beside a control, not inside it
NAME_PAIRS = (
    ("from", "to"), ("min", "max"), ("start", "end"), ("begin", "end"), ("low", "high"),
    ("lower", "upper"), ("gte", "lte"), ("gt", "lt"), ("since", "until"), ("after", "before"),
    ("von", "bis"), ("da", "a"), ("desde", "hasta"), ("de", "a"), ("od", "do"), ("first", "last"),
    ("minimum", "maximum"), ("begin", "finish"), ("earliest", "latest"), ("fra", "til"),
    ("van", "tot"), ("du", "au"), ("min", "maks"), ("dal", "al"), ("de", "ate"), ("1", "2"),
)  # fmt: skip
BASE_WORST = 44.0  # dearer texts do not name a range
PART_GAP_PX = 30.0
ONE_LINE_PX = 12.0


@dataclass(frozen=True, slots=True)
class Naming:
    """What an element is called, after ranges and parts: `role` is from, to or ''."""

    label: str
    text: str
    source: str
    runner_up: str
    cost: float
    role: str = ""
    partner: int | None = None
    box: Box | None = None


def name_elements(drafts: Sequence[Draft], labels: Sequence[Label], sight: Sight) -> list[Naming]:
    """Turn the elements' labels to their names: bind ranges, share labels among parts."""
    namings = [
        Naming(
            clean_label(x.text),
            shown_label(x.text),
            x.source,
            clean_label(x.runner_up),
            x.cost,
            box=x.box,
        )
        for x in labels
    ]
    for i in range(len(drafts) - 1):
        if namings[i].partner is None and _could_pair(drafts[i], drafts[i + 1]):
            _bind_range(i, drafts, namings, sight)
    for i in range(1, len(drafts)):
        unnamed = _is_unnamed(namings[i], drafts[i - 1])
        if unnamed and _is_next_part(drafts[i - 1], drafts[i], sight):
            before = namings[i - 1]
            if before.source in SHARED:
                namings[i] = replace(before, role=namings[i].role, partner=namings[i].partner)
    return namings


def _is_unnamed(naming: Naming, before: Draft) -> bool:
    """No label of its own, or only what part of a date it is ('yyyy') after another part ('mm').

    A box that says 'Year' beside one that says 'Author' is named so.
    """
    if naming.source in WEAK:
        return True
    if naming.source not in ("option", "placeholder"):
        return False
    own = before.first.placeholder or split_choices(before.first.options).title
    return _is_date_part(naming.label) and _is_date_part(own)


def _is_date_part(text: str) -> bool:
    said = tokens(text)
    return bool(said) and all(is_word("datepart", word) for word in said)


def _could_pair(one: Draft, other: Draft) -> bool:
    if one.is_boxes or other.is_boxes:
        return False
    alike = one.kind == other.kind or "select" not in (one.kind, other.kind)
    return (
        alike and one.first.frame == other.first.frame and one.kind not in ("textarea", "password")
    )


def _bind_range(i: int, drafts: Sequence[Draft], namings: list[Naming], sight: Sight) -> None:
    first, second = namings[i], namings[i + 1]
    base, role = split_range_word(first.label)
    other_base, other_role = split_range_word(second.label)
    if not role and other_role == "to" and not other_base and _own_role(drafts[i]) == "from":
        role = "from"  # its label stands over both halves, its role in the box
    by_words = role == "from" and other_role == "to" and _same_base(base, other_base)
    by_names = _names_pair(
        drafts[i].first.name or drafts[i].first.id,
        drafts[i + 1].first.name or drafts[i + 1].first.id,
    )
    unnamed = second.source in WEAK or (second.source in INSIDE and other_role == "to")
    by_dash = unnamed and _dash_between(drafts[i], drafts[i + 1], sight)
    if not (by_words or by_names or by_dash):
        return
    if by_names and not by_words:
        weak = second.source in WEAK or other_role == "to" or first.label == second.label
        base = base if role == "from" else first.label
        if not weak and not _same_base(base, other_base if other_role else second.label):
            return
    if by_dash and not (by_words or by_names):
        base = base if role == "from" else first.label
    found, box = base or other_base, None
    if not found:
        found, box = _base_label(drafts[i], drafts[i + 1], namings, sight)
    if found:
        base = clean_label(found)
    for k, side in ((i, "from"), (i + 1, "to")):
        stands = box or namings[k].box or first.box
        namings[k] = _as_half(namings[k], base, stands, side, i + 1 if k == i else i)


def _as_half(naming: Naming, base: str, box: Box | None, role: str, partner: int) -> Naming:
    """One half of a range, named by `base`, which stands in `box`."""
    if not base:
        return replace(naming, role=role, partner=partner)
    if naming.source in EXPLICIT:
        return replace(naming, label=base, role=role, partner=partner)
    source = "layout" if naming.source in WEAK else naming.source
    return replace(
        naming, label=base, text=base, source=source, role=role, partner=partner, box=box
    )


def _own_role(draft: Draft) -> str:
    """The range word that a box itself shows: its placeholder or its list's caption."""
    own = draft.first.placeholder or split_choices(draft.first.options).title
    return split_range_word(clean_label(own))[1]


def _same_base(one: str, other: str) -> bool:
    return not one or not other or tokens(one) == tokens(other)


def _names_pair(one: str, other: str) -> bool:
    """Do two identifiers differ in one range word alone: year_from and year_to?"""
    a, b = name_tokens(one), name_tokens(other)
    if len(a) != len(b) or (len(a) < 2 and not a):
        return False
    unlike = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    return len(unlike) == 1 and unlike[0] in NAME_PAIRS and unlike[0] != ("1", "2")


def _on_one_line(one: Draft, other: Draft) -> bool:
    a, b = one.box, other.box
    return abs(a.y + a.h / 2 - b.y - b.h / 2) < ONE_LINE_PX and b.x >= a.x + a.w - 2


def _dash_between(one: Draft, other: Draft, sight: Sight) -> bool:
    if not (one.visible and other.visible and _on_one_line(one, other)):
        return False
    between = [
        t.text
        for t in sight.page.texts
        if one.first.order < t.order < other.first.order and t.visible
    ]
    return (
        len(between) == 1
        and re.fullmatch(r"\s*(?:[-–—~〜～…]|\.\.+|bis|to)\s*", between[0]) is not None
    )


def _is_next_part(one: Draft, other: Draft, sight: Sight) -> bool:
    """Right of the other with nothing but punctuation between: area code, number."""
    if one.is_group or other.is_boxes or not (one.visible and other.visible):
        return False
    if not _on_one_line(one, other) or other.box.x - one.box.x - one.box.w > PART_GAP_PX:
        return False
    return not any(
        one.first.order < t.order < other.first.order and t.visible and tokens(t.text)
        for t in sight.page.texts
    )


def _base_label(
    one: Draft, other: Draft, namings: Sequence[Naming], sight: Sight
) -> tuple[str, Box | None]:
    """The text that names a range as a whole, near the box round both halves, and its box."""
    controls = (one.first, other.first)
    slot = Slot("group", -1, controls, union([c.box for c in controls if c.visible]))
    if not slot.visible:
        return "", None
    above = {node: depth for depth, node in enumerate(sight.ancestors(slot.first.node))}
    used = {n.text for n in namings}
    best, text, box = BASE_WORST, "", None
    for _, run in sight.near(slot.box, slot.first.cell[0] if slot.first.cell else None):
        if shown_label(run.text) in used or run.inside in ("h1", "h2"):
            continue
        candidate = label_cost(run, slot, sight, above)
        if candidate is not None and candidate.cost < best:
            best, text, box = candidate.cost, run.text, run.box
    return text, box
