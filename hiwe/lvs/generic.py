"""Is an element a box for anything: Search, Keyword(s), Query, All fields..., or nothing at all?"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from hiwe.lvs.concepts import aliases, concepts_of, label_key
from hiwe.text import fold, is_soft, name_words, words
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from hiwe.lvs.element_view import ElementView

TEXT_KINDS = frozenset({"text", "search", "textarea", "datalist", "contenteditable"})


@cache
def _data() -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = word_lists(
        "hiwe.lvs", "generic.yaml", as_written=True
    )
    return loaded


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(fold(word) for listed in _data()[kind].values() for word in listed)


@cache
def _phrases() -> frozenset[tuple[str, ...]]:
    return frozenset(
        label_key(phrase, None) for listed in _data()["phrases"].values() for phrase in listed
    )


@cache
def _keywords() -> frozenset[tuple[str, ...]]:
    """What 'keyword' is called in all languages: it makes a label generic whatever else it says."""
    return frozenset(key for alias in aliases("keyword", None) if (key := label_key(alias, None)))


def is_generic_label(label: str, language: str | None = None) -> bool:
    """Whether the label says 'anything': it has a search word and no other telling word.

    'Search for:', 'Mots-clés', 'Title or keyword' and 'All fields' are generic, 'Search by
    author' is not.
    """
    found = words(label, None)
    texts = {form for word in found for form in (word.text, word.stem)}
    telling = [
        word
        for word in found
        if not is_soft(word) and not {word.text, word.stem} & (_words("search") | _words("site"))
    ]
    if texts & _words("search") and not telling:
        return True
    if any(texts.issuperset(key) for key in _keywords()):
        return True
    return is_generic_phrase(label, language)


def is_generic_phrase(label: str, language: str | None = None) -> bool:
    """Whether the whole label is known to say 'anything' ('All fields', 'Tutti i campi')."""
    key = label_key(label, None)
    return bool(key) and (key in _phrases() or label_key(label, language) in _phrases())


def is_plain_search(label: str, language: str | None = None) -> bool:
    """Whether the label asks for anything and for nothing besides: 'Search all fields'.

    Other than in `is_generic_label`, 'keyword' beside a telling word does not count.
    """
    found = words(label, language)
    telling = [
        word
        for word in found
        if not is_soft(word, language)
        and not {word.text, word.stem} & (_words("search") | _words("site"))
    ]
    return is_generic_phrase(label, language) or (has_search_word(label) and not telling)


def has_search_word(label: str) -> bool:
    """Whether a word of the label says 'search' or 'keyword', in any language."""
    return any({word.text, word.stem} & _words("search") for word in words(label, None))


def takes_text(element: ElementView) -> bool:
    """Whether any text may be written into the element."""
    return element.kind in TEXT_KINDS and not element.is_finite and not element.is_closed


def is_generic(element: ElementView) -> bool:
    """Whether a text element that matches no row is a box for anything.

    Its label says so, or its name does and the label names nothing else that is known, or it has no
    label, and neither name nor placeholder tell what it is for.
    """
    if not takes_text(element):
        return False
    shown = element.label or element.placeholder or ""
    if is_generic_label(shown, element.language):
        return True
    if concepts_of(shown, element.language) or _names_concept(element.name):
        return False
    if _is_generic_name(element.name) or element.kind == "search":
        return True
    return not shown and not name_words(element.name) and not _is_part(element.name)


@cache
def _generic_name() -> re.Pattern[str]:
    """Names made of a search word and affixes: 'q', 'searchText', 'main-search_form'."""
    longest = sorted(_words("names"), key=len, reverse=True)
    names = "|".join(longest)
    words = "|".join(name for name in longest if len(name) > 2)
    affixes = "|".join(sorted(_words("affixes"), key=len, reverse=True))
    return re.compile(rf"(?:{names})|(?:{affixes})*(?:{words})(?:{affixes}|{words})*")


def _is_generic_name(name: str) -> bool:
    plain = "".join(char for char in fold(name) if char.isalpha())
    last = re.split(r"[^\w-]+", fold(name).rstrip("])"))[-1]  # 'ctl00$SearchBox$q', 'tx_solr[q]'
    return last in _words("names") or _generic_name().fullmatch(plain) is not None


def _is_part(name: str) -> bool:
    """Whether a name belongs to a control that means something only beside others."""
    return bool({fold(piece) for piece in re.split(r"[\W_]+", name)} & _words("parts"))


def _names_concept(name: str) -> bool:
    return bool(concepts_of(" ".join(word.text for word in name_words(name))))
