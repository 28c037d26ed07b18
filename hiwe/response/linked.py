"""Linked data of a page: the items that its JSON-LD describes (schema.org), joined to its records.

A list of results may name its items twice: for people, and in a script for machines. The second
has better names and more values; it counts only for items that people see too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiwe.response.names import is_made_up, readable
from hiwe.response.objects import scalar
from hiwe.response.response import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiwe.response.addresses import Addresses
    from hiwe.response.document import Document

LONGEST_SCRIPT = 2_000_000  # characters
DEEPEST = 4  # levels of objects that are looked into
# What describes the site or the page and is no item of it (schema.org).
_FRAMES = (
    "WebSite WebPage SearchResultsPage CollectionPage BreadcrumbList Organization SearchAction"
    " SiteNavigationElement ImageObject Corporation LocalBusiness"
)
_NO_ITEMS = frozenset(_FRAMES.split())
_MONEY_KEYS = (("price", "priceCurrency"), ("lowPrice", "priceCurrency"), ("value", "currency"))

Item = dict[str, str]  # readable name -> value; the address under 'url'


def linked_items(document: Document) -> list[Item]:
    """The items that the page's JSON-LD describes, in order; [] without any."""
    found: list[Item] = []
    for script in document.scripts:
        text = script.text or ""
        if "ld+json" not in (script.get("type") or "") or len(text) > LONGEST_SCRIPT:
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            continue
        found += [item for item in map(_flat, _objects(data, 0)) if item]
    return found


def _objects(data: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Objects that are items: members of lists and graphs, what a page is about."""
    if depth > DEEPEST:
        return
    if isinstance(data, list):
        for one in data:
            yield from _objects(one, depth + 1)
        return
    if not isinstance(data, dict):
        return
    inner = [data[key] for key in ("@graph", "itemListElement", "mainEntity") if key in data]
    if inner:
        for one in inner:
            yield from _objects(one, depth + 1)
    elif isinstance(data.get("item"), dict):  # a ListItem
        yield from _objects(data["item"], depth + 1)
    elif not _NO_ITEMS.intersection(_types(data)):
        yield data


def _types(data: dict[str, Any]) -> list[str]:
    kinds = data.get("@type", [])
    listed = kinds if isinstance(kinds, list) else [kinds]
    return [str(kind).rsplit("/", 1)[-1] for kind in listed]


def _flat(data: dict[str, Any]) -> Item:
    """Names and values of one object; what it holds in turn is told by name, price or address."""
    item: Item = {}
    for key, value in data.items():
        if key.startswith("@") or key == "position":
            continue
        for name, text in _told(key, value):
            if text:
                item.setdefault("url" if name == "url" else readable(name), text)
    return item


def _told(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        told = [text for one in value for _, text in _told(key, one) if text]
        yield key, ", ".join(dict.fromkeys(told))
    elif isinstance(value, dict):
        for amount, currency in _MONEY_KEYS:
            if amount in value:
                yield amount, f"{scalar(value[amount])} {value.get(currency, '')}".strip()
                return
        if "ratingValue" in value:
            yield "rating", scalar(value["ratingValue"])
            return
        named = value.get("name") or value.get("url") or value.get("@id") or ""
        yield key, scalar(named) if isinstance(named, str) else ""
    elif value is not None:
        yield key, scalar(value)


def joined(
    records: Sequence[Record], items: Iterable[Item], addresses: Addresses
) -> tuple[Record, ...]:
    """The records with the names and further values that linked data has for them.

    An item belongs to the record with its address, else with its name. Nothing is joined unless
    half of the records are described: then the data are of something else.
    """
    by_url: dict[str, Item] = {}
    by_name: dict[str, Item] = {}
    for item in items:
        url = addresses.resolve(item["url"]) if "url" in item else None
        if url:
            by_url.setdefault(addresses.identity(url), item)
        name = item.get("Name") or item.get("Headline") or item.get("Title") or ""
        if name:
            by_name.setdefault(_plain(name), item)
    found = [_item_of(record, by_url, by_name, addresses) for record in records]
    if sum(item is not None for item in found) * 2 < len(records):
        return tuple(records)
    return tuple(
        record if item is None else _with(record, item, addresses)
        for record, item in zip(records, found, strict=True)
    )


def _item_of(
    record: Record, by_url: dict[str, Item], by_name: dict[str, Item], addresses: Addresses
) -> Item | None:
    if record.url and (item := by_url.get(addresses.identity(record.url))) is not None:
        return item
    values = (_plain(value) for _, value in record.fields)
    return next((by_name[value] for value in values if value in by_name), None)


def _with(record: Record, item: Item, addresses: Addresses) -> Record:
    """One record with an item's names for its values, and the values that it lacks."""
    names = {_plain(value): name for name, value in item.items() if name != "url"}
    taken = {name for name, _ in record.fields}
    fields: list[tuple[str, str]] = []
    for name, value in record.fields:
        better = names.get(_plain(value), "") if is_made_up(name) else ""
        fields.append((better if better and better not in taken else name, value))
    taken = {name.casefold() for name, _ in fields}
    known = {_plain(value) for _, value in fields}
    for name, value in item.items():
        if name != "url" and name.casefold() not in taken and _plain(value) not in known:
            fields.append((name, value))
    url = addresses.resolve(item["url"]) if not record.url and "url" in item else None
    if url is None:
        return Record(tuple(fields), record.url, record.key)
    return Record(tuple(fields), url, addresses.identity(url))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
