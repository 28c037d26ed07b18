"""Constraints of elements: what a browser would refuse is never given to it."""

from __future__ import annotations

import pytest

from hiwe.lvs import ElementView
from hiwe.lvs.fits import fits, write
from hiwe.lvs.value import ValueType, type_of


@pytest.mark.parametrize(
    ("value", "element", "written"),
    [
        ("Orchard", ElementView("Title", maxlength=5), None),
        ("Glass", ElementView("Title", maxlength=5), "Glass"),
        ("𝔸𝔸𝔸", ElementView("Title", maxlength=5), None),
        ("AB12", ElementView("Code", pattern="[A-Z]{2}[0-9]{2}"), "AB12"),
        ("AB123", ElementView("Code", pattern="[A-Z]{2}[0-9]{2}"), None),
        ("x", ElementView("Code", pattern="[unclosed"), "x"),
        ("1987", ElementView("Year", kind="number", minimum="1900", maximum="2030"), "1987"),
        ("1899", ElementView("Year", kind="number", minimum="1900", maximum="2030"), None),
        ("8.5", ElementView("Price", kind="number"), None),
        ("8.5", ElementView("Price", kind="number", step="any"), "8.5"),
        ("8.5", ElementView("Price", kind="number", step="0.5"), "8.5"),
        ("$1,000", ElementView("Price", kind="number"), "1000"),
        ("Drama", ElementView("Price", kind="number"), None),
        ("1 Jan 2016", ElementView("Since", kind="date"), "2016-01-01"),
        ("1 Jan 2016", ElementView("Since", kind="date", maximum="2015-12-31"), None),
        ("1 Jan 2016", ElementView("Since", kind="month"), "2016-01"),
        ("1 Jan 2016", ElementView("Since", kind="week"), "2015-W53"),
        ("2016", ElementView("Since", kind="date"), None),
        ("10:30", ElementView("At", kind="time"), "10:30"),
        ("Drama", ElementView("Since", placeholder="dd.mm.yyyy"), None),
        ("1987", ElementView("Year", placeholder="YYYY"), "1987"),
        ("87", ElementView("Year", placeholder="YYYY"), None),
        ("2010-12-31", ElementView("Since (mm/dd/yyyy)"), "12/31/2010"),
    ],
)
def test_a_value_is_written_as_the_element_takes_it_or_not_at_all(
    value: str, element: ElementView, written: str | None
) -> None:
    assert write(value, element) == written
    assert fits(value, element) is (written is not None)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1987", ValueType.YEAR),
        ("42", ValueType.INTEGER),
        ("12500", ValueType.INTEGER),
        ("$1,000", ValueType.MONEY),
        ("8.50 €", ValueType.MONEY),
        ("2010-12-31", ValueType.DATE),
        ("1 Jan 2016", ValueType.DATE),
        ("MD-80", ValueType.CODE),
        ("AB12", ValueType.CODE),
        ("Science fiction", ValueType.TEXT),
        ("The 39 Steps", ValueType.TEXT),
    ],
)
def test_a_value_has_the_type_its_form_tells(value: str, kind: ValueType) -> None:
    assert type_of(value) is kind


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (r"\d{2}/\d{2}/\d{4}", "24/12/2010"),
        (r"\d{2}\.\d{2}\.\d{4}", "24.12.2010"),
        (r"\d{8}", "20101224"),
        (r"[A-Z]+", None),
    ],
)
def test_a_date_is_written_as_the_pattern_takes_it(pattern, written):
    assert write("2010-12-24", ElementView("Since", pattern=pattern)) == written
