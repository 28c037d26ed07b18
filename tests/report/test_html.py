"""report.html: one file that needs nothing else, shows what is there, and can be traced."""

from __future__ import annotations

import re

import pytest
from lxml import html as lxml_html
from playwright.sync_api import sync_playwright

from hiwe.errors import RunError
from hiwe.report.html import write_html
from hiwe.report.traces import TRACES
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.forms import Match
from hiwe.repository.judged import Judged
from hiwe.response.response import Verdict
from tests.axe import faults
from tests.report.a_run import ONE, TWO, Builder, build, element, form


def page_of(out):
    """The page, parsed."""
    path = write_html(out)
    assert path == out / "report.html"
    return lxml_html.fromstring(path.read_text(encoding="utf-8"))


def text_of(node):
    return " ".join(node.text_content().split())


def rows_of(node):
    """The body of a table as texts."""
    return [[text_of(cell) for cell in row] for row in node.xpath(".//tbody/tr")]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return build(tmp_path_factory.mktemp("report") / "run")


@pytest.fixture(scope="module")
def page(out):
    return page_of(out)


def test_the_page_asks_for_nothing(page):
    assert (
        page.xpath("//script | //link[not(starts-with(@href, 'data:'))] | //img | //iframe") == []
    )
    style = page.xpath("string(//style)")
    assert "url(" not in style
    assert "@import" not in style


def test_the_head_shows_the_three_numbers(page):
    assert [text_of(node) for node in page.xpath("//dl/div")] == [
        "SE-strict0.50", "SE-lenient0.67", "distinct records4",
    ]  # fmt: skip


def test_a_chosen_form_has_its_elements_and_figures(page):
    card = page.get_element_by_id("form-1")
    assert rows_of(card) == [
        ["Director", "d", "text", "layout", "Director", "0.90", "3"],
        ["Genre", "g", "select", "for", "Genre", "0.90", "0"],
        ["[q]", "q", "text", "none", "none", "", "0"],
    ]
    text = text_of(card)
    assert "SE-strict 0.67 SE-lenient 1.00 3 submissions and 1 probe 4 records, 4 of them" in text
    assert re.search(r"Coverage: 4 of about \d+ \(\d+ %\); 95 % interval 4 to \d+, from rec", text)
    box = text_of(page.get_element_by_id("form-2"))
    assert "Coverage: 1 record of an estimated 6 (18 %)." in box
    assert "Stopped: exhausted" in text


def test_what_a_person_said_of_an_element_is_shown_as_such(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    seen = form("f", [element("d", "Director", "person"), element("t", "Title")])
    number = made.meet(seen)
    made.forms.set_matches(number, {0: Match("Genre", 1.0, "person")})
    made.close()
    rows = rows_of(page_of(tmp_path).get_element_by_id("form-1"))
    assert [row[3:5] for row in rows] == [["a person", "Genre by a person"], ["layout", "none"]]


def test_skipped_forms_stand_under_their_reason(page):
    [group] = page.get_element_by_id("skipped").xpath("details")
    assert text_of(group.find("summary")) == "login: 1 form"
    assert rows_of(group)[0][2] == "User, Password"


def test_sites_say_why_they_stopped(page):
    rows = rows_of(page.get_element_by_id("sites").find("table"))
    assert [row[:7] + row[8:] for row in rows] == [
        [ONE, "2", "2", "6", "0.50", "0.67", "4", ""],
        [TWO, "0", "0", "0", "-", "-", "0", "unreachable: the host does not answer"],
    ]
    assert rows[0][7].startswith("4 of about ")
    assert rows[1][7] == ""


def test_each_chart_says_in_words_what_it_shows(page):
    charts = page.xpath("//svg")
    assert len(charts) == 8  # three of the run, two of each form, the table's growth
    assert all(svg.get("role") == "img" and len(svg.get("aria-label")) > 20 for svg in charts)
    assert charts[0].get("aria-label") == (
        "Submission efficiency after each submission. SE-strict: 1 at first, 0.50 at last, least"
        " 0.50, most 1. SE-lenient: 1 at first, 0.67 at last, least 0.67, most 1."
    )
    assert charts[2].get("aria-label") == (
        "Verdicts: results 3, no results 1, invalid 1, unanswered 1."
    )


def test_new_records_are_drawn_bar_by_bar(page):
    bars = page.get_element_by_id("form-1").xpath(".//rect[@class='bar']")
    assert [float(bar.get("height")) for bar in bars] == [100.0, pytest.approx(33.33), 0.0]


def test_a_submission_shows_assignment_verdict_evidence_request_and_archive(page):
    row = page.get_element_by_id("submission-2")
    text = text_of(row)
    assert "Director = Ida Fenwick" in text
    assert "results 0.90" in text
    assert "count 0.80 1-2 of 2" in text
    [archive] = row.xpath(".//a[starts-with(@href, 'warc/')]")
    assert (archive.get("href"), text_of(archive)) == ("warc/0-1.warc.gz", "0-1.warc.gz")
    assert "0-1.warc.gz at 120" in text
    assert row.xpath(".//a/@href")[1] == "http://127.0.0.1:8701/cgi/find?d=Ida Fenwick"
    assert "probe" in text_of(page.get_element_by_id("submission-1"))


def test_what_the_table_learned_is_told_by_provenance(page):
    text = text_of(page.get_element_by_id("lvs"))
    assert "2 values came in: 1 from explicit, 1 from results. 2 changes in 1 row." in text


def test_text_of_a_site_is_never_markup(out, page):
    raw = (out / "report.html").read_text(encoding="utf-8")
    assert "<b>Berg</b>" not in raw
    assert "Olu <b>Berg</b>" in text_of(page.get_element_by_id("submission-3"))


def test_an_address_that_is_no_web_address_is_no_link(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    evil = "javascript:alert(1)"
    made.meet(form("w", [element("t", "Title")], url=evil, action=evil), rows=("Title",))
    made.meet(form("x", [element("t", "Title")], url=evil, action=evil), decision="skipped")
    made.close()
    page = page_of(tmp_path)
    assert evil in text_of(page)
    assert [href for href in page.xpath("//a/@href") if href.startswith("javascript")] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("submissions", [(6,)]),
        ("SE-strict", [(0.5,)]),
        ("SE-lenient", [(pytest.approx(4 / 6),)]),
        ("verdicts", [(None, 1), ("invalid", 1), ("no_results", 1), ("results", 3)]),
        ("distinct records", [(4,)]),
        ("records of a form", [(1, 4), (2, 1)]),
        ("pages visited", [(2,)]),
    ],
)
def test_a_trace_counts_what_the_page_shows(out, name, expected):
    with Database(out / FILE_NAME, read_only=True) as db:
        assert [tuple(row) for row in db.rows(dict(TRACES)[name])] == expected


