"""Page: a frozen, picklable snapshot of what the browser (or an HTTP answer) showed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from hiwe.page.exchange import Exchange


EMPTY_DOCUMENT = b"<html><body></body></html>"


@dataclass(frozen=True, slots=True)
class Box:
    """Border box in CSS pixels, page coordinates (scrolled to the top), y downwards."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select, datalist, radio or checkbox group, listbox.

    `control` is the index of the control that carries the choice: the radio or checkbox
    itself, or the select that holds the option.
    """

    value: str
    label: str
    group: str = ""
    selected: bool = False
    disabled: bool = False
    id: str = ""
    data: tuple[tuple[str, str], ...] = ()
    control: int = -1


@dataclass(frozen=True, slots=True)
class Association:
    """Markup that ties a text to a control.

    `source` is for, wrap, labelledby or aria-label. `label` numbers the `<label>` among the
    page's labels (None for the others). `shared` says that the tie is ambiguous: the id it
    names is used more than once.
    """

    source: str
    text: str
    box: Box
    visible: bool
    label: int | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A fieldset or ARIA group: its caption and the group around it (None at the top)."""

    text: str
    source: str  # legend | aria
    box: Box | None = None
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """A control of the page as the browser sees it.

    `index` numbers the controls of one snapshot in document order, through open shadow roots
    and same-process frames; the live page keeps the elements under the same numbers until the
    next snapshot. `kind` is the input type ('text' when absent or unknown), or 'select',
    'textarea', 'button', 'combobox', 'listbox', 'contenteditable'. `form` is the index of the
    owner in `Page.forms` (the browser's own form owner), None for a control without one.
    """

    index: int
    tag: str
    kind: str
    name: str
    id: str
    value: str
    form: int | None
    box: Box
    visible: bool
    checked: bool = False
    disabled: bool = False
    readonly: bool = False
    required: bool = False
    multiple: bool = False
    text: str = ""  # of a button: what it shows (value, inner text, alt)
    placeholder: str = ""
    title: str = ""
    aria_label: str = ""
    autocomplete: str = ""
    pattern: str = ""
    maxlength: int | None = None
    minimum: str = ""
    maximum: str = ""
    step: str = ""
    options: tuple[Option, ...] = ()
    formaction: str = ""  # resolved; '' when the control has none
    formmethod: str = ""
    formenctype: str = ""
    dirname: str | None = None  # field that is sent with the direction of its text
    direction: str = "ltr"  # of its text: ltr, rtl, or auto (its first strong letter tells)
    data: tuple[tuple[str, str], ...] = ()
    order: int = 0  # place in document order, counted together with the text runs
    covered: bool = False  # something else lies over its middle (an overlay); still visible
    widget: bool = False  # hidden itself; `box` is that of the stand-in that a person uses
    tabbable: bool = True
    role: str = ""
    class_name: str = ""
    on_change: str = ""  # its onchange attribute
    associations: tuple[Association, ...] = ()
    wrapped_by: int | None = None  # the `<label>` that it stands in
    group: int | None = None  # innermost of `Page.groups`
    cell: tuple[int, int, int, int, int] | None = None  # as of TextRun
    node: int = -1  # place in `Page.parents`
    frame: int = 0
    inside: str = ""  # nearest of nav, header, footer, aside, ...
    rtl: bool = False  # it stands where writing runs from right to left
    drawn: bool = False  # no native control: an element that a script made one by its role
    unfolds: bool = False  # pressing it shows or hides a part of the page, which it heads
    stand_in: bool = False  # part of what a person uses in place of another control of the form


@dataclass(frozen=True, slots=True)
class DomForm:
    """A `<form>` element: where it sends, how, and what surrounds it.

    `dom_index` is its place in `document.forms` (None inside a shadow root or a frame).
    `action` is resolved against the base address; `method` is GET, POST or DIALOG.
    """

    index: int
    dom_index: int | None
    name: str
    id: str
    method: str
    action: str
    enctype: str
    charset: str
    target: str
    role: str
    class_name: str
    box: Box
    visible: bool
    frame: int = 0
    aria_label: str = ""


@dataclass(frozen=True, slots=True)
class TextRun:
    """Adjacent inline text with no block edge, line break or control between.

    `source` says what carries it: 'text', 'alt' (an image's alternative text). `tag` is the
    nearest element. `cell` is (table, row, column, rowspan, colspan) in grid coordinates of the
    innermost table, None outside one. `order` is the place in document order.
    """

    text: str
    box: Box
    font_size: float
    bold: bool
    visible: bool
    tag: str
    order: int
    source: str = "text"
    cell: tuple[int, int, int, int, int] | None = None
    node: int = -1  # place in `Page.parents`
    label: int | None = None  # the `<label>` that it stands in
    inside: str = ""  # nearest of legend, th, h1..h6, nav, footer, ...
    linked: bool = False  # all of it is link text
    hint: bool = False  # a description (aria-describedby)
    frame: int = 0
    parts: tuple[tuple[str, int, bool], ...] = ()  # of several: text, node, whether a link
    follows: int | None = None  # the control that it follows on one line of text
    leads_to: int | None = None  # the control that follows it on one line of text
    extra: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """An anchor or area: resolved address, what it shows, rel words, whether it is seen."""

    url: str
    text: str
    rel: tuple[str, ...] = ()
    visible: bool = True


@dataclass(frozen=True)
class Page:
    """What a page was at one moment. No live handle; picklable; pure stages read only this.

    `html` is the rendered document, shadow roots and same-process frames inlined and elements
    that are not seen marked with the attribute `hiwe-hidden`; for an HTTP answer it is the
    decoded body and the layout fields are empty. `exchanges` are the requests made since the
    page was opened or the form was sent. `dialogs` are the texts of alert boxes.
    """

    url: str
    status: int
    html: str
    title: str = ""
    language: str = ""
    content_type: str = "text/html"
    charset: str = ""
    base_url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    viewport: tuple[int, int] = (0, 0)
    forms: tuple[DomForm, ...] = ()
    controls: tuple[Control, ...] = ()
    texts: tuple[TextRun, ...] = ()
    links: tuple[Link, ...] = ()
    groups: tuple[Group, ...] = ()
    parents: tuple[int, ...] = ()  # parent of each element of the walk, -1 at the top
    frames: tuple[str, ...] = ()  # addresses of the documents; the page itself is first
    direction: str = "ltr"
    clickables: int = 0  # how many elements of the html carry `hiwe-click`
    layout: dict[str, Any] = field(default_factory=dict)  # further layout facts
    dialogs: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    fetched_at: str = ""

    @cached_property
    def tree(self) -> HtmlElement:
        """The parsed document, parsed once; an empty one for a page without an element.

        Bytes are parsed, because lxml refuses text that declares its own encoding (XHTML).
        """
        from lxml import etree
        from lxml import html as lxml_html

        parser = lxml_html.HTMLParser(encoding="utf-8")
        octets = self.html.encode("utf-8", "replace").strip()
        try:
            return lxml_html.document_fromstring(octets or EMPTY_DOCUMENT, parser=parser)
        except etree.ParserError:  # nothing but comments
            return lxml_html.document_fromstring(EMPTY_DOCUMENT, parser=parser)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "tree"}

    def __repr__(self) -> str:
        return f"<Page {self.status} {self.url} {len(self.controls)} controls>"
