"""A date in three elements is bound as one; two of them never cross."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from hiwe.lvs.element_view import ElementView
from hiwe.response.response import Verdict
from hiwe.submission.dated import with_dates
from hiwe.submission.outcome import Outcome
from hiwe.submission.plan import Plan
from hiwe.submission.values import element_values
from hiwe.submission.wishes import Wish, wished
from tests.submission.film_library import element, form, select, weighted

MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
DAYS = [f"{n}." for n in range(1, 32)]


def part(made, name, group, **more):
    return replace(made, part=name, part_with=group, **more)


def date_in_parts(first=0, **more):
    group = (first, first + 1, first + 2)
    return (
        part(select("d", DAYS), "day", group, **more),
        part(select("m", MONTHS), "month", group, **more),
        part(element("y", maxlength=4), "year", group, **more),
    )


def dated(a_form, dates):
    """The values of a form whose dates have a row with these values; nothing else has any."""
    row = SimpleNamespace(label="Published")
    match = SimpleNamespace(row=row)
    lvs = SimpleNamespace(value_set=lambda view, match: weighted(dates, "Published"))
    views = {at: ElementView(e.label, language="de") for at, e in enumerate(a_form.elements)}
    matches = dict.fromkeys(views, match)
    return with_dates(a_form, element_values(a_form, {}), views, matches, lvs)


def bound(assignment):
    return {b.element: b.value for b in assignment.bindings}


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("2010-03-24", ("24.", "März", "2010")),
        ("1.12.1999", ("1.", "Dezember", "1999")),
        ("3. Mai 2001", ("3.", "Mai", "2001")),
        ("2014", ("1.", "Januar", "2014")),
    ],
)
def test_a_date_goes_into_its_parts(value, parts):
    a_form = form(*date_in_parts())
    (found,) = dated(a_form, [value])
    assert [tuple(b.value for b in joined) for joined in found.bindings()] == [parts]
    assert found.elements == (0, 1, 2)
    assert found.values[0].row == "Published"


def test_a_date_that_a_list_lacks_is_left_out():
    day, month, year = date_in_parts()
    lacking = replace(year, kind="select", options=select("y", ["2009", "2011"]).options)
    (found,) = dated(form(day, month, lacking), ["2010-03-24", "2011-03-24"])
    assert tuple(day for _, day in found.days) == ("2011-03-24",)


def test_a_list_of_years_makes_dates_where_no_row_does():
    day, month, year = date_in_parts()
    listed = replace(year, kind="select", options=select("y", ["2009", "2010"]).options)
    (found,) = dated(form(day, month, listed), [])
    assert tuple(day for _, day in found.days) == ("2009-01-01", "2010-01-01")


def test_a_banned_date_is_left_out_whole_and_the_others_of_its_day_stay():
    a_form = form(*date_in_parts())
    values = dated(a_form, ["2010-03-24", "2011-05-24", "2012-06-24"])
    (found,) = wished(a_form, values, {0: Wish(ban=("2011-05-24",))})
    assert [parts[2].value for parts in found.bindings()] == ["2010", "2012"]


def test_parts_without_a_date_stay_alone():
    found = dated(form(*date_in_parts()), [])
    assert [v.element for v in found] == [0, 1]
    assert not any(v.days for v in found)


@pytest.mark.parametrize("order", ["harvest", "paper"])
def test_dates_in_parts_are_bound_whole_and_do_not_cross(order):
    starts = date_in_parts(0, range_role="from", range_with=3)
    ends = date_in_parts(3, range_role="to", range_with=0)
    a_form = form(*starts, *ends)
    dates = ["2001-05-03", "2008-02-09", "2015-11-30"]
    plan = Plan(a_form, dated(a_form, dates), order=order, budget=60)
    given = []
    while following := plan.next():
        given.append(bound(following[0]))
        records = frozenset(str(n) for n in range(20 * len(given), 20 * len(given) + 20))
        plan.record(
            Outcome(
                following[0].template, following[0].bindings, Verdict.RESULTS,
                records=records, new_records=20, truncated=True,
            )
        )  # fmt: skip
    assert given
    assert all({*asked} in ({0, 1, 2}, {3, 4, 5}, {0, 1, 2, 3, 4, 5}) for asked in given)
    assert all(int(a[2]) <= int(a[5]) for a in given if len(a) == 6)
    assert any(len(asked) == 6 for asked in given)
