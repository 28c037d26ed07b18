"""Whatever a value is: what is written into an element, the element's own rules let pass."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from hiwe.lvs import ElementView, LvsTable, Provenance
from hiwe.lvs.fits import write
from hiwe.lvs.load import parse_rows
from hiwe.lvs.value import ValueType, type_of

FEW = settings(max_examples=40)
VALUES = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**6), 10**6).map(str),
    st.integers(1500, 2099).map(str),
    st.decimals(-1000, 1000, places=2).map(str),
    st.integers(0, 10**7).map(lambda n: f"${n:,}"),
    st.dates(date(1600, 1, 1), date(2099, 12, 31)).map(date.isoformat),
    st.dates(date(1600, 1, 1), date(2099, 12, 31)).map(lambda d: f"{d:%d.%m.%Y}"),
    st.from_regex(r"[A-Z]{2}-\d{2,4}", fullmatch=True),
)
BOUNDS = st.one_of(st.none(), st.integers(-500, 500).map(str))
ISO = {
    "date": r"\d{4}-\d\d-\d\d",
    "month": r"\d{4}-\d\d",
    "week": r"\d{4}-W\d\d",
    "datetime-local": r"\d{4}-\d\d-\d\dT\d\d:\d\d",
    "time": r"\d\d:\d\d(:\d\d)?",
}


@FEW
@given(VALUES, BOUNDS, BOUNDS, st.sampled_from([None, "1", "5", "0.5", "any"]))
def test_a_number_lies_within_the_bounds_and_on_a_step(
    value: str, low: str | None, high: str | None, step: str | None
) -> None:
    element = ElementView("Price", kind="number", minimum=low, maximum=high, step=step)
    written = write(value, element)
    if written is None:
        return
    number = float(written)
    assert low is None or number >= float(low)
    assert high is None or number <= float(high)
    if step != "any":
        steps = (number - float(low or 0)) / float(step or 1)
        assert abs(steps - round(steps)) < 1e-6


@FEW
@given(VALUES, st.sampled_from(sorted(ISO)), st.sampled_from([None, "2000-01-01"]))
def test_a_date_control_gets_its_own_form_of_a_date(
    value: str, kind: str, least: str | None
) -> None:
    least = least if kind == "date" else None
    written = write(value, ElementView("Since", kind=kind, minimum=least))
    assert written is None or re.fullmatch(ISO[kind], written)
    assert written is None or least is None or written >= least


@FEW
@given(VALUES, st.integers(0, 12), st.sampled_from([None, r"\d{4}", "[A-Z]{2}-[0-9]+", "[^0-9]*"]))
def test_a_text_keeps_to_length_and_pattern_and_is_never_cut(
    value: str, longest: int, pattern: str | None
) -> None:
    written = write(value, ElementView("Code", maxlength=longest, pattern=pattern))
    if written is None:
        return
    assert 0 < len(written.encode("utf-16-le")) // 2 <= longest
    assert written == " ".join(value.split())
    assert pattern is None or re.fullmatch(pattern, written)


@FEW
@given(VALUES)
def test_a_box_that_shows_a_date_gets_a_date_or_nothing(value: str) -> None:
    written = write(value, ElementView("Since", placeholder="dd/mm/yyyy"))
    assert written is None or re.fullmatch(r"\d\d/\d\d/\d{4}", written)


@FEW
@given(st.lists(VALUES, max_size=12))
def test_what_a_row_of_years_learned_otherwise_goes_into_no_text_box(learned: list[str]) -> None:
    table = LvsTable(parse_rows("[{label: Year, values: [1990, 1995]}]"))
    for value in filter(None, (" ".join(value.split()) for value in learned)):
        table.rows[0].values.add(value, 0.8, Provenance.EXPERIENCE)
    element = ElementView("Year", kind="text")
    offered = [v.value for v in table.value_set(element, table.match(element))]
    assert {"1990", "1995"} <= set(offered)
    assert {type_of(value) for value in offered} <= {ValueType.YEAR, ValueType.INTEGER}
