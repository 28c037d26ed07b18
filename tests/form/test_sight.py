"""What LITE looks at is found by index: the same as by looking at everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hiwe.form.sight import Sight
from hiwe.page.page import Box, Control, Page

places = st.integers(-500, 3000)
boxes = st.builds(Box, places, places, st.integers(0, 400), st.integers(0, 900))


def page_of(controls):
    return Page("http://h.example/", 200, "", controls=tuple(controls))


def text_box(index, box, order):
    return Control(
        index, "input", "text", f"f{index}", "", "", None, box, visible=True, order=order
    )


@given(st.lists(st.tuples(boxes, st.integers(0, 99)), max_size=12), places, places)
def test_no_field_that_meets_a_stripe_is_left_out(fields, top, bottom):
    sight = Sight.of(page_of(text_box(at, *field) for at, field in enumerate(fields)))
    low, high = min(top, bottom), max(top, bottom)
    given_out = [field.index for field in sight.fields_at(top, bottom)]
    assert len(given_out) == len(set(given_out))
    assert {f.index for f in sight.fields if f.box.y <= high and f.box.y + f.box.h >= low} <= set(
        given_out
    )


@given(st.lists(st.integers(0, 30), max_size=12), st.integers(-1, 31), st.integers(-1, 31))
def test_fields_between_two_places_are_counted(orders, start, end):
    sight = Sight.of(page_of(text_box(at, Box(0, 0, 9, 9), o) for at, o in enumerate(orders)))
    assert sight.fields_between(start, end) == sum(1 for order in orders if start < order < end)
