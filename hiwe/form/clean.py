"""Label text made clean: required marks, colons, bullets, 'optional' remarks, range words out."""

from __future__ import annotations

import re
from functools import lru_cache

from hiwe.form.words import is_whole_word, is_word, names, role_affix, speaks_of, tokens, without

_REMARK = re.compile(r"\s*[(\[（【]([^()\[\]（）【】]*)[)\]）】]\s*")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")  # joiners are spelling
_EDGES = re.compile(r"^[\s*:：•·●○►»>|†✱∗＊_=~-]+|[\s*:：•·●|†✱∗＊_=~»>-]+$")
_TAIL = re.compile(r"[\s*:：†✱∗＊]+$")
_SEPARATORS = re.compile(r"^[\s|»]+|[\s|]+$")
_MARKS = re.compile(r"[\s*＊✱†!?？]*")
_STARRED = re.compile(r"^\s*[*＊✱∗](?!\*)|[*＊✱∗]\s*[:：]?\s*$")
_LEADERS = re.compile(r"\s*(?:[.·…_]\s?){4,}$")  # dots that lead from a label to its field
_MONEY = re.compile(r"[\s,]*[$€£¥₽₹₺₴₩₪]+$")
_HELP = re.compile(r"(?<=[*＊✱†\s])[\s*＊✱†]*(?:\?|ⓘ|ℹ️?|❓|❔|🛈|🛈️)$")
_AFTER_MARK = re.compile(r"^(.*\S)\s*[*＊✱†]\s*([^\W\d_].*)$", re.DOTALL)


@lru_cache(maxsize=16384)
def shown_label(text: str) -> str:
    """A label as a person sees it, on one line, without closing colon or required mark."""
    text = " ".join(_INVISIBLE.sub("", text).replace("\xa0", " ").split())
    text = _LEADERS.sub("", _SEPARATORS.sub("", text)) or text
    return _TAIL.sub("", text) or text


def is_starred(text: str) -> bool:
    """Whether a label bears the star that says a field must be filled, before or behind it."""
    return bool(_STARRED.search(text))


@lru_cache(maxsize=16384)
def clean_label(text: str) -> str:
    """A label's own words: no bullets, no '(optional)', no sign of help or money at its end.

    '' where only marks are left.
    """
    text = _EDGES.sub("", _before_mark(_without_remarks(_without_help(shown_label(text)))))
    text = _MONEY.sub("", text)
    return text if tokens(text) else ""


def _without_help(text: str) -> str:
    """'Title' of 'Title * ?' and 'Title ⓘ'; 'Où ?' is a question."""
    if text.endswith("?") and not _TAIL.search(text[:-1].rstrip() or " "):
        return text
    return _HELP.sub("", text)


def _before_mark(text: str) -> str:
    """'Title' of 'Title * This field is required'."""
    match = _AFTER_MARK.match(text)
    if match and tokens(match.group(1)) and speaks_of("required", match.group(2)):
        return match.group(1)
    return text


def _without_remarks(text: str) -> str:
    """Drop '(optional)', '[required]' in any language; other brackets belong to the label."""

    def replaced(match: re.Match[str]) -> str:
        said = tokens(match.group(1))
        if not said and _MARKS.fullmatch(match.group(1)):
            return " "
        wholly = said and all(is_word("optional", t) or is_word("required", t) for t in said)
        return " " if wholly or _is_remark(match.group(1)) else match.group(0)

    outside = _REMARK.sub(replaced, text).strip()
    return " ".join(outside.split()) if tokens(outside) else text


def _is_remark(text: str) -> bool:
    said = tokens(text)
    return 0 < len(said) <= 4 and not tokens(without("required", without("optional", text)))


@lru_cache(maxsize=4096)
def is_unit(text: str) -> bool:
    """Nothing but a unit of measure or a sign of money: 'km', 'm²', '€'."""
    told = " ".join(text.split()).strip(" .,()[]/|").casefold()
    return told in names("units")


def split_range_word(text: str) -> tuple[str, str]:
    """Part a label from a range word at its end or start: 'Year from' gives ('Year', 'from').

    The second part is 'from', 'to' or ''; the first is '' for a range word alone.
    """
    said = tokens(text)
    if not said or len(said) > 5:
        return text, ""
    if len(said) == 1 and not said[0].isascii():
        found = _unspaced_role(said[0])
        if found is not None:
            return found
    for role in ("from", "to"):
        alone = is_whole_word(role, said[0]) if len(said) == 1 else not tokens(without(role, text))
        if alone:
            return "", role
    for role in ("from", "to"):
        if is_whole_word(role, said[-1]):
            rest = re.sub(r"[\W_]*[^\W_]+[\W_]*$", "", text)
            return rest, role
        if is_whole_word(role, said[0]) and len(said[0]) > 1:
            rest = re.sub(r"^[\W_]*[^\W_]+[\W_]*", "", text)
            return rest, role
    return text, ""


def _unspaced_role(word: str) -> tuple[str, str] | None:
    """'开始日期' is ('日期', 'from'); None for a word without such a part."""
    for role in ("from", "to"):
        rest = role_affix(role, word)
        if rest is not None:
            return rest, role
    return None
