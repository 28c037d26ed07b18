"""Counted: a number with its noun, as a person says it."""

from __future__ import annotations


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: '1 form', '2 forms', '1,200 pages'."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
