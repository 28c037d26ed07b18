"""The site's own figures: '1-20 of 356', 'Treffer 1-10 von 37', '12 records found', '共 12 条'."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from hiwe.response.response import Count
from hiwe.text import fold
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_LINE = 40  # words; counts stand in short lines
LONGEST_TEXT = 400  # characters


@cache
def _words(kind: str) -> frozenset[str]:
    """The folded words of a kind, of all languages (counts.yaml)."""
    lists: dict[str, str] = word_lists("hiwe.response", "counts.yaml")[kind]
    return frozenset(fold(word) for words in lists.values() for word in words.split())


def _any_of(kind: str) -> str:
    return "|".join(sorted(map(re.escape, _words(kind)), key=len, reverse=True))


_DIGIT = re.compile(r"\d")
_N = r"(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d+)"
_ABOUT = rf"(?:(?:[~≈]|(?:{_any_of('about')})\b\.?|more than|plus de|mas de|cerca de)\s*)?"
_OF = (
    rf"(?:out of|of about|of a total of|in total|i alt|su un totale di|de un total de"
    rf"|sur un total de|von insgesamt|/|{_any_of('of')})"
)
_TO = rf"(?:[-–—−‐‑~…〜～]|\.\.\.?|{_any_of('to')})"
_GAP = r"[^\w/]{0,3}(?:[^\W\d]+\s+){0,2}?"
_RANGE_OF = re.compile(
    rf"(?<![\w.,]){_N}\s*{_TO}\s*{_N}\s*(?:\([^)]*\)\s*)?{_GAP}{_OF}\s*{_ABOUT}{_N}(?![\w%])"
)
_OF_RANGE = re.compile(rf"(?<!\w){_N}\s+\w+\s*[,;:(]?\s*(?:\w+\s+){{0,3}}{_N}\s*{_TO}\s*{_N}(?!\w)")
_RANGE = re.compile(rf"(?<![\w.,]){_N}\s*{_TO}\s*{_N}(?![\w%])")
_SHOWN_OF = re.compile(rf"(?<![\w.,]){_N}\s+(?:\w+\s+){{0,2}}?{_OF}\s+{_ABOUT}{_N}(?![\w%])")
_BEFORE_N = re.compile(
    rf"(?<!\w)(?:{_any_of('before')})\s*(?:\w+\s*)?[:=(]?\s*{_ABOUT}{_N}\s*\)?(?![\w%:/]|\.\d)"
)
_BEFORE_WORD = re.compile(rf"(?<!\w)(?:{_any_of('before')})(?!\w)")
_N_WORD = re.compile(rf"(?<![\w.,#$€£]){_N}\s+((?:[^\W\d][\w'’-]*\s*){{1,3}})")
_PAGE = re.compile(rf"(?<!\w)(?:{_any_of('page')})\.?\s*:?\s*(?=\d)")

# Chinese, Japanese and Korean: a figure with its counting word.
_UNIT = r"(?:件|条|條|건|개|个|個|项|項|篇|部|笔|筆|册|本)"
_TOTAL_CJK = r"(?:共|全|总共|總共|合计|計|총|전체)\s*(?:有|找到|计)?"
_THING_CJK = r"(?:结果|結果|记录|記錄|ヒット|검색|결과|資料|が見つかり|中)"
_HEAD_CJK = r"(?:검색\s*결과|検索結果|找到|结果|結果|该当|該当|ヒット)"
_CJK_RANGE = re.compile(
    rf"{_N}\s*{_UNIT}\s*(?:中の?|의|中第)?\s*[、,]?\s*{_N}\s*{_TO}\s*{_N}\s*{_UNIT}?"
)
_CJK = re.compile(
    rf"{_TOTAL_CJK}\s*{_N}\s*{_UNIT}"
    rf"|{_N}\s*{_UNIT}\s*(?:の|相关|匹配|검색)?\s*{_THING_CJK}"
    rf"|{_HEAD_CJK}\D{{0,8}}{_N}\s*{_UNIT}?"
    rf"|^{_N}\s*{_UNIT}$"
)


def number(text: str) -> int:
    """The value of a figure written with or without thousands separators."""
    return int(re.sub(r"\D", "", text))


def find_count(lines: Iterable[str], shown: int) -> Count | None:
    """The likeliest of the counts that the lines state; `shown` items were seen on the page."""
    best: tuple[float, Count] | None = None
    for line in lines:
        if len(line) > LONGEST_TEXT:
            continue
        for score, count in counts_in(line):
            score += 0.3 * _agrees(count, shown)
            if best is None or score > best[0]:
                best = (score, count)
    return best[1] if best else None


def _agrees(count: Count, shown: int) -> bool:
    return shown > 0 and (count.shown == shown or (count.shown is None and count.total == shown))


@lru_cache(maxsize=4096)
def counts_in(line: str) -> tuple[tuple[float, Count], ...]:
    """The counts that one line states, each with how surely it is one (0..1)."""
    if not _DIGIT.search(line):
        return ()
    text = fold(line)
    if len(text.split()) > LONGEST_LINE:
        return ()
    found = [*_ranges(text, line), *_shown_of(text, line), *_totals(text, line)]
    return tuple((score, count) for score, count in found if _sane(count))


def _sane(count: Count) -> bool:
    if count.first is not None and count.last is not None and count.first > count.last:
        return False
    return not (count.last is not None and count.total is not None and count.last > count.total + 1)


def _ranges(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _RANGE_OF.finditer(text):
        if not _PAGE.search(text[max(0, match.start() - 12) : match.start() + 1]):
            first, last, total = map(number, match.groups())
            found.append((0.9, Count(first, last, total, line)))
    for match in _CJK_RANGE.finditer(text):
        total, first, last = map(number, match.groups())
        found.append((0.9, Count(first, last, total, line)))
    for match in _OF_RANGE.finditer(text):
        total, first, last = map(number, match.groups())
        if total >= last and has_noun(text):
            found.append((0.75, Count(first, last, total, line)))
    if not found and has_noun(text):
        for match in _RANGE.finditer(text):
            first, last = map(number, match.groups())
            if last - first < 1000 and not 1500 < first < 2100:
                found.append((0.4, Count(first, last, None, line)))
    return found


def _shown_of(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _SHOWN_OF.finditer(text):
        if _PAGE.search(text[max(0, match.start() - 14) : match.start() + 1]):
            continue
        shown, total = map(number, match.groups())
        if shown <= total and (has_noun(text) or _BEFORE_WORD.search(text)):
            found.append((0.7, Count(1 if shown else 0, shown, total, line)))
    return found


def _totals(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _CJK.finditer(text):
        figure = next(group for group in match.groups() if group)
        found.append((0.7, Count(None, None, number(figure), line)))
    for match in _BEFORE_N.finditer(text):
        found.append((0.55, Count(None, None, number(match.group(1)), line)))
    for match in _N_WORD.finditer(text):
        words = match.group(2).split()
        place = next((i for i, word in enumerate(words) if word in _words("nouns")), None)
        if (
            place is None
            or _is_year(match.group(1), text, place)
            or _PAGE.search(text[max(0, match.start() - 12) : match.start() + 1])
        ):
            continue
        score = 0.65 if len(text.split()) <= 12 else 0.45
        found.append((score - 0.05 * place, Count(None, None, number(match.group(1)), line)))
    return found


def _is_year(figure: str, text: str, place: int) -> bool:
    """Whether a figure in a sentence is rather a year: '1999 feature film directed by ...'."""
    return (
        1800 <= number(figure) <= 2100 and len(figure) == 4 and (place > 0 or len(text.split()) > 6)
    )


def has_noun(text: str) -> bool:
    """Whether a folded text names what is counted (results, Treffer, ...)."""
    return any(word in _words("nouns") for word in re.findall(r"[^\W\d_]+", text))
