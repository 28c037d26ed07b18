"""`hiwe inspect`: the forms of a page as the crawler understands them, as JSON and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box as rich_box
from rich.console import Group
from rich.markup import escape
from rich.table import Table

from hiwe.crawl.form_work import match_elements
from hiwe.form.find import understand
from hiwe.form.merge import without_hidden_copies

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hiwe.form.form import Element, Form, Submitter
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.table import LvsTable
    from hiwe.page.page import Option, Page

OPTIONS_SHOWN = 4
SIGMA = 0.75  # label-match threshold, as in a task that names none


def inspect_page(page: Page, given: str = "", table: LvsTable | None = None) -> dict[str, Any]:
    """The JSON object of a page (contract: `hiwe inspect --json`); `given` is its address as given.

    Every visible control appears once. Of copies of a form only those not displayed are left out.
    With `table` an element that takes values has a `matched_row` too, null for none.
    """
    found = understand(page)
    forms = without_hidden_copies(found.forms)
    return {
        "url": given or page.url,
        "forms": [_form_object(i, form, table) for i, form in enumerate(forms)],
        "controls_outside_forms": [element_object(e) for e in found.outside],
    }


def _form_object(index: int, form: Form, table: LvsTable | None) -> dict[str, Any]:
    elements = [element_object(e) for e in form.elements]
    for place, match in (matches(form, table) if table else {}).items():
        elements[place]["matched_row"] = match.row.label if match.row else None
    return {
        "index": index,
        "dom_form": form.dom_form,
        "searchable": form.searchable,
        "reason": form.reason,
        "score": form.score,
        "evidence": [[feature, round(weight, 2)] for feature, weight in form.evidence],
        "method": form.method,
        "action": form.action,
        "heading": form.text,
        "fingerprint": form.fingerprint,
        "elements": elements,
        "submitters": [_submitter_object(s) for s in form.submitters],
        "hidden": [list(pair) for pair in form.hidden],
    }


def element_object(element: Element) -> dict[str, Any]:
    """One ELEMENT of the contract. `domain` holds the values, `options` every choice shown."""
    box = element.box
    choices = sorted([*element.options, *element.captions], key=lambda o: o.control)
    return {
        "name": element.name,
        "id": element.id,
        "data": dict(element.data),
        "kind": element.kind,
        "label": element.label_text or element.label,
        "clean_label": element.label,
        "label_source": element.label_source,
        "label_cost": element.label_cost,
        "runner_up": element.runner_up,
        "domain": [o.label or o.value for o in element.options],
        "box": [box.x, box.y, box.w, box.h],
        "visible": element.visible,
        "fillable": element.fillable,
        "role": element.role,
        "neutral": element.neutral,
        "default": element.default,
        "required": element.required,
        "suggestions": list(element.suggestions),
        "range": element.range_role,
        "range_with": element.range_with,
        "part": element.part,
        "part_with": list(element.part_with),
        "depends_on": element.depends_on,
        "options": [_option_object(o) for o in choices],
    }


def _option_object(option: Option) -> dict[str, Any]:
    return {
        "id": option.id,
        "data": dict(option.data),
        "label": option.label,
        "value": option.value,
    }


def _submitter_object(submitter: Submitter) -> dict[str, Any]:
    return {
        "kind": submitter.kind,
        "text": submitter.text,
        "name": submitter.name,
        "value": submitter.value,
        "action": submitter.action,
        "method": submitter.method,
    }


def matches(form: Form, table: LvsTable) -> dict[int, LabelMatch]:
    """The row of each element of a form that takes values, by position."""
    return match_elements(form, table, sigma=SIGMA, generic=True)


def row_text(match: LabelMatch) -> str:
    """A match in words: 'Title (0.93)', 'any' for a box that takes every row's values."""
    if match.row is None:
        return "any row" if match.generic else "no row"
    return f"{match.row.label} ({match.similarity:.2f})"


def inspect_table(page: Page, table: LvsTable | None = None) -> RenderableType:
    """The page's forms as tables for a terminal: one form a table, one element a row."""
    found = understand(page)
    parts: list[RenderableType] = [
        _form_table(i, form, table) for i, form in enumerate(without_hidden_copies(found.forms))
    ]
    if found.outside:
        parts.append(_elements_table("In no form", found.outside))
    return Group(*parts) if parts else f"{page.url}: no forms"


def _form_table(index: int, form: Form, lvs: LvsTable | None) -> Table:
    verdict = "[green]searchable[/]" if form.searchable else f"[red]no: {escape(form.reason)}[/]"
    buttons = ", ".join(repr(s.text or s.kind) for s in form.submitters[:3])
    title = f"Form {index}  {form.method} {escape(form.action)}  {verdict} ({form.score:.2f})"
    rows = {place: row_text(m) for place, m in matches(form, lvs).items()} if lvs else None
    table = _elements_table(title, form.elements, rows)
    table.caption = escape(f"sent by {buttons}")
    return table


def _elements_table(
    title: str, elements: tuple[Element, ...], rows: dict[int, str] | None = None
) -> Table:
    table = Table(title=title, title_justify="left", box=rich_box.SIMPLE_HEAD, expand=False)
    headings = ("label", "source", "kind", "name", "domain", "role")
    for heading in (*headings, "row") if rows else headings:
        table.add_column(heading)
    for place, element in enumerate(elements):
        role = element.role if element.visible else f"{element.role}, not seen"
        role = ", ".join(filter(None, (role, element.range_role, element.part)))
        cells = (element.label, element.label_source, element.kind, element.name or element.id)
        row = [rows.get(place, "")] if rows else []
        table.add_row(*(escape(c) for c in (*cells, _domain(element), role, *row)))
    return table


def _domain(element: Element) -> str:
    labels = [o.label or o.value for o in element.options] or list(element.suggestions)
    if not labels:
        return "free text" if element.kind not in ("select", "radio", "checkbox") else "empty"
    shown = ", ".join(labels[:OPTIONS_SHOWN])
    more = len(labels) - OPTIONS_SHOWN
    return f"{shown}, ... ({len(labels)})" if more > 0 else shown
