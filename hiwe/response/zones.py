"""Zones of a page as its authors name them, and the steps of tag paths."""

from __future__ import annotations

import re
from functools import lru_cache

# Zones of a page, as bits: what its authors call navigation, margin, foot, pager, facets.
NAVIGATION, MARGIN, FOOT, PAGER, FACETS, MESSAGE, MAIN = 1, 2, 4, 8, 16, 32, 64
AWAY = NAVIGATION | MARGIN | FOOT | FACETS

# Elements whose class does not tell two items of one list apart.
CLASSLESS = frozenset(["li", "tr", "td", "th", "dt", "dd", "tbody", "thead", "option"])
ZONE_TAGS = {"nav": NAVIGATION, "footer": FOOT, "aside": MARGIN, "main": MAIN}
ZONE_ROLES = {
    "navigation": NAVIGATION, "menu": NAVIGATION, "menubar": NAVIGATION, "contentinfo": FOOT,
    "complementary": MARGIN, "alert": MESSAGE, "status": MESSAGE, "main": MAIN,
}  # fmt: skip
ZONE_WORDS = (
    (NAVIGATION, r"nav|navbar|navi|navigation|menu|menubar|submenu|breadcrumbs?|toolbar|tabs"),
    (NAVIGATION, r"topbar|portlet|skip|langs?|languages?|footerlinks|jump"),
    (MARGIN, r"sidebar|aside|widget|advert\w*|ads?|banner|promo\w*|cookies?|consent|newsletter"),
    (MARGIN, r"social|share"),
    (FOOT, r"footer|foot|bottom|copyright|colophon|impressum"),
    (PAGER, r"pagers?|paging|pagination|paginator|pagenav|pagenavi|pages|pagelinks|page-?numbers"),
    (FACETS, r"facets?|filters?|refine\w*|sort|sorting|sortby|suggestions?|autocomplete|tagcloud"),
    (MESSAGE, r"errors?|alert|warning|invalid|messages?|notice|feedback|flash|has-error|danger"),
    (MESSAGE, r"validation\w*"),
)
_ZONES = [(bit, re.compile(rf"(?:^|[\s_-])(?:{words})(?=$|[\s_-])")) for bit, words in ZONE_WORDS]
_NEGATED = re.compile(r"(?:^|\s)(?:not|no|has|with|without|hide|show|is|js|skip)-\S+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PASSING_CLASS = re.compile(
    r"(?:odd|even|first|last|active|current|selected|alt|new|hover|row[01]|clearfix|row|col)$"
)


@lru_cache(maxsize=16384)
def class_zone(names: str) -> int:
    """Zones that an element's class and id tell."""
    lowered = _NEGATED.sub("", _CAMEL.sub("-", names).lower())
    zone = 0
    for bit, pattern in _ZONES:
        if pattern.search(lowered):
            zone |= bit
    return zone


@lru_cache(maxsize=16384)
def step_name(tag: str, class_name: str) -> str:
    """An element's step in a tag path: its tag and the first class that is no passing state."""
    if tag in CLASSLESS:
        return tag
    for word in class_name.split():
        name = re.sub(r"\d+", "", word)
        if len(name) > 1 and not _PASSING_CLASS.match(name.lower()) and len(name) * 2 > len(word):
            return f"{tag}.{name.rstrip('-_')}"
    return tag
