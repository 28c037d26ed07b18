"""Form F = ({E1..En}, S, M): elements, submission information, meta-information (paper, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiwe.page.page import Box, Option

Decision = Literal["chosen", "skipped"]
FINITE_KINDS = frozenset({"select", "radio", "checkbox", "listbox", "combobox"})


@dataclass(frozen=True, slots=True)
class Element:
    """One control or group that a person sets: label(E), dom(E), kind, constraints, default.

    `controls` are the indices of the page's controls it stands for: one for most, all the
    boxes of a radio or checkbox group. `label` is clean display text, '' when none was found;
    `label_source` is for, wrap, aria, legend, header, layout, option, placeholder, title, name,
    person or none. `options` is the finite domain without captions that are no values
    ('-- any --'); `neutral` is the value that leaves the element open (the caption's value,
    '' for a text box), None when every choice restricts. `default` is what a browser would
    send untouched. `range_role` is 'from' or 'to' for the halves of a range, and
    `range_with` the position of the other half in `Form.elements`.
    """

    controls: tuple[int, ...]
    name: str
    id: str
    kind: str
    label: str
    label_source: str
    runner_up: str
    options: tuple[Option, ...]
    box: Box
    visible: bool
    default: str = ""
    neutral: str | None = ""
    required: bool = False
    readonly: bool = False
    disabled: bool = False
    multiple: bool = False
    fillable: bool = True  # False: honeypot, contact box, sorting or page size: keep default
    role: str = "value"  # value | operator (contains...) | paging (sort, size) | contact | trap
    placeholder: str = ""
    hint: str = ""  # how the page wants a date written: a remark beside the box
    pattern: str = ""
    maxlength: int | None = None
    minimum: str = ""
    maximum: str = ""
    step: str = ""
    suggestions: tuple[str, ...] = ()  # of a datalist: tried first, but any text may be set
    range_role: str = ""
    range_with: int | None = None
    part: str = ""  # of one value in several elements: day, month, year, hour, minute, piece
    part_with: tuple[int, ...] = ()  # positions of all parts of that value, in order
    depends_on: int | None = None  # position of the parent whose choice fills this one
    label_cost: float = 0.0
    data: tuple[tuple[str, str], ...] = ()
    captions: tuple[Option, ...] = ()  # choices that are no values, left out of `options`
    label_text: str = ""  # the label as shown, with remarks
    starred: bool = False  # the label bears the star of what must be filled
    widget: bool = False  # hidden itself, set through a stand-in that a script drew
    label_box: Box | None = None  # where the label's text stands, None for one not on the page
    is_reset: bool = False  # `default` is not the page's: it is set where the element is left alone

    @property
    def is_finite(self) -> bool:
        """dom(E) is a finite set of choices (paper, section 3.1)."""
        return bool(self.options)

    def __repr__(self) -> str:
        return f"<Element {self.name or self.id!r} {self.kind} {self.label!r}>"


@dataclass(frozen=True, slots=True)
class Submitter:
    """A control that sends the form; `control` is its index in the page, -1 for none (Enter).

    `chosen`: a person said that it is the one to press.
    """

    control: int
    kind: str
    text: str
    name: str
    value: str
    action: str
    method: str
    id: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the crawler understands it, with the decision about it and its reason.

    `index` numbers the forms of a page (duplicates merged); `dom_form` is the index in
    `document.forms`, None for a formless group. `submitters` stand best first.
    `hidden` are (name, value) of hidden fields, in order. `reason` says why the form was
    chosen or skipped: login, contact, too_small, no_submit, ... (contract.md).
    """

    index: int
    dom_form: int | None
    page_url: str
    page_title: str
    language: str
    method: str
    action: str
    enctype: str
    elements: tuple[Element, ...]
    submitters: tuple[Submitter, ...]
    hidden: tuple[tuple[str, str], ...]
    searchable: bool
    reason: str
    score: float
    fingerprint: str
    text: str = ""  # heading or legend that names the form
    evidence: tuple[tuple[str, float], ...] = ()  # why searchable: feature, weight
    frame: int = 0
    charset: str = ""
    target: str = ""
    box: Box | None = None
    visible: bool = True
    copies: tuple[int, ...] = ()  # `DomForm.index` of the duplicates merged into this one

    def __repr__(self) -> str:
        return f"<Form {self.method} {self.action} {len(self.elements)} elements>"
