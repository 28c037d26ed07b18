"""Dates: read in many ways, written as a hint asks."""

from __future__ import annotations

from datetime import date

import pytest

from hiwe.lvs.dates import date_format, parse_date, write_date

NEW_YEAR = date(2014, 1, 8)


@pytest.mark.parametrize(
    "text",
    ["2014-01-08", "08/01/2014", "8.1.2014", "08-01-14", "8 January 2014", "January 8, 2014",
     "Jan 8 2014", "8 gennaio 2014", "8. Januar 2014", "8 janvier 2014", "8 de enero de 2014",
     "8 января 2014", "8. ledna 2014", "8 Ocak 2014", "2014年1月8日", "2014年01月08日", "20140108",
     "2014-01-08T10:00"],
)  # fmt: skip
def test_a_date_is_read_however_it_is_written(text: str) -> None:
    assert parse_date(text) == NEW_YEAR


@pytest.mark.parametrize(
    "text",
    ["2014", "January 2014", "31/02/2014", "Seven Years in Tibet", "8", "", "1.2.3", "MD-80"],
)
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert parse_date(text) is None


def test_month_comes_first_in_american_dates_only() -> None:
    assert parse_date("01/08/2014", "en-US") == NEW_YEAR
    assert parse_date("12/31/2010") == date(2010, 12, 31)


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        ("dd/mm/yyyy", "08/01/2014"),
        ("MM/DD/YYYY", "01/08/2014"),
        ("yyyy-mm-dd", "2014-01-08"),
        ("TT.MM.JJJJ", "08.01.2014"),
        ("gg/mm/aaaa", "08/01/2014"),
        ("jj/mm/aaaa", "08/01/2014"),
        ("dd-mm-jjjj", "08-01-2014"),
        ("дд.мм.гггг", "08.01.2014"),
        ("rrrr-mm-dd", "2014-01-08"),
        ("åååå-mm-dd", "2014-01-08"),
        ("dd/mm/yy", "08/01/14"),
        ("e.g. 31/12/2010", "08/01/2014"),
        ("e.g. 12/31/2010", "01/08/2014"),
        ("Format: DD.MM.YYYY", "08.01.2014"),
    ],
)
def test_a_date_is_written_as_the_hint_asks(hint: str, written: str) -> None:
    wanted = date_format(hint)
    assert wanted is not None
    assert write_date(NEW_YEAR, wanted) == written


@pytest.mark.parametrize("hint", [None, "", "Search films", "e.g. Spielberg", "ISBN 1-2-3"])
def test_a_hint_without_a_date_asks_for_nothing(hint: str | None) -> None:
    assert date_format(hint) is None
