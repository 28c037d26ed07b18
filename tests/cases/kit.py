"""Small pages and readings that the case tests share: forms over the twelve records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.repository.archive import records
from hiwe.repository.warc_reader import archive_files
from tests.catalogue import GENRES, RECORDS, having, list_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.form.form import Element, Form
    from hiwe.repository.archive import ArchivedRecord
    from hiwe.repository.forms import StoredForm
    from tests.crawling import Crawled
    from tests.served import Request

YEARS = tuple(str(year) for year in sorted(record.year for record in RECORDS))


def options(pairs: Iterable[tuple[str, str]]) -> str:
    """Option elements of (value, text)."""
    return "".join(f'<option value="{value}">{text}</option>' for value, text in pairs)


def genre_options(*codes: str) -> str:
    """Options of some genres."""
    return options((code, GENRES[code]) for code in codes)


def genre_form(*codes: str, attributes: str = 'action="/find"', inside: str = "") -> str:
    """A form of one select of genres; `inside` goes before its button."""
    return (
        f'<form {attributes}><label>Genre <select name="g">{genre_options(*codes)}</select></label>'
        f"{inside}<button>Find</button></form>"
    )


def year_form() -> str:
    """A form of one select of the twelve years."""
    choices = options((year, year) for year in YEARS)
    return (
        f'<form action="/find"><label>Year <select name="y">{choices}</select></label>'
        "<button>Find</button></form>"
    )


def of_genre(request: Request) -> str:
    """The list page of the genre that was sent; the empty page without one."""
    code = request.value("g")
    return list_page(having(genre=code) if code else [])


def of_year(request: Request) -> str:
    """The list page of the year that was sent."""
    return list_page(having(year=request.value("y")) if request.value("y") else [])


def of_author(request: Request) -> str:
    """The list page of the author that was sent."""
    return list_page(having(author=request.value("a")) if request.value("a") else [])


def ids(result: Crawled) -> list[int]:
    """The numbers of the records found, from their own addresses."""
    found = [re.search(r"/item/(\d+)", record["url"] or "") for record in result.records]
    return sorted(int(match[1]) if match else -1 for match in found)


def ids_of(*authors: str) -> list[int]:
    """The numbers of the records of some authors."""
    return [record.id for record in RECORDS if record.author in authors]


def strict(result: Crawled) -> float:
    """SE-strict: submissions with results by all submissions."""
    return result.verdicts.count("results") / len(result.verdicts)


def chosen(result: Crawled) -> list[StoredForm]:
    """The forms that were submitted through."""
    return [form for form in result.forms if form.decision == "chosen"]


def only_form(result: Crawled) -> Form:
    """The one form that was chosen."""
    (stored,) = chosen(result)
    return stored.form


def element(form: Form, name: str) -> Element:
    """The element with this name or id."""
    return next(e for e in form.elements if name in (e.name, e.id))


def labels(form: Form) -> dict[str, str]:
    """Name (or id) of each visible element -> its label."""
    return {e.name or e.id: e.label for e in form.elements if e.visible}


def queries(requests: Iterable[Request]) -> list[str]:
    """The queries of requests, sorted."""
    return sorted(request.query for request in requests)


def verdict_of(result: Crawled) -> dict[tuple[str, ...], tuple[str, str]]:
    """Values of each submission that counts -> its verdict and reason."""
    return {
        tuple(b.value for b in s.assignment.bindings): (str(s.judgement.verdict), s.reason)
        for s in result.sent
        if s.judgement is not None
    }


def archived(result: Crawled) -> list[ArchivedRecord]:
    """The archive's records, in the order they were written."""
    files = archive_files(result.out / "warc")
    return [record for path in files for record in records(path)]
