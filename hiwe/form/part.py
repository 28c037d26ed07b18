"""Parts: one date, time or number that a form asks for in several elements side by side."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING

from hiwe.form.caption import caption_title, split_choices
from hiwe.form.clean import clean_label, shown_label
from hiwe.form.evidence import alone_in
from hiwe.form.naming import (
    HEADINGS,
    PARTS,
    PIECE,
    SHARED,
    WEAK,
    Naming,
    base_label,
    is_part_text,
    on_one_line,
    texts_between,
)
from hiwe.form.words import is_whole_word, name_tokens, speaks_of, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from hiwe.form.element import Draft
    from hiwe.form.sight import Sight
    from hiwe.page.page import Box

DATE, TIME = frozenset(PARTS[:3]), frozenset(PARTS[3:])
MOST_WORDS = 3  # of a label that tells a part
WIDEST_GAP_PX = 120.0
PIECE_GAP_PX = 30.0
TYPED = frozenset({"text", "number", "tel"})
LEAST_YEARS = 4
_JOINT = re.compile(r"\s*[-–./:]\s*")


def bind_parts(drafts: Sequence[Draft], namings: list[Naming], sight: Sight) -> None:
    """Give the parts of one date, time or number their common name and their part in it."""
    lined = [on_one_line(one, other) for one, other in pairwise(drafts)]
    told = [
        _told(d, namings[i]) if any(lined[max(i - 1, 0) : i + 1]) else frozenset()
        for i, d in enumerate(drafts)
    ]
    place = 0
    group: dict[int, str] = {}
    while place < len(drafts):
        before, group = group, _date_from(place, drafts, told, sight)
        if len(group) < len(DATE):
            group = _digits_from(place, drafts, namings, sight, again=len(before) > 2) or group
        if group:
            _name_date(group, drafts, namings, sight)
        place += max(len(group), 1)
    _bind_pieces(drafts, namings, sight)


def _date_from(
    place: int, drafts: Sequence[Draft], told: Sequence[Set[str]], sight: Sight
) -> dict[int, str]:
    """The date or time that starts at a place: place -> part; empty for none."""
    end = place + 1
    while end < len(drafts) and end - place < len(PARTS) and told[end - 1] and told[end]:
        if not _beside(drafts[end - 1], drafts[end], sight):
            break
        end += 1
    for stop in range(end, place + 1, -1):
        for parts in product(*(sorted(told[i], key=PARTS.index) for i in range(place, stop))):
            if len({*parts}) == len(parts) and _is_whole(parts):
                return dict(zip(range(place, stop), parts, strict=True))
    return {}


def _is_whole(parts: Sequence[str]) -> bool:
    """Parts that make sense together: no day beside an hour without a month."""
    found = {*parts}
    if found <= TIME:
        return found == TIME
    dates = found & DATE
    return "month" in dates and len(dates) > 1 and ("minute" not in found or "hour" in found)


def _told(draft: Draft, naming: Naming) -> Set[str]:
    """Which parts an element may be: by its own words, else by its choices, else by its name."""
    if draft.is_boxes or not draft.visible:
        return frozenset()
    first = draft.first
    caption = next((t for o in first.options[:2] if (t := caption_title(o))), "")
    said = (first.placeholder, caption, naming.label, first.aria_label, first.title)
    by_words = _parts_in([tokens(text) for text in said])
    if draft.kind == "select":
        by_choices = _by_choices(draft)
        return (by_words & by_choices or by_choices) if by_choices else by_words
    if draft.kind not in TYPED:
        return frozenset()
    return by_words or _parts_in([name_tokens(first.name), name_tokens(first.id)])


def _parts_in(said: Sequence[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(
        part
        for words in said
        if 0 < len(words) <= MOST_WORDS
        for part in PARTS
        if any(is_whole_word(part, word) for word in words)
    )


def _by_choices(draft: Draft) -> frozenset[str]:
    """By number and size of the choices: 31 are days, twelve months, four digits are years."""
    labels = [o.label.strip() for o in split_choices(draft.first.options).values]
    numbers = [int(text) for text in labels if re.fullmatch(r"\d{1,4}", text)]
    if len(numbers) < len(labels) or not numbers:
        return frozenset({"month"}) if len(labels) == 12 else frozenset()
    low, high, count = min(numbers), max(numbers), len(numbers)
    fits = {
        "day": low == 1 and 28 <= high <= 31 and count >= 28,
        "month": low == 1 and high == count == 12,
        "year": low >= 1000 and high < 3000 and count >= LEAST_YEARS,
        "hour": low in (0, 1) and high in (12, 23, 24) and count >= 12,
        "minute": low == 0 and 30 <= high <= 59 and count >= 2,
    }
    return frozenset(part for part, good in fits.items() if good)


def _digits_from(
    place: int, drafts: Sequence[Draft], namings: Sequence[Naming], sight: Sight, *, again: bool
) -> dict[int, str]:
    """A date in boxes that only their length tells: two, two and four digits, signs between.

    A word has to speak of a date, or it comes right after another one (`again`).
    """
    three = [*range(place, min(place + 3, len(drafts)))]
    if len(three) < 3 or any(drafts[i].kind not in TYPED for i in three):
        return {}
    length = [drafts[i].first.maxlength or 0 for i in three]
    said = [namings[place].label, *(drafts[i].first.name for i in three)]
    spoken = again or any(speaks_of("date", text) for text in said)
    if length not in ([2, 2, 4], [4, 2, 2]) or not spoken:
        return {}
    if not all(_beside(drafts[i], drafts[i + 1], sight) for i in three[:-1]):
        return {}
    joint = next(iter(_signs(drafts[place], drafts[place + 1], sight)), "")
    american = sight.page.language.lower() in ("en", "en-us") and joint != "."
    order = ("month", "day") if american else ("day", "month")
    parts = ("year", "month", "day") if length[0] == 4 else (*order, "year")
    return dict(zip(three, parts, strict=True))


def _signs(one: Draft, other: Draft, sight: Sight) -> Iterator[str]:
    for text in texts_between(one, other, sight):
        if _JOINT.fullmatch(text.text):
            yield text.text.strip()


def _beside(one: Draft, other: Draft, sight: Sight) -> bool:
    """Next to each other, with nothing between but signs and the names of parts."""
    if one.is_boxes or other.is_boxes or one.first.frame != other.first.frame:
        return False
    a, b = one.box, other.box
    gap = max(b.x - a.x - a.w, a.x - b.x - b.w)
    if not on_one_line(one, other) or gap > WIDEST_GAP_PX:
        return False
    return all(is_part_text(t.text) for t in texts_between(one, other, sight))


def _name_date(
    group: dict[int, str], drafts: Sequence[Draft], namings: list[Naming], sight: Sight
) -> None:
    """The name of the whole for every part; one that is called 'Day' keeps that as its text."""
    places = tuple(group)
    members = [drafts[i] for i in places]
    first = namings[places[0]]
    if first.source in SHARED and _names_whole(first.label):
        whole = first
    else:
        base, box = _question(members, sight)
        if not base:
            base, box = base_label(members, namings, sight, skip=HEADINGS)
        text = shown_label(base)
        whole = Naming(clean_label(base), text, "layout" if base else "", first.label, 0.0, box=box)
    for i, part in group.items():
        naming = namings[i]
        if naming is not whole and whole.label:
            naming = (replace(naming, label=whole.label) if naming.source in SHARED
                      else replace(whole, runner_up=naming.label))  # fmt: skip
        namings[i] = replace(naming, part=part, parts=places)


def _names_whole(label: str) -> bool:
    """'Born', 'Date'; 'Day' is but the first part."""
    return not is_part_text(label) or speaks_of("date", label)


def _question(members: Sequence[Draft], sight: Sight) -> tuple[str, Box | None]:
    """The legend round these elements alone."""
    number = members[0].first.group
    if number is None or any(d.first.group != number for d in members):
        return "", None
    group = sight.page.groups[number]
    alone = alone_in(number, [c for d in members for c in d.controls], sight)
    return (group.text, group.box) if alone and tokens(group.text) else ("", None)


def _bind_pieces(drafts: Sequence[Draft], namings: list[Naming], sight: Sight) -> None:
    """Boxes without a name right behind a named one: area code and number."""
    for i in range(1, len(drafts)):
        before, naming = namings[i - 1], namings[i]
        if naming.source not in WEAK or naming.part or before.source not in SHARED:
            continue
        if not _is_next_piece(drafts[i - 1], drafts[i], sight):
            continue
        places = (*(before.parts or (i - 1,)), i)
        namings[i] = replace(before, role=naming.role, partner=naming.partner)
        typed = drafts[i - 1].kind in TYPED and drafts[i].kind in TYPED
        if typed and before.part in ("", PIECE):
            for k in places:
                namings[k] = replace(namings[k], part=PIECE, parts=places)


def _is_next_piece(one: Draft, other: Draft, sight: Sight) -> bool:
    if one.is_group or other.is_boxes or not on_one_line(one, other):
        return False
    a, b = one.box, other.box
    gap = max(b.x - a.x - a.w, a.x - b.x - b.w)
    return gap <= PIECE_GAP_PX and not any(tokens(t.text) for t in texts_between(one, other, sight))
