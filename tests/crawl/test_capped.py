"""A site that shows fifty of each answer and does not say so: it is split until all is seen."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from tests.crawling import crawl
from tests.served import Served

CAP, REPORTS = 50, 900
STATES = ("Texas", "Ohio", "Utah", "Iowa", "Maine")
WEIGHTS = (60, 20, 10, 6, 4)  # one value holds most, as in life
FIRST_DAY = date(1998, 1, 1)


def reports():
    chance = random.Random(7)
    found = []
    for number in range(REPORTS):
        day = FIRST_DAY + timedelta(days=int(1000 * chance.random() ** 1.5))
        found.append((number, day.isoformat(), chance.choices(STATES, WEIGHTS)[0]))
    return sorted(found, key=lambda report: report[1], reverse=True)


ALL = reports()


def form(dates):
    options = "".join(f"<option>{state}</option>" for state in STATES)
    return f"""<form action="/find">{dates}
    <label>State <select name="state"><option value="">Any</option>{options}</select></label>
    <button>Search</button></form>"""


DATES = """<label>Date from <input type="date" name="from" min="1998-01-01" max="2000-12-31">
</label>
<label>Date to <input type="date" name="to" min="1998-01-01" max="2000-12-31"></label>"""
YEARS = '<label>Year <select name="year"><option value="">Any</option>{}</select></label>'.format(
    "".join(f"<option>{year}</option>" for year in (1998, 1999, 2000))
) + '<label>Month <select name="month"><option value="">Any</option>{}</select></label>'.format(
    "".join(f'<option value="{n:02}">{date(2000, n, 1):%B}</option>' for n in range(1, 13))
)


def find(request):
    earliest, latest = request.value("from") or "0", request.value("to") or "9"
    hits = [
        report for report in ALL
        if earliest <= report[1] <= latest
        and report[1].startswith(request.value("year"))
        and request.value("month") in ("", report[1][5:7])
        and request.value("state") in ("", report[2])
    ]  # fmt: skip
    if not hits:
        return "<h1>Reports</h1><p>No reports match.</p>"
    rows = "".join(
        f"<tr><td>R{number:05}</td><td>{day}</td><td>{state}</td></tr>"
        for number, day, state in hits[:CAP]
    )
    head = "<tr><th>Report</th><th>Date</th><th>State</th></tr>"
    return f"<h1>Reports</h1><table>{head}{rows}</table>"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("fields", "share"), [(DATES, 0.95), (YEARS, 0.95)], ids=["range", "lists"]
)
def test_a_capped_site_is_harvested_by_splitting(browsing, tmp_path, fields, share):
    with Served({"/": form(fields), "/find": find}) as site:
        result = crawl(
            browsing, tmp_path, site.url, table={"State": list(STATES)}, transport="adaptive",
            lvs={"builtin": ["months"]},
            budget={"submissions_per_form": 250, "submissions_per_site": 250},
        )  # fmt: skip
    print(len(result.records), len(result.sent))
    assert len(result.records) >= share * REPORTS
