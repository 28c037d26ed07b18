"""Signals of a page's structure: an empty table, a further form, a password field, a redirect."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.response.grid import cells_in
from hiwe.response.response import Signal
from hiwe.response.significant import control_names, has_password
from hiwe.response.zones import AWAY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.response.document import Document
    from hiwe.response.significant import Template

LEAST_COLUMNS = 2  # of a table head


def structure_signals(
    document: Document, template: Template, form: Form | None, url: str, values: Iterable[str]
) -> Iterator[Signal]:
    """What the page's structure tells, compared with the form page's and the form."""
    password = has_password(document)
    if password and not template.has_password:
        yield Signal("password", url, 0.8)
    if form is not None and url and is_elsewhere(form.action, url):
        yield Signal("redirect", url, 0.5)
    yield from _empty_tables(document)
    if not password:
        yield from _further_form(document, template, form)
    wanted = {value.casefold().strip() for value in values}
    for node in document.nodes:
        if node.tag == "h1" and document.text(node).casefold() in wanted:
            yield Signal("heading_is_value", document.text(node)[:120], 0.5)


def is_elsewhere(action: str, url: str) -> bool:
    """Whether an answer stands at another path than the one the form sends to."""
    return urlsplit(action).path.rstrip("/") != urlsplit(url).path.rstrip("/")


def _empty_tables(document: Document) -> Iterator[Signal]:
    """Tables with a head and no rows below it."""
    for node in document.nodes:
        if node.tag != "table" or node.zone & AWAY:
            continue
        rows = [below for below in document.below(node) if below.tag == "tr"]
        heads = [
            row
            for row in rows
            if len(cells_in(row)) >= LEAST_COLUMNS and all(c.tag == "th" for c in cells_in(row))
        ]
        filled = any(
            cell.tag == "td" and document.text(cell) for row in rows for cell in cells_in(row)
        )
        if heads and not filled:
            yield Signal("empty_table", document.text(heads[0])[:120], 0.7)


def _further_form(document: Document, template: Template, form: Form | None) -> Iterator[Signal]:
    """Fields that neither the form page nor the form has: the next step of a chain of forms."""
    mine = {element.name or element.id for element in form.elements} if form else set()
    known = template.controls | mine
    names = control_names(document) - known
    fresh = [
        node.get("name") or node.get("id")
        for node in document.controls
        if (node.get("name") or node.get("id")) in names
        and node.get("type").lower() not in ("checkbox", "radio")
    ]
    if fresh:
        yield Signal("further_form", ", ".join(fresh[:5]), 0.6)


def retry_after(page: Page) -> float | None:
    """Seconds that the Retry-After header asks for (RFC 9110, 10.2.3); None without it."""
    headers = {name.lower(): value.strip() for name, value in page.headers}
    value = headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    if not value or not headers.get("date"):
        return None
    try:
        when, now = parsedate_to_datetime(value), parsedate_to_datetime(headers["date"])
    except ValueError:
        return None
    return max(0.0, (when - now).total_seconds())
