"""Answers in JSON: their likeliest list of objects, their total, their own address of more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiwe.response.response import Count
from hiwe.response.rows import TOTAL_KEYS, Rows, make_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.response.addresses import Addresses

DEEPEST = 6  # levels of objects that are looked into
_NEXT_KEYS = frozenset(
    {"next", "next_url", "nexturl", "next_page", "nextpage", "nextlink", "next_link"}
)
_LIST_KEYS = frozenset(
    [
        "results",
        "items",
        "hits",
        "records",
        "docs",
        "data",
        "rows",
        "entries",
        "films",
        "movies",
        "list",
        "matches",
        "documents",
        "features",
        "products",
        "objects",
        "content",
        "value",
    ]
)


def _read(text: str) -> Any:
    """The data of a text: one value, or an object a line."""
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{"):
            raise
        return [json.loads(line) for line in lines]


def json_rows(text: str, addresses: Addresses) -> Rows:
    """Items of a JSON answer: its likeliest list of objects, its total, its own address of more."""
    try:
        data = _read(text)
    except (ValueError, RecursionError):
        return Rows("json", None)
    if isinstance(data, dict) and not any(isinstance(v, list) and v for v in data.values()):
        error = (
            data.get("error")
            or data.get("errors")
            or (data.get("message") if data.get("status") == "error" else "")
        )
        if error:
            return Rows("json", None, error=str(error)[:200])
    best = max(_lists(data, ""), key=lambda one: _merit(*one), default=None)
    count = _total(data)
    next_url = _next(data, addresses)
    if best is None:
        empty = count is not None and count.total == 0
        return Rows("json", () if empty else None, count)
    path, items = best
    records = tuple(make_record(flat(item), addresses) for item in items)
    return Rows("json", records, count, next_url=next_url if records else "", path=path)


def _merit(path: str, items: list[Any]) -> float:
    name = path.rsplit(".", 1)[-1].lower()
    fields = sum(len(item) for item in items[:5]) / max(len(items[:5]), 1)
    return (
        (3.0 if name in _LIST_KEYS else 0.0)
        + min(fields, 6) / 2
        + min(len(items), 10) / 5
        - path.count(".") / 2
    )


def _lists(data: Any, path: str, depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """Every list of objects in the data, with its path; empty lists under a telling name too."""
    if isinstance(data, list):
        objects = [one for one in data if isinstance(one, dict)]
        name = path.rsplit(".", 1)[-1].lower()
        if (objects and len(objects) == len(data)) or (
            not data and (name in _LIST_KEYS or not path)
        ):
            yield path, objects
    elif isinstance(data, dict) and depth < 6:
        for key, value in data.items():
            yield from _lists(value, f"{path}.{key}" if path else str(key), depth + 1)


def flat(item: dict[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    """Scalars of an object by readable name; nested objects by 'Outer inner', lists joined."""
    fields: dict[str, str] = {}
    for key, value in item.items():
        name = f"{prefix} {key}".strip()
        if isinstance(value, dict):
            if depth < 3:
                fields.update(flat(value, name, depth + 1))
        elif isinstance(value, list):
            plain = [scalar(one) for one in value if not isinstance(one, dict | list)]
            plain = plain or [
                scalar(one["name"]) for one in value if isinstance(one, dict) and "name" in one
            ]
            if plain:
                fields[name] = ", ".join(plain)
        elif value is not None:
            fields[name] = scalar(value)
    return fields


def scalar(value: Any) -> str:
    """A JSON scalar as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(value).split())


def _total(data: Any) -> Count | None:
    for holder in _objects(data, 0):
        for key, value in holder.items():
            if key.lower().lstrip("@$#") in TOTAL_KEYS:
                figure = value.get("value") if isinstance(value, dict) else value
                if isinstance(figure, str) and figure.isdecimal():
                    figure = int(figure)
                if isinstance(figure, int) and not isinstance(figure, bool) and figure >= 0:
                    return Count(None, None, figure, f"{key}: {figure}")
    return None


def _next(data: Any, addresses: Addresses) -> str:
    for holder in _objects(data, 0):
        for key, value in holder.items():
            if (
                key.lower().lstrip("@") in _NEXT_KEYS
                and isinstance(value, str)
                and "/" in value + "?"
            ):
                url = addresses.resolve(value)
                if url:
                    return url
    return ""


def _objects(data: Any, depth: int) -> Iterable[dict[str, Any]]:
    """The outer objects of JSON data, items of lists left out."""
    if isinstance(data, dict) and depth < 3:
        yield data
        for value in data.values():
            yield from _objects(value, depth + 1)
