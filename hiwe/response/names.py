"""Names of fields: from class names and identifiers, and those of our own making."""

from __future__ import annotations

import re

MAIN_FIELD = "Title"  # the name of an item's main text when the page gives it none
OTHER_FIELD = "Text"
_MADE_UP = re.compile(rf"(?:{MAIN_FIELD}|{OTHER_FIELD}|Column)(?: \d+)?")
# Words of class names that tell how a text looks or where it stands, not what it is.
_LOOKS_WORDS = (
    "col row cell item items hit hits result results record card body content text txt small "
    "large big muted left right center top bottom first last odd even wrapper wrap inner outer "
    "box block list group container main link links primary secondary bold light dark info "
    "value values field fields data meta details detail label line lines float clear clearfix "
    "pull hidden visible mt mb ml mr pt pb px py p m d flex grid span div media panel entry "
    "highlight search teaser truncate ellipsis nowrap badge tag btn button icon css js sc style "
    "class element mw even-row odd-row a b c e x y sm md lg xl xs fw fs font size color bg "
    "align display inline header heading head footer"
)
_LOOKS = frozenset(_LOOKS_WORDS.split())
_SPLIT_NAME = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")


def is_made_up(name: str) -> bool:
    """Whether a field's name is ours, because the page gave none."""
    return _MADE_UP.fullmatch(name) is not None


def class_name(classes: str) -> str:
    """What the class names say of a text's meaning; '' when they only tell its looks."""
    for one in classes.split():
        words = [word.lower() for word in _SPLIT_NAME.split(one) if word]
        telling = [w for w in words if w not in _LOOKS and w.isalpha() and len(w) > 2]
        if telling and len(one) < 40:
            return readable(" ".join(telling[-2:]))
    return ""


def readable(name: str) -> str:
    """A name as a person writes it: 'releaseDate' and 'release_date' become 'Release date'."""
    name = name.rsplit("/", 1)[-1].rsplit(":", 1)[-1] if "/" in name or ":" in name else name
    words = [word for word in _SPLIT_NAME.split(name) if word]
    text = " ".join(word if word.isupper() else word.lower() for word in words)
    return text[:1].upper() + text[1:]