def test_every_trace_runs(out):
    with Database(out / FILE_NAME, read_only=True) as db:
        for _, query in TRACES:
            db.rows(query)


def test_a_long_run_shows_its_last_submissions_and_says_so(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    number = made.meet(form("w", [element("d", "Director")]))
    with made.db.atomic():
        for at in range(1100):
            made.submit(number, f"v{at}", Verdict.RESULTS, (f"r{at}",))
    made.close()
    page = page_of(tmp_path)
    rows = page.get_element_by_id("submissions").xpath(".//tbody/tr")
    assert (len(rows), rows[-1].get("id")) == (1000, "submission-1100")
    assert "The last 1,000 of 1,100" in text_of(page)
    [line] = page.get_element_by_id("progress").xpath(".//polyline[1]")[-1:]
    points = line.get("points").split()
    assert len(points) <= 402
    assert points[-1] == "100.00,0.00"
    assert len(page.get_element_by_id("form-1").xpath(".//rect")) == 110


def test_a_run_just_begun_has_a_page(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.close()
    assert "Nothing was submitted." in text_of(page_of(tmp_path))


def test_a_directory_without_a_run_is_named(tmp_path):
    with pytest.raises(RunError, match="holds no run"):
        write_html(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_a_person_judged_has_a_section_of_its_own(tmp_path, page):
    assert page.xpath("//section[@id='audit'] | //a[@href='#audit']") == []
    with Database(build(tmp_path / "run") / FILE_NAME) as db:
        judged = Judged(db)
        judged.draw([2, 3, 4], at=0.0)
        for number in (2, 3, 4):
            judged.judge(number, Verdict.RESULTS, at=0.0)
    section = page_of(tmp_path / "run").get_element_by_id("audit")
    assert "3 of 3 drawn answers judged, 2 as hiwe judged them" in text_of(section)
    assert "SE-strict 0.8" in text_of(section)


@pytest.fixture(scope="module")
def browser(chromium):
    """One browser for the tests that look at the page."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_it_opens_from_disk_without_network_errors_or_sideways_scrolling(
    out, browser, width, scheme
):
    path = write_html(out)
    asked: list[str] = []
    said: list[str] = []
    view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    view.on("request", lambda request: asked.append(request.url))
    view.on("console", lambda message: said.append(message.text))
    view.goto(path.as_uri())
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    beyond = view.evaluate("document.documentElement.scrollWidth - innerWidth")
    style = "getComputedStyle(document.body)"
    colours = view.evaluate(f"[{style}.color, {style}.backgroundColor]")
    view.close()
    assert asked == [path.as_uri()]
    assert said == []
    assert beyond <= 0
    ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (ink > paper) == (scheme == "dark")


@pytest.mark.browser
def test_it_has_no_serious_accessibility_fault_by_day_and_by_night(out, browser):
    view = browser.new_page(viewport={"width": 1200, "height": 800}, color_scheme="light")
    view.goto(write_html(out).as_uri())
    view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert faults(view) == []
    view.emulate_media(color_scheme="dark")
    view.set_viewport_size({"width": 360, "height": 800})
    assert faults(view, "color-contrast") == []
    view.close()
