"""Recipe: what sends a form by plain HTTP, taken from the page that the browser had before it.

The request is made of the form's own fields in their order, by the standard's rules. Whether a
form is sent so at all is seen by comparing: `same_request` with what the browser really sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote_plus, urldefrag, urlsplit

from hiwe.address import TOKEN_NAMES, has_token_shape
from hiwe.page.request import Headers, Request, usual_headers
from hiwe.submission.encode import MULTIPART, PLAIN, charset_for, encode
from hiwe.submission.entries import BUTTONS, Field, entry_list, field_of
from hiwe.submission.refusal import unsettable, why_refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiwe.form.form import Element, Form
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Page
    from hiwe.submission.item import Item

ODD_QUERY = "its button makes a query of a plain text body"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Where and how a form is sent, with its fields as they stand untouched.

    `elements` are the places in `fields` of each element's controls, by the element's position.
    `codec` is the form's encoding. `headers` are those of the browser's request that any request
    of its kind has. `tokens` are names of hidden fields whose value is good for one page only:
    they are taken from the page at `page_url`, asked for anew each time. `wakes` tells, by the
    elements that were bound, which disabled fields the page's script then enabled.
    """

    method: str
    action: str
    enctype: str
    codec: str
    fields: tuple[Field, ...]
    elements: tuple[tuple[int, ...], ...]
    submitter: int | None
    page_url: str
    headers: Headers = ()
    tokens: tuple[str, ...] = ()
    wakes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    own_method: str = "POST"  # of the form, whatever its button says

    def __repr__(self) -> str:
        return f"<Recipe {self.method} {self.action} {len(self.fields)} fields>"

    @property
    def hidden(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the hidden fields, in order."""
        return tuple((f.name, f.value) for f in self.fields if f.kind == "hidden" and f.name)

    def joined(self, other: Recipe) -> Recipe:
        """The recipe with what is known to another of the same form, and the tokens that differ."""
        changed = {name for name, value in self.hidden if (name, value) not in other.hidden}
        wakes = tuple((dict(other.wakes) | dict(self.wakes)).items())
        tokens = tuple(sorted({*self.tokens, *other.tokens, *changed}))
        return replace(self, tokens=tokens, wakes=wakes)

    @property
    def sleeping(self) -> tuple[int, ...]:
        """Places of the fields of elements that are disabled until a script enables them."""
        own = sorted(place for places in self.elements for place in places)
        return tuple(p for p in own if self.fields[p].disabled and self.fields[p].name)

    def awake(self, places: Iterable[int]) -> Recipe:
        """The recipe with some fields enabled."""
        fields = list(self.fields)
        for place in places:
            fields[place] = replace(fields[place], disabled=False)
        return replace(self, fields=tuple(fields))


def recipe_of(page: Page, form: Form) -> Recipe | str:
    """The recipe of a form found in `page` as the browser shows it; else why there is none."""
    dom = next((f for f in page.forms if f.frame == 0 and f.dom_index == form.dom_form), None)
    if dom is None or form.dom_form is None:
        return "it has no form element of its own page"
    if dom.method not in ("GET", "POST"):
        return f"method {dom.method.lower()}"
    pressed = form.submitters[0] if form.submitters else None
    if pressed and pressed.kind in BUTTONS:  # others have no say in how the form is sent
        method, action = pressed.method, pressed.action
        own = next((c.formenctype for c in page.controls if c.index == pressed.control), "")
    else:
        method, action, own = dom.method, dom.action, ""
    if method != dom.method == "POST" and PLAIN in (own, dom.enctype):
        return ODD_QUERY
    if not action.startswith(("http://", "https://")):
        return "its action is a script"
    controls = [c for c in page.controls if c.form == dom.index]
    scripted = next((c for c in controls if unsettable(c)), None)
    if scripted is not None:
        return f"a control that scripts send for: {scripted.name or scripted.tag}"
    places = {c.index: place for place, c in enumerate(controls)}
    if any(c not in places for element in form.elements for c in element.controls):
        return "some of its controls belong to no form element"
    fields = tuple(map(field_of, controls))
    return Recipe(
        method=method,
        action=action,
        enctype=own or dom.enctype,
        codec=charset_for(dom.charset, page.charset),
        fields=fields,
        elements=tuple(tuple(places[c] for c in e.controls) for e in form.elements),
        submitter=places.get(pressed.control) if pressed else None,
        page_url=page.url,
        tokens=tuple(sorted({f.name for f in fields if _is_token(f)})),
        own_method=dom.method,
    )


def _is_token(field: Field) -> bool:
    """Whether a hidden field holds what a server made for one visit."""
    if field.kind != "hidden" or not field.value:
        return False
    return field.name.lower() in TOKEN_NAMES or has_token_shape(field.value)


def template_of(items: Iterable[Item]) -> tuple[int, ...]:
    """Positions of the elements that are set."""
    return tuple(sorted(item.element for item in items))


def wake(recipe: Recipe, template: tuple[int, ...]) -> Recipe | str:
    """The recipe as the page's script leaves it once the elements of a template are set."""
    if not recipe.sleeping:
        return recipe
    woken = dict(recipe.wakes).get(template)
    return "what its script then enables is not known" if woken is None else recipe.awake(woken)


def recorded(
    recipe: Recipe, filled: Recipe, template: tuple[int, ...], seen: Exchange
) -> Recipe | str:
    """The recipe after the browser sent `seen` for what `filled` holds; else what differed."""
    recipe, filled = pressed_at(recipe, seen), pressed_at(filled, seen)
    differs = difference(request_of(filled), seen)
    woken: tuple[int, ...] = ()
    if differs and filled.sleeping:
        woken = filled.sleeping
        differs = difference(request_of(filled.awake(woken)), seen) and differs
    if differs:
        return differs
    wakes = ((template, woken),) if recipe.sleeping else ()
    return replace(recipe, headers=usual_headers(seen), wakes=wakes)


def pressed_at(recipe: Recipe, seen: Exchange) -> Recipe:
    """The recipe with its image button pressed where the browser pressed it."""
    place = recipe.submitter
    if place is None or recipe.fields[place].kind != "image":
        return recipe
    name = recipe.fields[place].name
    told = (
        urlsplit(seen.url).query if recipe.method == "GET" else seen.request_body.decode("latin-1")
    )
    found = [_coordinate(told, f"{name}.{axis}" if name else axis) for axis in "xy"]
    if None in found:
        return recipe
    fields = list(recipe.fields)
    fields[place] = replace(fields[place], point=(found[0] or 0, found[1] or 0))
    return replace(recipe, fields=tuple(fields))


def _coordinate(told: str, name: str) -> int | None:
    """The last number that goes by `name`, in a query, a multipart or a plain body."""
    written = re.escape(quote_plus(name, safe="*-._")) + "|" + re.escape(name)
    found = re.findall(rf'(?:^|[&\n]|name=")(?:{written})(?:=|"\r\n\r\n)(\d+)', told)
    return int(found[-1]) if found else None


def fill_recipe(recipe: Recipe, form: Form, items: Iterable[Item]) -> Recipe | str:
    """The recipe with an assignment's items set; else why a person's browser has to set them.

    `form` is the form that the items were made for (`hiwe.submission.item`).
    """
    fields = list(recipe.fields)
    for item in items:
        element, places = form.elements[item.element], recipe.elements[item.element]
        why = why_refused(element, item)
        if why:
            return f"{element.name or element.label}: {why}"
        _set(fields, element, places, item)
    bound = {item.element for item in items}
    for position, element in enumerate(form.elements):
        if position not in bound and element.required and not element.default:
            return f"{element.name or element.label}: required"
    return replace(recipe, fields=tuple(fields))


def _set(fields: list[Field], element: Element, places: tuple[int, ...], item: Item) -> None:
    if item.kind in ("radio", "checkbox"):
        wanted = {element.controls.index(control) for _, _, control in item.values}
        for number, place in enumerate(places):
            fields[place] = replace(fields[place], checked=number in wanted)
    elif item.kind == "select":
        chosen = tuple(value for _, value, _ in item.values)
        order = [o.value for o in (*element.captions, *element.options)]
        chosen = tuple(sorted(chosen, key=order.index)) if len(chosen) > 1 else chosen
        fields[places[0]] = replace(fields[places[0]], chosen=chosen)
    else:
        fields[places[0]] = replace(fields[places[0]], value=item.values[0][0])


def request_of(recipe: Recipe, fresh: Mapping[str, tuple[str, ...]] | None = None) -> Request:
    """The request of a filled recipe. `fresh` are the values of tokens, by name, in order."""
    fields = list(recipe.fields)
    left = {name: list(values) for name, values in (fresh or {}).items()}
    for place, field in enumerate(fields):
        if field.kind == "hidden" and left.get(field.name):
            fields[place] = replace(field, value=left[field.name].pop(0))
    entries = entry_list(fields, recipe.submitter, recipe.codec)
    request = encode(
        entries,
        method=recipe.method,
        action=recipe.action,
        enctype=recipe.enctype,
        codec=recipe.codec,
        own_method=recipe.own_method,
    )
    own: list[tuple[str, str]] = []
    if recipe.method == "POST":
        parts = urlsplit(recipe.page_url)
        own.append(("Origin", f"{parts.scheme}://{parts.netloc}"))
    own.append(("Referer", urldefrag(recipe.page_url).url))
    return request.with_headers((*map(_within_site, recipe.headers), *own))


def _within_site(header: tuple[str, str]) -> tuple[str, str]:
    """A header field of a request that a page of the same site makes."""
    return (header[0], "same-origin") if header[0].lower() == "sec-fetch-site" else header


def with_headers(recipe: Recipe, seen: Exchange) -> Recipe:
    """The recipe with the header fields that the browser sent with such a request."""
    return replace(recipe, headers=usual_headers(seen))


def difference(request: Request, seen: Exchange) -> str:
    """What the browser sent otherwise than `request` says, '' if it is the same to the byte.

    The boundary of a multipart body is each sender's own.
    """
    if seen.kind != "document":
        return "a script of the page sends it"
    if (request.method, request.url) != (seen.method, urldefrag(seen.url).url):
        return f"the browser asked for {seen.method} {seen.url}"
    kind = dict(request.headers).get("Content-Type", "")
    theirs = next((v for k, v in seen.request_headers if k.lower() == "content-type"), "")
    body, other = request.body, seen.request_body
    if kind.startswith(MULTIPART) and theirs.startswith(MULTIPART):
        body, other = _without_boundary(body, kind), _without_boundary(other, theirs)
        kind, theirs = MULTIPART, MULTIPART
    if kind != theirs and request.method == "POST":
        return f"the browser sent {theirs or 'no content type'}"
    return "" if body == other else "the browser sent another body"


def _without_boundary(body: bytes, content_type: str) -> bytes:
    return body.replace(content_type.partition("boundary=")[2].encode(), b"")


def tokens_in(recipe: Recipe, page: Page) -> dict[str, tuple[str, ...]] | str:
    """Fresh values of the recipe's tokens in its page as plain HTTP brought it; else what lacks."""
    found: dict[str, tuple[str, ...]] = {}
    wanted = {name for name, _ in recipe.hidden}
    forms = [{e.get("name"): e for e in form.iter("input")} for form in page.tree.iter("form")]
    scope = max(
        page.tree.iter("form"),
        key=lambda form: len(wanted & {e.get("name") for e in form.iter("input")}),
        default=None,
    )
    if not forms or scope is None:
        return "its page shows no form by plain HTTP"
    for name in recipe.tokens:
        inputs = [e for e in scope.iter("input") if e.get("name") == name]
        inputs = inputs or [e for e in page.tree.iter("input") if e.get("name") == name]
        if not inputs:
            return f"its page shows no {name} by plain HTTP"
        found[name] = tuple(e.get("value") or "" for e in inputs)
    return found
