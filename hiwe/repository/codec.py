"""Frozen dataclasses to plain JSON values and back: what the database and the archive keep.

Fields that hold their default are left out, so that a file stays small and one written before a
field existed is read with the field's default. Unknown fields, written by a newer version, are
passed over.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache, partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hiwe.form import form as form_module
from hiwe.page import exchange as exchange_module
from hiwe.page import page as page_module
from hiwe.response import response as response_module
from hiwe.submission import assignment as assignment_module
from hiwe.submission import submission as submission_module

T = TypeVar("T")
Make = Callable[[Any], Any]
Hold = Callable[[Any], tuple[Any, ...]]
SIMPLE = frozenset({str, int, float, bool, NoneType})
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
    kind: Any = type(value)
    if kind in SIMPLE:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in SIMPLE else to_plain(item) for item in value]
    if is_dataclass(value):
        names, usuals, hold = _defaults(kind)
        return {
            name: held if type(held) in SIMPLE else to_plain(held)
            for name, usual, held in zip(names, usuals, hold(value), strict=True)
            if type(held) is not type(usual) or held != usual
        }
    return _rare_to_plain(value)


def _rare_to_plain(value: Any) -> Any:
    """Return values of the less frequent kinds as JSON values."""
    if isinstance(value, Enum):
        return value.value
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
    if isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} has no JSON form here: {value!r}")


@lru_cache(maxsize=256)
def _defaults(kind: type[Any]) -> tuple[tuple[str, ...], tuple[Any, ...], Hold]:
    """Return the fields of a dataclass, what they hold if not given (MISSING: must be), and what
    reads them off a value.
    """
    names = tuple(field.name for field in fields(kind))
    usuals = tuple(
        field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(kind)
    )
    read = attrgetter(*names) if names else lambda value: ()
    return names, usuals, read if len(names) != 1 else lambda value: (read(value),)


def from_plain(kind: type[T], plain: Any) -> T:
    """Return the object of type `kind` that `to_plain` gave; TypeError, ValueError if not."""
    wanted: Any = kind
    make = _maker(wanted)
    made: T = plain if make is None else make(plain)
    return made


@lru_cache(maxsize=1024)
def _maker(kind: Any) -> Make | None:
    """Return what builds a value of an annotated type from JSON values; None: it is one already."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _maker_of_optional(inner)
    if origin is tuple:
        return _maker_of_tuple(inner)
    if origin in (frozenset, set, list):
        return _maker_of_many(origin, _maker(inner[0]))
    if origin is not None and origin is not Literal and issubclass(origin, Mapping):
        make = _maker(inner[1])
        return make and (lambda plain: {key: make(item) for key, item in plain.items()})
    return _maker_of_class(kind) if isinstance(kind, type) else None


def _maker_of_optional(kinds: tuple[Any, ...]) -> Make | None:
    """`T | None`; a union of several types is kept as it is."""
    real = [kind for kind in kinds if kind is not NoneType]
    make = _maker(real[0]) if len(real) == 1 else None
    return make and (lambda plain: None if plain is None else make(plain))


def _maker_of_tuple(kinds: tuple[Any, ...]) -> Make:
    """A tuple: of any length and one type, or of a fixed length."""
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return _maker_of_many(tuple, _maker(kinds[0]))
    makers = [_maker(kind) for kind in kinds]
    if not any(makers):
        return tuple
    return lambda plain: tuple(
        make(item) if make else item for make, item in zip(makers, plain, strict=True)
    )


def _maker_of_many(collect: Make, make: Make | None) -> Make:
    """A collection whose items are of one type."""
    if make is None:
        return collect
    return lambda plain: collect([make(item) for item in plain])


def _maker_of_class(kind: type[Any]) -> Make | None:
    """A dataclass, an enumeration, bytes, a moment; other classes are kept as they are."""
    if is_dataclass(kind):
        return partial(_make_dataclass, kind)
    if issubclass(kind, Enum):
        return kind
    if kind is bytes:
        return base64.b64decode
    return datetime.fromisoformat if kind is datetime else None


def _make_dataclass(kind: Any, plain: dict[str, Any]) -> Any:
    makers = _field_makers(kind)
    given = {}
    for name, item in plain.items():
        if name in makers:
            make = makers[name]
            given[name] = make(item) if make else item
    return kind(**given)


@lru_cache(maxsize=256)
def _field_makers(kind: type[Any]) -> dict[str, Make | None]:
    """Return field name -> what builds it, names of other modules resolved."""
    hints = get_type_hints(kind, localns=_NAMES)
    return {field.name: _maker(hints[field.name]) for field in fields(kind)}


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def dumps(value: Any) -> str:
    """Return `value` as compact JSON text; equal values give equal text."""
    return plain_dumps(to_plain(value))


def plain_dumps(plain: Any) -> str:
    """Return JSON values, such as `to_plain` gives, as the same text as `dumps`, sooner."""
    return _encode(plain)


def loads(kind: type[T], text: str) -> T:
    """Return the object of type `kind` from JSON text."""
    return from_plain(kind, json.loads(text))
