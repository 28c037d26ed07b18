"""The twelve records of the acceptance cases and the pages that show them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Record:
    """One of the twelve items of the test catalogue."""

    id: int
    title: str
    author: str
    genre: str
    language: str
    year: int
    format: str
    price: str


RECORDS = tuple(
    Record(*row)
    for row in (
        (1, "The Glass Orchard", "Ida Fenwick", "sf", "en", 1994, "p", "8.50"),
        (2, "Salt Roads", "Omar Velt", "hi", "en", 2003, "p", "12.00"),
        (3, "Nine Small Moons", "Ida Fenwick", "sf", "en", 2011, "e", "6.00"),
        (4, "Le Pain du Nord", "Claire Aubry", "co", "fr", 1999, "p", "15.00"),
        (5, "Atlas of Quiet Rivers", "Jonas Reuter", "po", "de", 2016, "p", "9.00"),
        (6, "Brass Engines", "Omar Velt", "hi", "en", 1987, "p", "4.00"),
        (7, "Winter Stock", "Claire Aubry", "co", "fr", 2008, "e", "7.50"),
        (8, "The Cartographer's Debt", "Lena Storm", "hi", "de", 2021, "e", "11.00"),
        (9, "Тихий берег", "Вера Лунина", "po", "ru", 2014, "p", "10.00"),
        (10, "Red Shift Market", "Ida Fenwick", "sf", "en", 2019, "a", "14.00"),
        (11, "Café des Sept Ponts", "Claire Aubry", "co", "fr", 2013, "a", "13.00"),
        (12, "Paper Suns", "Kai Morrow", "sf", "en", 2005, "e", "5.00"),
    )
)
GENRES = {
    "sf": "Science fiction",
    "hi": "History",
    "co": "Cookery",
    "po": "Poetry",
    "tr": "Travel",
}
LANGUAGES = {"en": "English", "fr": "French", "de": "German", "ru": "Russian"}
FORMATS = {"p": "Paper", "e": "E-book", "a": "Audio"}
EMPTY_PAGE = "<h1>Results</h1><p>No records matched your search.</p>"


def hits(records: Iterable[Record]) -> str:
    """The hit lines of `records`, without the list around them."""
    return "".join(
        f'<li class="hit"><a href="/item/{r.id}">{escape(r.title)}</a> '
        f"<span>{escape(r.author)}, {r.year}</span></li>"
        for r in records
    )


def list_page(records: Iterable[Record]) -> str:
    """The list page of `records`; the empty page if there are none."""
    found = list(records)
    if not found:
        return EMPTY_PAGE
    return (
        f'<h1>Results</h1><p class="count">{len(found)} records found</p>'
        f'<ol class="hits">{hits(found)}</ol>'
    )


def item_page(record: Record) -> str:
    """The page of one record."""
    rows = {
        "Author": record.author,
        "Genre": GENRES[record.genre],
        "Language": LANGUAGES[record.language],
        "Year": str(record.year),
        "Format": FORMATS[record.format],
        "Price": record.price,
    }
    lines = "".join(f"<dt>{k}</dt><dd>{escape(v)}</dd>" for k, v in rows.items())
    return f"<h1>{escape(record.title)}</h1><dl>{lines}</dl>"


def titled(word: str) -> list[Record]:
    """Records with `word` as a whole word of the title (any case); all for an empty word."""
    wanted = word.casefold()
    return [r for r in RECORDS if not wanted or wanted in r.title.casefold().split()]


def having(**wanted: str) -> list[Record]:
    """Records whose fields equal all `wanted` values; an empty value asks for nothing."""
    return [r for r in RECORDS if all(not v or str(getattr(r, k)) == v for k, v in wanted.items())]
