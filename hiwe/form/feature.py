"""Features of a form that tell a search form from others: structure first, words second.

Each feature is present or absent; the weights are data (`searchable.yaml`), made by
`scripts/train_searchable.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.form.words import name_speaks_of, name_tokens, names, speaks_of, without

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.form.form import Element, Submitter
    from hiwe.page.page import DomForm

TEXT_KINDS = frozenset(
    {"text", "search", "number", "date", "month", "week", "time", "datetime-local", "url", "range",
     "color", "contenteditable"}
)  # fmt: skip
LIST_KINDS = frozenset({"select", "combobox", "listbox"})
WORD_CLASSES = ("search", "login", "register", "subscribe", "contact", "recover", "cart", "poll",
                "logout", "side", "paging", "navigate", "captcha", "convert")  # fmt: skip
TOP_PX = 260.0
# meaning -> words that are beside it another one: 'register of ships', 'giriş tarihi'
SOUNDS_LIKE = {"register": "registry", "login": "arrival"}


@dataclass(frozen=True, slots=True)
class Sketch:
    """What the decision looks at: the form's parts, before the decision."""

    elements: tuple[Element, ...]
    submitters: tuple[Submitter, ...]
    hidden: tuple[tuple[str, str], ...]
    method: str
    action: str
    dom: DomForm | None
    heading: str = ""

    @property
    def fields(self) -> tuple[Element, ...]:
        """The elements that a person sees; all of them where the form is not displayed."""
        return tuple(e for e in self.elements if e.visible) or self.elements


def features(sketch: Sketch) -> frozenset[str]:
    """Names of the features that a form has."""
    found = {*_structure(sketch), *_words(sketch), *_address(sketch), *_place(sketch)}
    if "button:search" in found and not found & PERSONAL:
        found -= SUBJECT  # 'Subject', 'Order', 'In print' of what is searched for
    return frozenset([*found, *purpose(found, sketch)])


def _structure(sketch: Sketch) -> Iterator[str]:
    fields = sketch.fields
    kinds = [e.kind for e in fields]
    texts = sum(k in TEXT_KINDS for k in kinds)
    lists = sum(k in LIST_KINDS for k in kinds)
    boxes = sum(k in ("radio", "checkbox") for k in kinds)
    yield f"texts:{min(texts, 3)}"
    yield f"lists:{min(lists, 3)}"
    yield f"boxes:{min(boxes, 2)}"
    yield f"fields:{min(len(fields), 4)}"
    yield f"method:{sketch.method.lower()}"
    if len(fields) == 1 and texts == 1:
        yield "one_text_box"
        yield f"one_text_box_{sketch.method.lower()}"
    for kind in ("search", "password", "email", "tel", "file", "textarea", "url"):
        if kind in kinds:
            yield f"kind:{kind}"
    if any(e.required for e in fields):
        yield "required"
    if sum(e.required for e in fields) > 1:
        yield "required_many"
    if sketch.submitters[0].kind == "image":
        yield "submit:image"
    if sketch.submitters[0].control < 0:
        yield "submit:none"
    if len(sketch.hidden) > 3:
        yield "hidden_many"


def _words(sketch: Sketch) -> Iterator[str]:
    button = _pressed(sketch)
    given = [n for e in sketch.fields for n in (e.name, e.id) if n]
    said = [t for e in sketch.fields for t in (e.label, e.placeholder) if t]
    yield from _speaking("button", [button], by_name=False)
    yield from _speaking("label", said, by_name=False)
    yield from _speaking("name", given, by_name=True)
    yield from _speaking("heading", [sketch.heading], by_name=False)
    yield from _speaking("submit_name", [s.name for s in sketch.submitters[:1]], by_name=True)
    if not button.strip():
        yield "button:silent"
    texts = [e for e in sketch.fields if e.kind in TEXT_KINDS]
    if any(set(name_tokens(e.name or e.id)) & names("query") for e in texts):
        yield "query_name"
    if any(_is_email(e) for e in sketch.fields):
        yield "email"
    if any(speaks_of("phone", e.label) or name_speaks_of("phone", e.name) for e in sketch.fields):
        yield "phone"
    if any(speaks_of("password", e.label) or name_speaks_of("password", e.name) for e in texts):
        yield "password_words"


