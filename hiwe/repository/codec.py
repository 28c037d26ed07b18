"""Frozen dataclasses to plain JSON values and back: what the database and the archive keep.

Fields that hold their default are left out, so that a file stays small and one written before a
field existed is read with the field's default. Unknown fields, written by a newer version, are
passed over.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hiwe.form import form as form_module
from hiwe.page import exchange as exchange_module
from hiwe.page import page as page_module
from hiwe.response import response as response_module
from hiwe.submission import assignment as assignment_module
from hiwe.submission import submission as submission_module

T = TypeVar("T")
_MODULES = (
    page_module,
    exchange_module,
    form_module,
    assignment_module,
    response_module,
    submission_module,
)
# Annotations name types that their modules import for type checking alone.
_NAMES = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if isinstance(value, type)
} | {"HtmlElement": object}


def to_plain(value: Any) -> Any:
    """Return `value` as JSON values; sets come out sorted, bytes in base64."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value.value if isinstance(value, Enum) else value
    if is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name), field) for field in fields(value))
        return {name: to_plain(held) for name, held, field in pairs if not _is_default(held, field)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_plain(item) for item in value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form here: {value!r}")


def _is_default(held: Any, field: Field[Any]) -> bool:
    """Return whether a field holds what it would hold if it were not given."""
    if field.default is not MISSING:
        return type(held) is type(field.default) and bool(held == field.default)
    return field.default_factory is not MISSING and held == field.default_factory()


def from_plain(kind: type[T], plain: Any) -> T:
    """Return the object of type `kind` that `to_plain` gave; TypeError, ValueError if not."""
    made: T = _make(kind, plain)
    return made


def _make(kind: Any, plain: Any) -> Any:
    """Build a value of an annotated type from JSON values."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _make_optional(get_args(kind), plain)
    if origin is tuple:
        return _make_tuple(get_args(kind), plain)
    if origin in (frozenset, set, list):
        return origin(_make(get_args(kind)[0], item) for item in plain)
    if origin is not None and origin is not Literal and issubclass(origin, Mapping):
        return {key: _make(get_args(kind)[1], item) for key, item in plain.items()}
    if isinstance(kind, type):
        return _make_class(kind, plain)
    return plain


def _make_optional(kinds: tuple[Any, ...], plain: Any) -> Any:
    """Build `T | None` (or a union of simple types, which is kept as it is)."""
    real = [kind for kind in kinds if kind is not NoneType]
    return plain if plain is None or len(real) > 1 else _make(real[0], plain)


def _make_tuple(kinds: tuple[Any, ...], plain: Any) -> tuple[Any, ...]:
    """Build a tuple: of any length and one type, or of a fixed length."""
    if not kinds:
        return tuple(plain)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_make(kinds[0], item) for item in plain)
    return tuple(_make(kind, item) for kind, item in zip(kinds, plain, strict=True))


def _make_class(kind: type[Any], plain: Any) -> Any:
    """Build a dataclass, an enumeration or a plain value."""
    if is_dataclass(kind):
        known = _field_types(kind)
        return kind(
            **{name: _make(known[name], item) for name, item in plain.items() if name in known}
        )
    if issubclass(kind, Enum):
        return kind(plain)
    if kind is bytes:
        return base64.b64decode(plain)
    if kind is datetime:
        return datetime.fromisoformat(plain)
    return float(plain) if kind is float and plain is not None else plain


@lru_cache(maxsize=256)
def _field_types(kind: type[Any]) -> dict[str, Any]:
    """Return field name -> type of a dataclass, names of other modules resolved."""
    hints = get_type_hints(kind, localns=_NAMES)
    return {field.name: hints[field.name] for field in fields(kind)}


def dumps(value: Any) -> str:
    """Return `value` as compact JSON text; equal values give equal text."""
    return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def loads(kind: type[T], text: str) -> T:
    """Return the object of type `kind` from JSON text."""
    return from_plain(kind, json.loads(text))
