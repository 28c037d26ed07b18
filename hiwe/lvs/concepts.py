"""Common concepts (title, author, year...) and what forms call them in many languages.

The words are data (`concepts.yaml`). They let an Italian form meet an English row, and they tell
that a label is understood to mean something else ('County' is no 'Country').
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hiwe.text import base_language, words
from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

Key = tuple[str, ...]


@cache
def concepts() -> dict[str, dict[str, tuple[str, ...]]]:
    """Concept -> language -> what forms in it call the concept."""
    loaded = word_lists("hiwe.lvs", "concepts.yaml", as_written=True)
    return {
        concept: {language: tuple(aliases) for language, aliases in languages.items()}
        for concept, languages in loaded.items()
    }


def aliases(concept: str, language: str | None) -> Iterator[str]:
    """The concept's aliases in a language and English, or in all languages; each once."""
    by_language = concepts().get(concept, {})
    chosen = by_language if language is None else [c for c in (language, "en") if c in by_language]
    names = dict.fromkeys(alias for code in chosen for alias in by_language[code])
    yield from (name for name in names if language is not None or _is_clear(name, concept))


def _is_clear(name: str, concept: str) -> bool:
    """Whether a name means the concept whatever the language: 'sort' is one thing in English,
    another in Swedish, and English then prevails."""
    key = label_key(name, None)
    meanings = _meanings(None).get(key, frozenset())
    return meanings <= {concept} or _meanings("en").get(key, frozenset()) == {concept}


def label_key(label: str, language: str | None) -> Key:
    """What two labels of the same words have in common, whatever their order: sorted stems.

    Soft words count only in a label that has no others.
    """
    return tuple(sorted(word.stem for word in words(label, language) if word.weight == 1.0))


@cache
def _meanings(language: str | None) -> dict[Key, frozenset[str]]:
    """All concepts by the keys of their names in one language, or in all of them."""
    found: dict[Key, set[str]] = {}
    for concept, by_language in concepts().items():
        chosen = by_language if language is None else {language} & by_language.keys()
        for name in (name for code in chosen for name in by_language[code]):
            found.setdefault(label_key(name, None), set()).add(concept)
    return {key: frozenset(named) for key, named in found.items() if key}


@cache
def _lexicon(language: str | None) -> dict[Key, frozenset[str]]:
    found: dict[Key, set[str]] = {}
    for concept in concepts():
        for alias in aliases(concept, language):
            found.setdefault(label_key(alias, language), set()).add(concept)
    return {key: frozenset(named) for key, named in found.items() if key}


def concepts_of(label: str, language: str | None = None) -> frozenset[str]:
    """Concepts that the whole label names, in its language or English; in any, when unknown."""
    code = base_language(language)
    found = _lexicon(code).get(label_key(label, code), frozenset())
    if not found and code is not None:
        found = _lexicon(None).get(label_key(label, None), frozenset())
    return found
