"""Build one Form: elements from drafts and their names, submitters, hidden fields, decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiwe.form.caption import split_choices
from hiwe.form.clean import shown_label
from hiwe.form.depend import with_parents
from hiwe.form.element import NO_FIELD, box_option, draft_elements, union
from hiwe.form.feature import Sketch
from hiwe.form.fingerprint import form_fingerprint
from hiwe.form.form import Element, Form
from hiwe.form.heading import heading_of
from hiwe.form.hint import hint_of
from hiwe.form.label import Label
from hiwe.form.lite import label_slots
from hiwe.form.naming import WEAK
from hiwe.form.role import role_of
from hiwe.form.searchable import decide
from hiwe.form.settable import takes_values
from hiwe.form.spread import name_elements
from hiwe.form.submitter import rank_submitters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.form.element import Draft
    from hiwe.form.naming import Naming
    from hiwe.form.sight import Sight
    from hiwe.page.page import Control, DomForm, Option

SUGGESTING_KINDS = frozenset({"text", "search", "number", "email", "tel", "url", "date", "range"})


@dataclass(frozen=True, slots=True)
class Members:
    """The controls of one form, whether a form element owns them or they only act together."""

    controls: tuple[Control, ...]
    dom: DomForm | None


def build_elements(controls: Sequence[Control], sight: Sight) -> tuple[Element, ...]:
    """The labelled elements of the controls that make one form."""
    drafts = draft_elements(controls)
    slots = label_slots(drafts, sight)
    own: list[Label] = [Label()] * len(drafts)
    of_boxes: dict[int, Label] = {}
    for slot, label in slots:
        if slot.kind == "choice":
            of_boxes[slot.first.index] = label
        if slot.kind != "choice" or not drafts[slot.draft].is_group:
            own[slot.draft] = label
    namings = name_elements(drafts, own, sight)
    seen = any(d.visible for d in drafts)
    return tuple(
        _element(draft, naming, of_boxes, sight, form_is_seen=seen)
        for draft, naming in zip(drafts, namings, strict=True)
    )


def _element(
    draft: Draft, naming: Naming, of_boxes: dict[int, Label], sight: Sight, *, form_is_seen: bool
) -> Element:
    c = draft.first
    options = _options(draft, of_boxes)
    finite = draft.kind not in SUGGESTING_KINDS
    choices = split_choices(options, multiple=draft.kind == "checkbox" or c.multiple)
    lone = draft.is_boxes and len(options) == 1
    values = options if lone else (choices.values if finite else ())
    from_name = naming.source in WEAK
    choices_said = [option.label for option in options]
    role = role_of(
        draft, naming.label, choices_said, from_name=from_name, form_is_seen=form_is_seen
    )
    return Element(
        controls=tuple(x.index for x in draft.controls),
        name=c.name,
        id=c.id,
        kind=draft.kind,
        label=naming.label,
        label_source=naming.source,
        runner_up=naming.runner_up,
        options=values,
        box=draft.box if draft.visible else c.box,
        visible=draft.visible,
        default=_default(draft, options),
        neutral=_neutral(draft, choices.neutral, lone=lone, finite=finite),
        required=any(x.required for x in draft.controls),
        readonly=c.readonly,
        disabled=all(x.disabled for x in draft.controls),
        multiple=c.multiple or draft.kind == "checkbox",
        fillable=role in ("value", "operator") and draft.visible and takes_values(draft),
        role=role,
        placeholder=c.placeholder,
        hint="" if c.placeholder else hint_of(c, sight),
        pattern=c.pattern,
        maxlength=c.maxlength,
        minimum=c.minimum,
        maximum=c.maximum,
        step=c.step,
        suggestions=() if finite else tuple(o.value or o.label for o in options),
        range_role=naming.role,
        range_with=naming.partner,
        part=naming.part,
        part_with=naming.parts,
        label_cost=naming.cost,
        data=c.data,
        captions=() if lone or not finite else choices.captions,
        label_text=naming.text,
        starred=naming.starred,
        widget=any(x.widget for x in draft.controls),
        label_box=naming.box,
    )


def _options(draft: Draft, of_boxes: dict[int, Label]) -> tuple[Option, ...]:
    if draft.is_boxes:
        return tuple(_box(c, shown_label(of_boxes[c.index].text)) for c in draft.controls)
    return draft.first.options


def _box(control: Control, label: str) -> Option:
    """One box; what a drawn one sends cannot be seen, so that its label stands for it."""
    option = box_option(control, label)
    return replace(option, value=label) if control.drawn and not option.value else option


def _default(draft: Draft, options: Sequence[Option]) -> str:
    """What a browser would send untouched: the chosen value, '' for none."""
    if draft.is_boxes:
        return next((o.value for o in options if o.selected), "")
    return draft.first.value


def _neutral(draft: Draft, of_captions: str | None, *, lone: bool, finite: bool) -> str | None:
    if lone or not finite or draft.kind == "checkbox":
        return ""
    if draft.kind in ("textarea", "contenteditable", "password", "file"):
        return ""
    return of_captions


def sketch_form(members: Members, sight: Sight) -> Sketch:
    """The parts of a form, labelled, before the decision about it."""
    dom, controls = members.dom, members.controls
    elements = build_elements(controls, sight)
    method = dom.method if dom else "GET"
    action = dom.action if dom else sight.page.url
    hidden = tuple((c.name, c.value) for c in controls if c.kind == "hidden" and c.name)
    submitters = rank_submitters(controls, action, method)
    heading = heading_of(members.controls, dom, sight)
    return Sketch(elements, submitters, hidden, method, action, dom, heading)


def build_form(index: int, members: Members, sight: Sight) -> Form:
    """Understand the controls of one form; `index` is its place among the page's forms."""
    page, dom, controls = sight.page, members.dom, members.controls
    sketch = sketch_form(members, sight)
    decision = decide(sketch)
    seen = [c.box for c in controls if c.visible and c.kind not in NO_FIELD]
    return Form(
        index=index,
        dom_form=dom.dom_index if dom else None,
        page_url=page.url,
        page_title=page.title,
        language=page.language,
        method=sketch.method,
        action=sketch.action,
        enctype=dom.enctype if dom else "",
        elements=with_parents(sketch.elements),
        submitters=sketch.submitters,
        hidden=sketch.hidden,
        searchable=decision.searchable,
        reason=decision.reason,
        score=decision.score,
        fingerprint=_fingerprint(sketch),
        text=sketch.heading,
        evidence=decision.evidence,
        frame=controls[0].frame if controls else (dom.frame if dom else 0),
        charset=dom.charset if dom else "",
        target=dom.target if dom else "",
        box=union(seen),
        visible=bool(seen),
    )


def _fingerprint(sketch: Sketch) -> str:
    names = (name for name, _ in sketch.hidden)
    return form_fingerprint(sketch.method, sketch.action, sketch.elements, names)
