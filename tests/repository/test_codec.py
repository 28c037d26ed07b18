"""Dataclasses to JSON and back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hiwe.page.exchange import Exchange
from hiwe.page.page import Box, Control, Option
from hiwe.repository.codec import dumps, from_plain, loads, to_plain
from hiwe.response.response import Count, Judgement, PagerStep, Record, Signal, Verdict
from hiwe.submission.assignment import Binding, ValueAssignment

EXCHANGE = Exchange(
    method="POST", url="http://h.org/", request_headers=(("a", "b"),), request_body=b"\x00\xff",
    status=200, reason="OK", response_headers=(), body=b"",
    started_at=datetime(2026, 5, 4, 12, 30, 1, 5, tzinfo=UTC), duration_s=1.0,
)  # fmt: skip
CONTROL = Control(
    0, "select", "select", "g", "", "", None, Box(0, 1.5, 2, 3), True, maxlength=0, required=True,
    options=(Option("a", "A"), Option("b", "B", selected=True, data=(("data-x", "1"),))),
)  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        EXCHANGE,
        replace(EXCHANGE, download=True, kind="xhr"),
        CONTROL,
        Judgement(
            Verdict.NO_RESULTS, 0.5, (Signal("phrase", "nothing found", 1.0),), truncated=True
        ),
        Count(1, None, 356, "1- of 356", capped=True),
        PagerStep("link", url="/2", page_number=2),
        Record((("Title", "Søk"),), None, "k"),
        ValueAssignment((Binding(0, "x", 1.0, option=0), Binding(1, "y", 0.5)), 0.5),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_kept_comes_back_equal(value):
    assert loads(type(value), dumps(value)) == value
    assert json.loads(dumps(value)) == to_plain(value)


def test_fields_at_their_default_are_left_out_and_false_is_no_zero():
    plain = to_plain(CONTROL)
    assert "placeholder" not in plain
    assert plain["maxlength"] == 0
    assert plain["form"] is None  # has no default


def test_a_file_of_another_version_is_read():
    plain = to_plain(CONTROL) | {"invented_later": 1}
    del plain["options"]
    assert from_plain(Control, plain) == replace(CONTROL, options=())


def test_containers_of_types_can_be_read():
    signals = (Signal("a", "b", 1.0), Signal("c", "d", 0.0))
    assert loads(tuple[Signal, ...], dumps(signals)) == signals
    assert from_plain(dict[str, Box], {"x": to_plain(Box(1, 2, 3, 4))}) == {"x": Box(1, 2, 3, 4)}
    assert loads(frozenset[int], dumps(frozenset({3, 1}))) == {1, 3}


@pytest.mark.parametrize("kind", [Control, Verdict, Exchange])
def test_what_is_something_else_is_an_error(kind):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        from_plain(kind, {"neither": 1} if kind is not Verdict else "maybe")


def test_what_has_no_json_form_is_an_error():
    with pytest.raises(TypeError, match="object"):
        to_plain({"a": object()})
