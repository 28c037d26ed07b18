"""Snapshot: what the page function saw becomes a frozen Page. No browser here; pure."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from hiwe.page.answer import page_from_html as page_from_html
from hiwe.page.page import (
    Association,
    Box,
    Control,
    DomForm,
    Group,
    Link,
    Option,
    Page,
    TextRun,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.page.exchange import Exchange

SCRIPTS = (
    "snapshot_sight.js",
    "snapshot_controls.js",
    "snapshot_copy.js",
    "snapshot_text.js",
    "snapshot_form.js",
    "snapshot.js",
)
NO_BOX = Box(0.0, 0.0, 0.0, 0.0)


def _load_script() -> str:
    """Join the page's scripts to one function of one argument."""
    folder = resources.files("hiwe.page")
    parts = [folder.joinpath(name).read_text("utf-8") for name in SCRIPTS]
    return "(options) => {\n'use strict';\n" + "\n".join(parts) + "\nreturn snapshot(options);\n}"


SNAPSHOT_JS = _load_script()


def parse_snapshot(
    text: str,
    *,
    status: int,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    exchanges: Sequence[Exchange] = (),
    dialogs: Sequence[str] = (),
    fetched_at: str = "",
) -> Page:
    """Read the JSON string that the page function returns.

    `headers` are those of the document's response, as a mapping or as pairs in order.
    """
    raw = json.loads(text)
    labels = raw["labels"]
    pairs = headers.items() if hasattr(headers, "items") else headers
    return Page(
        url=raw["url"],
        status=status,
        html=raw["html"],
        title=raw["title"],
        language=raw["lang"],
        content_type=raw["type"],
        charset=raw["charset"],
        base_url=raw["base"],
        headers=tuple((str(k), str(v)) for k, v in pairs),
        viewport=(raw["viewport"][0], raw["viewport"][1]),
        forms=tuple(_form(i, f) for i, f in enumerate(raw["forms"])),
        controls=tuple(_control(c, labels) for c in raw["controls"]),
        texts=tuple(_text(t) for t in raw["texts"]),
        links=tuple(Link(u, t, tuple(r.lower().split()), bool(v)) for u, t, r, v in raw["links"]),
        groups=tuple(_group(g) for g in raw["groups"]),
        parents=tuple(raw["parents"]),
        frames=tuple(raw["frames"]),
        direction=raw["dir"],
        clickables=raw["clickables"],
        layout={"size": tuple(raw["size"])},
        dialogs=tuple(dialogs),
        exchanges=tuple(exchanges),
        fetched_at=fetched_at,
    )


def _form(index: int, f: dict[str, Any]) -> DomForm:
    return DomForm(
        index=index,
        dom_index=f["x"],
        name=f["n"],
        id=f["d"],
        method=f["m"].upper(),
        action=f["a"],
        enctype=f["e"].lower() or "application/x-www-form-urlencoded",
        charset=f["cs"],
        target=f["t"],
        role=f["r"],
        class_name=f["cl"],
        box=Box(*f["b"]),
        visible=bool(f["see"]),
        frame=f["fr"],
        aria_label=f["al"],
    )


def _control(c: dict[str, Any], labels: list[list[Any]]) -> Control:
    get = c.get
    index = c["i"]
    return Control(
        index=index,
        tag=c["g"],
        kind=c["k"],
        name=c["n"],
        id=c["d"],
        value=get("v", ""),
        form=c["f"],
        box=Box(*c["b"]),
        visible="see" in c,
        checked="ch" in c,
        disabled="di" in c,
        readonly="re" in c,
        required="rq" in c,
        multiple="mu" in c,
        text=get("t", ""),
        placeholder=get("ph", ""),
        title=get("ti", ""),
        aria_label=get("al", ""),
        autocomplete=get("ac", ""),
        pattern=get("pt", ""),
        maxlength=get("ml"),
        minimum=get("mi", ""),
        maximum=get("ma", ""),
        step=get("st", ""),
        options=tuple(_option(o, index) for o in get("o", ())),
        formaction=get("fa", ""),
        formmethod=get("fm", "").upper(),
        formenctype=get("fe", "").lower(),
        dirname=get("dn"),
        direction=get("dd", "ltr"),
        data=_pairs(get("x")),
        order=c["or"],
        covered="cov" in c,
        widget="w" in c,
        tabbable="tb" not in c,
        role=get("ro", ""),
        class_name=get("cl", ""),
        on_change=get("oc", ""),
        associations=_associations(c, labels),
        wrapped_by=get("wl"),
        group=get("gr"),
        cell=_cell(get("ce")),
        node=c["no"],
        frame=get("fr", 0),
        inside=get("in", ""),
        rtl="rtl" in c,
        drawn="dr" in c,
        unfolds="ex" in c and get("hp", "false") == "false",
        stand_in="si" in c,
    )


def _associations(c: dict[str, Any], labels: list[list[Any]]) -> tuple[Association, ...]:
    """The texts that markup ties to a control, strongest source first."""
    found = []
    if "by" in c and c["by"][0]:
        found.append(Association("labelledby", c["by"][0], Box(*c["by"][1]), visible=True))
    for number in c.get("lb", ()):
        text, box, visible, names = labels[number]
        wraps = number == c.get("wl")
        source = "wrap" if wraps else "for"
        shared = "dup" in c and bool(names) and not wraps
        if text:
            found.append(Association(source, text, Box(*box), bool(visible), number, shared))
    if c.get("al"):
        found.append(Association("aria-label", c["al"], NO_BOX, visible=False))
    return tuple(found)


def _option(o: dict[str, Any], control: int) -> Option:
    return Option(
        value=o["v"],
        label=o["l"],
        group=o.get("g", ""),
        selected="s" in o,
        disabled="d" in o,
        id=o.get("i", ""),
        data=_pairs(o.get("x")),
        control=control,
    )


def _text(t: list[Any]) -> TextRun:
    text, box, size, bold, visible, tag, order, node, cell, more = t
    return TextRun(
        text=text,
        box=Box(*box),
        font_size=size,
        bold=bool(bold),
        visible=bool(visible),
        tag=tag,
        order=order,
        source="alt" if "m" in more else "text",
        cell=_cell(cell),
        node=node,
        label=more.get("l"),
        inside=more.get("i", ""),
        linked="a" in more,
        hint="h" in more,
        frame=more.get("f", 0),
        follows=more.get("ac"),
        leads_to=more.get("bc"),
        parts=tuple((p, n, bool(a)) for p, n, a in more.get("p", ())),
    )


def _group(g: list[Any]) -> Group:
    parent, text, box, source = g
    return Group(text, source, Box(*box) if box else None, parent if parent >= 0 else None)


def _cell(cell: list[int] | None) -> tuple[int, int, int, int, int] | None:
    return (cell[0], cell[1], cell[2], cell[3], cell[4]) if cell else None


def _pairs(data: list[list[str]] | None) -> tuple[tuple[str, str], ...]:
    return tuple((k, v) for k, v in data) if data else ()