def _pressed(sketch: Sketch) -> str:
    """What the buttons say. One that searches is pressed, whatever the page's others are for."""
    first = sketch.submitters[0].text
    if speaks_of("search", first):
        return first
    return " ".join(s.text for s in sketch.submitters[:2])


def _is_email(element: Element) -> bool:
    return element.kind == "email" or (
        element.kind == "text"
        and (speaks_of("email", element.label) or speaks_of("email", element.placeholder)
             or name_speaks_of("email", element.name))
    )  # fmt: skip


def _speaking(where: str, texts: Iterable[str], *, by_name: bool) -> Iterator[str]:
    test = name_speaks_of if by_name else speaks_of
    given = [t for t in texts if t]
    for meaning in WORD_CLASSES:
        if meaning == "side" and where == "name":
            continue  # 'edit-author' is a field of a form, however it was made
        if any(test(meaning, text[:300]) for text in _but_for(meaning, given)):
            yield f"{where}:{meaning}"


def _but_for(meaning: str, texts: Sequence[str]) -> Iterable[str]:
    """The texts without what only sounds so: a company register, a date of arrival."""
    other = SOUNDS_LIKE.get(meaning)
    return (without(other, text) for text in texts) if other else texts


def _address(sketch: Sketch) -> Iterator[str]:
    parts = urlsplit(sketch.action) if "://" in sketch.action else None
    path = f"{parts.path} {parts.query}" if parts else sketch.action
    yield from _speaking("action", [path[:200]], by_name=True)
    dom = sketch.dom
    if dom is None:
        yield "formless"
        return
    if dom.role == "search":
        yield "role:search"
    own = [x for x in (dom.id, dom.name, dom.class_name, dom.aria_label) if x]
    yield from _speaking("form", own, by_name=True)
    if any(re.search(r"search|suche?|srch|busca|szuka|recherche", x, re.I) for x in own):
        yield "form:search_inside"
    if re.search(r"[?&](?:s|q|search)=|/search|search[./?]", sketch.action, re.I):
        yield "action:search_inside"
    hidden = [n for n, _ in sketch.hidden]
    yield from (f"hidden:{m}" for m in ("search", "subscribe", "contact", "cart", "login")
                if any(name_speaks_of(m, n) for n in hidden))  # fmt: skip


def _place(sketch: Sketch) -> Iterator[str]:
    dom = sketch.dom
    shown: Sequence[Element] = [e for e in sketch.elements if e.visible]
    if not shown:
        yield "not_seen"
    elif min(e.box.y for e in shown) < TOP_PX:
        yield "at_top"
    if dom is not None and dom.target and dom.target not in ("_self", "_top"):
        yield "target"


PERSONAL = frozenset(
    {"email", "phone", "kind:password", "kind:textarea", "password_words", "kind:tel", "kind:email",
     "kind:file"}
)  # fmt: skip
REACHED = frozenset({"email", "phone", "kind:tel", "kind:email"})
SUBJECT = frozenset({"label:contact", "name:contact", "label:cart", "name:cart", "label:side"})
NOT_SEARCH = ("login", "register", "subscribe", "contact", "recover", "cart", "poll", "logout",
              "side", "navigate", "captcha", "convert")  # fmt: skip


def purpose(found: Iterable[str], sketch: Sketch) -> Iterator[str]:
    """Features of the whole: nothing speaks of another purpose; all is about how hits are shown."""
    given = set(found)
    other = any(f.rpartition(":")[2] in NOT_SEARCH for f in given if ":" in f)
    personal = given & PERSONAL
    roles = {e.role for e in sketch.fields}
    if roles and roles <= {"paging", "operator"}:
        yield "only_paging"
    elif not other and not personal:
        yield "plain"
        if "button:search" in given:
            yield "plain_search"
        lists = sum(e.kind in LIST_KINDS or len(e.options) > 1 for e in sketch.fields)
        if lists and roles == {"value"}:
            yield "plain_lists"
    elif not personal:
        yield "not_personal"
    elif personal <= REACHED:
        declared = {f for f in given if f.startswith(("button:", "form:", "action:", "heading:"))}
        wants = any(f.rpartition(":")[2] in NOT_SEARCH for f in declared)
        values = any(e.role == "value" for e in sketch.fields)
        if values and not wants and "button:search" in given:
            yield "search_with_alert"  # hits by e-mail, beside fields to search by
