"""The phrases of result pages: what is compiled late is sound all the same."""

from __future__ import annotations

from hiwe.response.phrases import _book


def test_every_phrase_can_be_compiled() -> None:
    book = _book()
    phrases = [phrase for found in book.by_word.values() for phrase in found]
    phrases += [phrase for _, phrase in book.unspaced]
    assert len(phrases) > 1_000
    assert all(phrase.pattern.pattern for phrase in phrases)
