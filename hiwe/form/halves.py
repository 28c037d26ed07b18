"""Halves: two elements, or two dates in parts, between which a value shall lie."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hiwe.form.caption import caption_title, split_choices
from hiwe.form.clean import clean_label, is_unit, split_range_word
from hiwe.form.naming import (
    EXPLICIT,
    HEADINGS,
    INSIDE,
    PIECE,
    SHARED,
    WEAK,
    base_label,
    is_part_text,
    on_one_line,
    texts_between,
)
from hiwe.form.words import name_speaks_of, name_tokens, names, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.form.naming import Naming
    from hiwe.form.sight import Sight
    from hiwe.page.page import Box

NAME_PAIRS = (
    ("from", "to"), ("min", "max"), ("start", "end"), ("begin", "end"), ("low", "high"),
    ("lower", "upper"), ("gte", "lte"), ("gt", "lt"), ("since", "until"), ("after", "before"),
    ("von", "bis"), ("da", "a"), ("desde", "hasta"), ("de", "a"), ("od", "do"), ("first", "last"),
    ("minimum", "maximum"), ("begin", "finish"), ("earliest", "latest"), ("fra", "til"),
    ("van", "tot"), ("du", "au"), ("min", "maks"), ("dal", "al"), ("de", "ate"),
)  # fmt: skip
NUMBER_PAIRS = frozenset(
    {("min", "max"), ("low", "high"), ("lower", "upper"), ("gte", "lte"), ("gt", "lt"),
     ("minimum", "maximum"), ("min", "maks")}
)  # fmt: skip
NO_HALVES = frozenset({"textarea", "password", "file"})
STACKED_PX = 40.0  # between two boxes that stand one above the other
ALIKE = 0.25  # of the wider one's width
SHORT = 10  # characters that a number or date takes
_DASH = re.compile(r"\s*(?:[-–—―~〜～…→]|\.\.+)\s*")


@dataclass(frozen=True, slots=True)
class Half:
    """One half, or what could be one: its elements' places, the first and last of them."""

    places: tuple[int, ...]
    first: Draft
    last: Draft
    naming: Naming

    @property
    def own_words(self) -> tuple[str, str]:
        """What the box itself shows, in its placeholder or its list's caption, and its role."""
        if len(self.places) > 1:
            return "", ""
        options = self.first.first.options[:2]
        if options and split_range_word(options[0].label)[0] == "":
            return split_range_word(options[0].label)
        own = self.first.first.placeholder or next(filter(None, map(caption_title, options)), "")
        return split_range_word(clean_label(own))

    @property
    def behind(self) -> bool:
        """Does its label stand behind it, as a unit does?"""
        stands = self.naming.box
        return self.naming.source == "layout" and stands is not None and (
            stands.x + stands.w <= self.first.box.x if self.first.first.rtl
            else stands.x >= self.last.box.x + self.last.box.w
        )  # fmt: skip


def bind_halves(drafts: Sequence[Draft], namings: list[Naming], sight: Sight) -> None:
    """Find the ranges among neighbours; both halves get the name of the whole and their role."""
    units = [(i,) if not n.parts or n.part == PIECE else n.parts for i, n in enumerate(namings)
             if not n.parts or n.part == PIECE or n.parts[0] == i]  # fmt: skip
    for one, other in pairwise(units):
        if namings[one[0]].role or not _could_pair(one, other, drafts, namings):
            continue
        halves = (_half(one, drafts, namings), _half(other, drafts, namings))
        found = _common_base(*halves, namings, sight)
        if found is not None:
            _bind(halves, *found, namings)


def _half(places: tuple[int, ...], drafts: Sequence[Draft], namings: Sequence[Naming]) -> Half:
    return Half(places, drafts[places[0]], drafts[places[-1]], namings[places[0]])


def _could_pair(
    one: tuple[int, ...], other: tuple[int, ...], drafts: Sequence[Draft], namings: Sequence[Naming]
) -> bool:
    if [namings[i].part for i in one] != [namings[i].part for i in other]:
        return False
    a, b = drafts[one[0]], drafts[other[0]]
    if a.is_boxes or b.is_boxes or a.first.frame != b.first.frame:
        return False
    return (a.kind == b.kind or "select" not in (a.kind, b.kind)) and a.kind not in NO_HALVES


def _common_base(
    one: Half, other: Half, namings: Sequence[Naming], sight: Sight
) -> tuple[str, Box | None] | None:
    """What the range is called ('' where nothing says) and where that stands; None: no range."""
    base, role = split_range_word(one.naming.label)
    other_base, other_role = split_range_word(other.naming.label)
    own, own_role = one.own_words
    other_own, other_own_role = other.own_words
    if not role and own_role == "from" and other_role == "to" and not other_base:
        role, base = "from", one.naming.label if one.naming.source not in INSIDE else base
    by_words = role == "from" and other_role == "to" and _same(base, other_base)
    weak = _is_weak(other, one, other_role)
    joined = weak and _is_joined(one, other, sight) and not _are_pieces(one, other)
    inside = own_role == "from" and other_own_role == "to" and _same(own, other_own) and weak
    again = other_role == "to" and bool(other_base) and _same(one.naming.label, other_base)
    named = _pair_of_names(one, other)
    if by_words:
        found = base or other_base
    elif joined or inside or again:
        found = base if role == "from" else one.naming.label
        found = "" if one.naming.source in INSIDE and own_role == "from" else found
        found = found or (own if _same(own, other_own) else "")
    elif named:
        return _base_by_names(one, other, named, base, role, other_base, other_role, weak)
    else:
        return None
    if found:
        return found, None
    numbers = _takes_numbers(one.first) and _takes_numbers(other.first)
    skip = () if numbers else HEADINGS
    base, box = base_label([one.first, other.last], namings, sight, skip=skip)
    return (base, box) if base or numbers else None  # a way from one place to another is no range


