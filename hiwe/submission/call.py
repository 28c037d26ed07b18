"""Call: the request that a page's own script makes for an assignment, to be made without the page.

What was asked for and what was set are compared: a value of the assignment stands in one place of
the request, in its query or its body. For another assignment of the same elements that place takes
its value; everything else stays as it was seen. From the request for the next part of an answer
follows which number grows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, quote_plus, urldefrag, urlsplit, urlunsplit

from hiwe.page.request import Headers, Request, usual_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.submission.item import Item

Place = tuple[str, ...]  # 'query' or 'body' and the number of the pair; 'json' and a path
Leaf = str | int | float | bool | None
ENCODERS: tuple[Callable[[str], str], ...] = (
    quote_plus,  # URLSearchParams
    lambda text: quote(text, safe="!'()*"),  # encodeURIComponent
)


@dataclass(frozen=True, slots=True)
class Slot:
    """Where in the request the value of an element stands; `by_label`: as shown, not as sent."""

    element: int
    place: Place
    by_label: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The number in the request that grows by `step` from one part of an answer to the next."""

    place: Place
    first: int
    step: int


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it was seen, with its slots. `turn` is None while no further part was seen."""

    method: str
    url: str
    body: str
    headers: Headers
    slots: tuple[Slot, ...]
    turn: Turn | None = None

    def __repr__(self) -> str:
        return f"<Call {self.method} {self.url} {len(self.slots)} slots>"

    @property
    def template(self) -> tuple[int, ...]:
        """Positions of the elements that the request has a place for."""
        return tuple(sorted(slot.element for slot in self.slots))


def call_of(seen: Exchange, items: Sequence[Item]) -> Call | str:
    """The call of a request that a script was seen to make; else why it cannot be made anew."""
    try:
        body = seen.request_body.decode("utf-8")
    except UnicodeDecodeError:
        return "its script sends no text"
    kept = {"content-type", "referer", "origin"}
    own = tuple((k, v) for k, v in seen.request_headers if k.lower() in kept)
    call = Call(seen.method, urldefrag(seen.url).url, body, (*usual_headers(seen), *own), slots=())
    if _written(call, {}) != (call.url, call.body):
        return "the request of its script cannot be written anew"
    leaves = dict(_leaves(call))
    slots = []
    for item in items:
        slot = _slot(item, leaves)
        if slot is None:
            return "a value does not stand in one place of the request"
        slots.append(slot)
    return replace(call, slots=tuple(slots))


def _slot(item: Item, leaves: Mapping[Place, Leaf]) -> Slot | None:
    if len(item.values) != 1:
        return None
    label, value, _ = item.values[0]
    for text, by_label in ((value, False), (label, True)):
        places = [place for place, leaf in leaves.items() if leaf == text and text]
        if len(places) == 1:
            return Slot(item.element, places[0], by_label)
    return None


def fill_call(call: Call, items: Iterable[Item], *, part: int = 0) -> Request | str:
    """The request for an assignment's items and the `part` of its answer (0: the first)."""
    slots = {slot.element: slot for slot in call.slots}
    changes: dict[Place, Leaf] = {}
    for item in items:
        slot = slots.pop(item.element, None)
        if slot is None or len(item.values) != 1:
            return "another template than was seen"
        label, value, _ = item.values[0]
        changes[slot.place] = label if slot.by_label else value
    if slots:
        return "another template than was seen"
    if part and call.turn is not None:
        changes[call.turn.place] = call.turn.first + part * call.turn.step
    url, body = _written(call, changes)
    return Request(call.method, url, call.headers, body.encode())


def with_turn(call: Call, further: Exchange) -> Call:
    """The call with what changes in the request for the next part; unchanged if that is unclear."""
    other = replace(
        call, url=urldefrag(further.url).url, body=further.request_body.decode("utf-8", "replace")
    )
    before, after = dict(_leaves(call)), dict(_leaves(other))
    if further.method != call.method or before.keys() != after.keys():
        return call
    changed = [place for place in before if before[place] != after[place]]
    if len(changed) != 1:
        return call
    first, second = _whole(before[changed[0]]), _whole(after[changed[0]])
    if first is None or second is None or second <= first:
        return call
    return replace(call, turn=Turn(changed[0], first, second - first))


def borrow_turn(call: Call, others: Iterable[Call]) -> Call:
    """The call with the turn that was seen of another call of its form, if it has its place."""
    leaves = dict(_leaves(call))
    for other in others:
        turn = other.turn
        if call.turn is None and turn is not None and _whole(leaves.get(turn.place)) == turn.first:
            return replace(call, turn=turn)
    return call


def _whole(leaf: Leaf) -> int | None:
    if isinstance(leaf, bool) or leaf is None or isinstance(leaf, float):
        return None
    return int(leaf) if str(leaf).isdecimal() else None


def _leaves(call: Call) -> Iterator[tuple[Place, Leaf]]:
    """Every single value of a request, by its place."""
    for number, (_, value) in enumerate(_pairs(urlsplit(call.url).query)):
        yield ("query", str(number)), value
    data = _json(call.body)
    if data is not None:
        yield from _below(("json",), data)
    else:
        for number, (_, value) in enumerate(_pairs(call.body)):
            yield ("body", str(number)), value


def _below(place: Place, data: Any) -> Iterator[tuple[Place, Leaf]]:
    if isinstance(data, dict):
        for name, item in data.items():
            yield from _below((*place, name), item)
    elif isinstance(data, list):
        for number, item in enumerate(data):
            yield from _below((*place, str(number)), item)
    else:
        yield place, data


def _pairs(text: str) -> list[tuple[str, str]]:
    return parse_qsl(text, keep_blank_values=True)


def _json(body: str) -> Any:
    if not body.startswith(("{", "[")):
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def _written(call: Call, changes: Mapping[Place, Leaf]) -> tuple[str, str]:
    """Address and body of the request with some values changed."""
    parts = urlsplit(call.url)
    query = _pairs_written(parts.query, "query", changes)
    data = _json(call.body)
    if data is None:
        return urlunsplit(parts._replace(query=query)), _pairs_written(call.body, "body", changes)
    for place, leaf in changes.items():
        if place[0] == "json":
            _put(data, place[1:], leaf)
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return urlunsplit(parts._replace(query=query)), body


def _put(data: Any, path: Place, leaf: Leaf) -> None:
    for step in path[:-1]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    last: Any = int(path[-1]) if isinstance(data, list) else path[-1]
    data[last] = leaf


def _pairs_written(text: str, where: str, changes: Mapping[Place, Leaf]) -> str:
    """Pairs with some values changed, in the script's own way of encoding."""
    pairs = _pairs(text)
    encode = next((e for e in ENCODERS if _joined(pairs, e) == text), quote_plus)
    changed = [
        (name, str(changes.get((where, str(number)), value)))
        for number, (name, value) in enumerate(pairs)
    ]
    return _joined(changed, encode)


def _joined(pairs: Iterable[tuple[str, str]], encode: Callable[[str], str]) -> str:
    return "&".join(f"{encode(name)}={encode(value)}" for name, value in pairs)
