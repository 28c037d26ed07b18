"""Response features as plain data (JSON), for the database."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from hiwe.response.response import (
    Count,
    Judgement,
    PagerStep,
    Record,
    Region,
    ResponseFeatures,
    Signal,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def features_to_plain(features: ResponseFeatures) -> dict[str, Any]:
    """Plain data that `features_from_plain` makes the same features of."""
    return {field.name: _plain(getattr(features, field.name)) for field in fields(features)}


def judgement_to_plain(judgement: Judgement) -> dict[str, Any]:
    """Plain data of a judgement."""
    return {field.name: _plain(getattr(judgement, field.name)) for field in fields(judgement)}


def _plain(value: Any) -> Any:
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, Count | PagerStep | Record | Region | Signal):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def record_from_plain(data: Mapping[str, Any]) -> Record:
    """A record of the plain data it was stored as."""
    pairs = tuple((str(name), str(value)) for name, value in data["fields"])
    return Record(pairs, data["url"], data["key"])


def _region(data: Mapping[str, Any]) -> Region:
    records = tuple(record_from_plain(one) for one in data["records"])
    return Region(
        data["signature"],
        data["origin"],
        data["score"],
        records,
        data.get("size", 0),
        data.get("share", 0.0),
    )


def features_from_plain(data: Mapping[str, Any]) -> ResponseFeatures:
    """The features that `features_to_plain` made plain."""
    held = dict(data)
    held["records"] = tuple(record_from_plain(one) for one in data["records"])
    held["count"] = Count(**data["count"]) if data["count"] else None
    held["pager"] = PagerStep(**data["pager"]) if data["pager"] else None
    held["signals"] = tuple(Signal(**one) for one in data["signals"])
    held["significant"] = frozenset(data["significant"])
    held["region"] = _region(data["region"]) if data.get("region") else None
    held["lone"] = tuple(_region(one) for one in data.get("lone", ()))
    held["pages"] = tuple(PagerStep(**one) for one in data.get("pages", ()))
    return ResponseFeatures(**held)


def judgement_from_plain(data: Mapping[str, Any]) -> Judgement:
    """The judgement that `judgement_to_plain` made plain."""
    return Judgement(
        Verdict(data["verdict"]),
        data["confidence"],
        tuple(Signal(**one) for one in data["evidence"]),
        data["reason"],
        data["truncated"],
    )