def _base_by_names(
    one: Half, other: Half, named: tuple[str, str], base: str, role: str, other_base: str,
    other_role: str, weak: bool,
) -> tuple[str, Box | None] | None:  # fmt: skip
    """Where only the identifiers say so: the labels must not speak of two different things."""
    mine = base if role == "from" else one.naming.label
    other_mine = other_base if other_role == "to" else other.naming.label
    if weak or _same(mine, other_mine):
        return mine, None
    return ("", None) if named in NUMBER_PAIRS else None


def _is_weak(other: Half, one: Half, other_role: str) -> bool:
    """Has the second half no name of its own but a role, a unit, or what stands behind it?"""
    naming = other.naming
    return (
        naming.source in WEAK
        or naming.source in INSIDE
        or other_role == "to"
        or naming.label == one.naming.label
        or is_unit(naming.text)
        or joins(naming.text)
        or other.behind
    )


def _is_joined(one: Half, other: Half, sight: Sight) -> bool:
    """Side by side or one right above the other, with but a dash or a word like 'to' between."""
    if not on_one_line(one.last, other.first) and not _is_right_below(one.last, other.first):
        return False
    between = texts_between(one.last, other.first, sight)
    return len(between) == 1 and joins(between[0].text)


def _are_pieces(one: Half, other: Half) -> bool:
    """Pieces of one number, '030 - 123456': three or more in a row, or of unlike length."""
    if PIECE not in (one.naming.part, other.naming.part):
        return False
    a, b = one.first.first, other.first.first
    return len(other.naming.parts) > 2 or a.maxlength != b.maxlength or not _alike(a.box, b.box)


def _alike(a: Box, b: Box) -> bool:
    return abs(a.w - b.w) <= ALIKE * max(a.w, b.w)


def _is_right_below(one: Draft, other: Draft) -> bool:
    a, b = one.box, other.box
    gap = b.y - a.y - a.h
    return one.visible and other.visible and abs(a.x - b.x) < SHORT and 0 <= gap < STACKED_PX


def joins(text: str) -> bool:
    """Does a text between two boxes make them a range: a dash, 'bis', 'to $'?"""
    if _DASH.fullmatch(text) or (_DASH.search(text) and tokens(text) and is_part_text(text)):
        return True
    words = " ".join(w for w in tokens(text) if w not in names("units"))
    return split_range_word(words) == ("", "to")


def _takes_numbers(draft: Draft) -> bool:
    """A box for a number or a date, as far as its kind, length and name tell."""
    first = draft.first
    if name_speaks_of("date", first.name or first.id):
        return True
    if draft.kind in ("select", "combobox"):
        shown = [o.label for o in split_choices(first.options).values]
        return 2 * sum(any(c.isdigit() for c in text) for text in shown) > len(shown)
    return draft.kind not in ("text", "search") or 0 < (first.maxlength or 0) <= SHORT


def _same(one: str, other: str) -> bool:
    return not tokens(one) or not tokens(other) or tokens(one) == tokens(other)


def _pair_of_names(one: Half, other: Half) -> tuple[str, str] | None:
    """The range words in which two identifiers differ: year_from and year_to; None for others."""
    a, b = (name_tokens(h.first.first.name or h.first.first.id) for h in (one, other))
    if len(a) != len(b):
        return None
    unlike = [pair for pair in zip(a, b, strict=True) if pair[0] != pair[1]]
    return unlike[0] if len(unlike) == 1 and unlike[0] in NAME_PAIRS else None


def _bind(halves: tuple[Half, Half], base: str, box: Box | None, namings: list[Naming]) -> None:
    one, other = halves
    called = clean_label(base)
    stands = box or one.naming.box
    source = "layout" if box else one.naming.source if one.naming.source in SHARED else ""
    for half, role, partner in ((one, "from", other), (other, "to", one)):
        for i, k in zip(half.places, partner.places, strict=True):
            bound = _as_half(namings[i], called, stands, role, source)
            if bound.part == PIECE:  # two numbers, and not two pieces of one
                bound = replace(bound, part="", parts=())
            pairs = bound.part in ("", "year")  # days and months alone are no scale
            namings[i] = replace(bound, partner=k if pairs else None)


def _as_half(naming: Naming, base: str, box: Box | None, role: str, source: str) -> Naming:
    """One half of a range, named by `base` of that source ('' for the half's own), in `box`."""
    if not base:
        return replace(naming, role=role)
    if naming.source in EXPLICIT:
        return replace(naming, label=base, role=role)
    source = source or ("layout" if naming.source in WEAK else naming.source)
    return replace(naming, label=base, text=base, source=source, role=role, box=box or naming.box)
