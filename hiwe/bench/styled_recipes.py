"""Recipes of the styled set: how one framework, or one era of plain CSS, lays a form out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.bench.styled_ink import Ink, Recipe, each, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.bench.styled_ink import Field


def _bootstrap_horizontal(f: Field, ink: Ink) -> str:
    return (
        f'<div class="row mb-3">{ink.label(f, "col-sm-3 col-form-label", tag="div")}'
        f'<div class="col-sm-9">{ink.control(f, "form-control", "form-select")}</div></div>'
    )


def _bootstrap_reversed(f: Field, ink: Ink) -> str:
    return (
        f'<div class="row mb-2"><div class="col-8 order-2">'
        f"{ink.control(f, 'form-control', 'form-select')}</div>"
        f"{ink.label(f, 'col-4 order-1 col-form-label', tag='div')}</div>"
    )


def _bootstrap_columns(fields: Sequence[Field], ink: Ink) -> str:
    cells = (
        f'<div class="col-md-4">{ink.label(f, "form-label", tag="div")}'
        f"{ink.control(f, 'form-control', 'form-select')}</div>"
        for f in fields
    )
    return f'<div class="row g-3">{"".join(cells)}</div>'


def _floating(f: Field, ink: Ink) -> str:
    return (
        f'<div class="form-floating mb-3">{ink.control(f, "form-control", "form-select")}'
        f"{ink.label(f, tag='label')}</div>"
    )


def _materialize(f: Field, ink: Ink) -> str:
    control = ink.control(f, "", "browser-default")
    return f'<div class="input-field">{control}{ink.label(f, "active", tag="label")}</div>'


def _bulma_horizontal(f: Field, ink: Ink) -> str:
    return (
        f'<div class="field is-horizontal"><div class="field-label is-normal">'
        f'{ink.label(f, "label")}</div><div class="field-body"><div class="field">'
        f'<div class="control">'
        f"{ink.control(f, 'input')}</div></div></div></div>"
    )


def _uikit(f: Field, ink: Ink) -> str:
    return (
        f'<div class="uk-margin">{ink.label(f, "uk-form-label", tag="div")}'
        f'<div class="uk-form-controls">{ink.control(f, "uk-input", "uk-select")}</div></div>'
    )


def _foundation(fields: Sequence[Field], ink: Ink) -> str:
    cells = (
        f'<div class="cell small-4">{ink.label(f, "text-right middle", tag="div")}</div>'
        f'<div class="cell small-8">{ink.control(f)}</div>'
        for f in fields
    )
    return f'<div class="grid-x grid-padding-x">{"".join(cells)}</div>'


def _foundation_reversed(fields: Sequence[Field], ink: Ink) -> str:
    return "".join(
        f'<div class="grid-x grid-padding-x"><div class="cell small-8 small-order-2">'
        f'{ink.control(f)}</div><div class="cell small-4 small-order-1">'
        f"{ink.label(f, tag='div')}</div></div>"
        for f in fields
    )


def _table(fields: Sequence[Field], ink: Ink) -> str:
    rows = "".join(
        f"<tr><td align=right>{ink.label(f, tag='font')}</td><td>{ink.control(f)}</td></tr>"
        for f in fields
    )
    return f"<table border=0 cellpadding=3>{rows}</table>"


def _table_two_columns(fields: Sequence[Field], ink: Ink) -> str:
    rows = ""
    for pair in rows_of(fields, 2):
        cells = (f"<td>{ink.label(f)}</td><td>{ink.control(f)}</td>" for f in pair)
        rows += f"<tr>{''.join(cells)}</tr>"
    return f"<table cellspacing=8>{rows}</table>"


def _label_row(fields: Sequence[Field], ink: Ink, *, head: str, below: bool = False) -> str:
    out = []
    for row in rows_of(fields, 3):
        labels = "<tr>" + "".join(f"<{head}>{ink.label(f)}</{head}>" for f in row) + "</tr>"
        controls = "<tr>" + "".join(f"<td>{ink.control(f)}</td>" for f in row) + "</tr>"
        out.append(controls + labels if below else labels + controls)
    return f"<table cellpadding=4>{''.join(out)}</table>"


def _spanned_head(fields: Sequence[Field], ink: Ink) -> str:
    """One header row with a spanning title over all, fields below."""
    row = fields[:4]
    title = f"<tr><th colspan={len(row)}>&nbsp;</th></tr>"
    labels = "<tr>" + "".join(f"<th>{ink.label(f)}</th>" for f in row) + "</tr>"
    controls = "<tr>" + "".join(f"<td>{ink.control(f)}</td>" for f in row) + "</tr>"
    return f"<table cellpadding=4 border=1>{title}{labels}{controls}</table>"


def _table_nested(f: Field, ink: Ink) -> str:
    return (
        f"<table width=420><tr><td width=150><table><tr><td><b>{ink.label(f)}</b></td></tr></table>"
        f"</td><td><table><tr><td>{ink.control(f)}</td></tr></table></td></tr></table>"
    )


def _definition(fields: Sequence[Field], ink: Ink) -> str:
    items = "".join(f"<dt>{ink.label(f)}</dt><dd>{ink.control(f)}</dd>" for f in fields)
    return f"<dl>{items}</dl>"


def _absolute(fields: Sequence[Field], ink: Ink) -> str:
    """All labels first, in another order than the fields, each put in its place by hand."""
    places = list(range(len(fields)))
    ink.rng.shuffle(places)
    put = "position:absolute;left:{x}px;top:{y}px"
    labels = "".join(
        f"<div style='{put.format(x=10, y=64 * i)}'>{ink.label(fields[i])}</div>" for i in places
    )
    controls = "".join(
        f"<div style='{put.format(x=230, y=64 * i)}'>{ink.control(f)}</div>"
        for i, f in enumerate(fields)
    )
    return f"<div style='position:relative;height:{64 * len(fields)}px'>{labels}{controls}</div>"


def _grid(fields: Sequence[Field], ink: Ink, *, above: bool) -> str:
    """All controls first, then all labels; a grid puts them together."""
    controls, labels = [], []
    for i, f in enumerate(fields):
        column, row = (i % 3 + 1, i // 3 * 2 + 2) if above else (2, i + 1)
        at = f"grid-column:{column};grid-row:{row}"
        by = f"grid-column:{column if above else 1};grid-row:{row - 1 if above else row}"
        controls.append(f"<div style='{at}'>{ink.control(f)}</div>")
        labels.append(f"<div style='{by}'>{ink.label(f)}</div>")
    columns = "repeat(3,1fr)" if above else "200px 1fr"
    grid = f"display:grid;grid-template-columns:{columns};gap:6px 14px"
    return f"<div style='{grid}'>{''.join(controls + labels)}</div>"


def _pair(f: Field, ink: Ink, *, style: str, control_first: bool) -> str:
    parts = [f"<div>{ink.label(f)}</div>", f"<div>{ink.control(f)}</div>"]
    if control_first:
        parts.reverse()
    return f"<div style='{style}'>{''.join(parts)}</div>"


def _toolbar(f: Field, ink: Ink) -> str:
    return f"<span class='item'>{ink.label(f)} {ink.control(f)}</span> "


def _line(f: Field, ink: Ink) -> str:
    return f"{ink.label(f)} {ink.control(f)} "


def _float_columns(fields: Sequence[Field], ink: Ink) -> str:
    half = (len(fields) + 1) // 2
    columns = (
        "".join(f"<p>{ink.label(f)}<br>{ink.control(f)}</p>" for f in part)
        for part in (fields[:half], fields[half:])
    )
    left, right = columns
    return (
        f"<div style='float:right;width:48%'>{right}</div>"
        f"<div style='float:left;width:48%'>{left}</div>"
    )


def _stacked(f: Field, ink: Ink) -> str:
    label = ink.label(f, "form-label label", tag="div")
    return f'<div class="field">{label}{ink.control(f, "form-control input", "form-select")}</div>'


ROW_REVERSE = "display:flex;flex-direction:row-reverse;justify-content:flex-end;gap:8px;margin:5px"
COLUMN_REVERSE = "display:flex;flex-direction:column-reverse;margin:9px"
PLAIN = "body{font:14px sans-serif;max-width:900px}"
FLOATS = PLAIN + "dt{float:left;clear:left;width:180px}dd{margin:0 0 12px 190px}"
ITEMS = PLAIN + ".item{display:inline-block;margin:4px 18px 4px 0}"

RECIPES = (
    Recipe("bootstrap5-stacked", each(_stacked), framework="bootstrap5", container="container"),
    Recipe(
        "bootstrap5-horizontal",
        each(_bootstrap_horizontal),
        framework="bootstrap5",
        container="container",
    ),
    Recipe(
        "bootstrap5-order",
        each(_bootstrap_reversed),
        framework="bootstrap5",
        container="container",
        disagrees=True,
    ),
    Recipe("bootstrap5-columns", _bootstrap_columns, framework="bootstrap5", container="container"),
    Recipe(
        "bootstrap5-floating",
        each(_floating),
        framework="bootstrap5",
        container="container",
        disagrees=True,
        bare=True,
        boxes=False,
    ),
    Recipe("bootstrap3-stacked", each(_stacked), framework="bootstrap3", container="container"),
    Recipe(
        "materialize",
        each(_materialize),
        framework="materialize",
        container="container",
        disagrees=True,
        bare=True,
        boxes=False,
    ),
    Recipe("bulma-stacked", each(_stacked), framework="bulma", container="container"),
    Recipe("bulma-horizontal", each(_bulma_horizontal), framework="bulma", container="container"),
    Recipe("uikit-stacked", each(_uikit), framework="uikit", form_class="uk-form-stacked"),
    Recipe("uikit-horizontal", each(_uikit), framework="uikit", form_class="uk-form-horizontal"),
    Recipe("foundation", _foundation, framework="foundation"),
    Recipe("foundation-order", _foundation_reversed, framework="foundation", disagrees=True),
    Recipe("pico", each(_stacked), framework="pico", container="container"),
    Recipe(
        "pure-aligned", each(_stacked), framework="pure", form_class="pure-form pure-form-stacked"
    ),
    Recipe("table-1998", _table),
    Recipe("table-two-columns", _table_two_columns),
    Recipe("table-nested", each(_table_nested)),
    Recipe("table-label-row", lambda f, i: _label_row(f, i, head="td"), disagrees=True),
    Recipe("table-head-row", lambda f, i: _label_row(f[:3], i, head="th"), disagrees=True),
    Recipe("table-span", _spanned_head, disagrees=True),
    Recipe(
        "table-caption-below",
        lambda f, i: _label_row(f, i, head="td", below=True),
        disagrees=True,
        bare=True,
        boxes=False,
    ),
    Recipe("definition-floats", _definition, css=FLOATS),
    Recipe("absolute", _absolute, css=PLAIN, disagrees=True, bare=True),
    Recipe("grid-left", lambda f, i: _grid(f, i, above=False), css=PLAIN, disagrees=True),
    Recipe(
        "grid-above", lambda f, i: _grid(f, i, above=True), css=PLAIN, disagrees=True, bare=True
    ),
    Recipe(
        "flex-row-reverse",
        each(lambda f, i: _pair(f, i, style=ROW_REVERSE, control_first=True)),
        css=PLAIN,
        disagrees=True,
    ),
    Recipe(
        "flex-column-reverse",
        each(lambda f, i: _pair(f, i, style=COLUMN_REVERSE, control_first=True)),
        css=PLAIN,
        disagrees=True,
    ),
    Recipe("toolbar", each(_toolbar), css=ITEMS, bare=True),
    Recipe("one-line", each(_line), css=PLAIN, bare=True),
    Recipe("float-columns", _float_columns, css=PLAIN, disagrees=True),
    Recipe(
        "css-columns",
        each(lambda f, i: f"<p>{i.label(f)}<br>{i.control(f)}</p>"),
        css=PLAIN + "form{column-count:2}",
    ),
    Recipe("rtl-table", _table, rtl=True),
    Recipe(
        "rtl-bootstrap",
        each(_bootstrap_horizontal),
        framework="bootstrap5",
        container="container",
        rtl=True,
    ),
    Recipe("rtl-grid", lambda f, i: _grid(f, i, above=False), css=PLAIN, rtl=True, disagrees=True),
    Recipe("rtl-line", each(lambda f, i: f"<p>{_line(f, i)}</p>"), css=PLAIN, rtl=True),
)
