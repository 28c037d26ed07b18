"""The answer is read where it lands: page, same page, frame, new tab, file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.catalogue import RECORDS, having, list_page
from tests.served import Reply, Served, by, case_pages, redirect, refused

if TYPE_CHECKING:
    from tests.browsing import Browsing
    from tests.served import Request, Route

pytestmark = pytest.mark.browser

GENRE_SELECT = (
    '<label>Genre <select name="g"><option value="sf">Science fiction</option>'
    '<option value="hi">History</option><option value="po">Poetry</option></select></label>'
)


def found(html: str) -> list[int]:
    """The numbers of the records that a page links to."""
    return [r.id for r in RECORDS if f'/item/{r.id}"' in html]


def test_an_answer_written_into_the_page_late_is_waited_for(browsing: Browsing) -> None:
    def part(request: Request) -> str:
        return list_page(having(genre=request.value("g")))

    values = {"Science fiction": [1, 3, 10, 12], "Travel": [], "History": [2, 6, 8]}
    with Served({"/": case_pages("ajax-same-url")[0], "/part": part}) as site:
        with browsing.visit(site.url) as visit:
            for value, records in values.items():
                sent = visit.submit(("g", value))
                assert sent.page is not None
                assert found(sent.page.html) == records
                assert ("No records" in sent.page.html) == (not records)
        assert len(site.to("/part")) == 3


def test_dialog_texts_are_kept(browsing: Browsing) -> None:
    with (
        Served({"/": case_pages("alert-on-submit")[0], "/find": by("genre", "g")}) as site,
        browsing.visit(site.url) as visit,
    ):
        sent = visit.submit(("g", "Poetry"))
    assert sent.page is not None
    assert sent.page.dialogs == ("Searching the catalogue",)


def test_the_answer_is_read_in_the_frame_where_it_lands(browsing: Browsing) -> None:
    outer, inner = case_pages("form-in-iframe")[0].split("<!-- /pane -->")

    def pane(request: Request) -> str | Reply:
        return inner if request.header("referer") else refused(403)

    with Served({"/": outer, "/pane": pane, "/find": by("genre", "g")}) as site:
        with browsing.visit(site.url) as visit:
            for value, records in (("Science fiction", 4), ("Cookery", 3)):
                sent = visit.submit(("g", value))
                assert sent.landed == "frame"
                assert sent.page is not None
                assert len(found(sent.page.html)) == records
                assert sent.page.url.startswith(site.at("/find?g="))
        assert [r.path for r in site.log].count("/find") == 2


def test_a_new_tab_is_read_and_closed(browsing: Browsing) -> None:
    with (
        Served({"/": case_pages("target-blank")[0], "/find": by("genre", "g")}) as site,
        browsing.visit(site.url) as visit,
    ):
        sent = visit.submit(("g", "Poetry"))
        assert visit.tabs() <= 2
    assert sent.landed == "popup"
    assert sent.page is not None
    assert sent.page.url == site.at("/find?g=po")
    assert sent.request is not None
    assert sent.request.status == 200
    assert found(sent.request.body.decode()) == [5, 9]


def test_a_saved_file_is_the_answer(browsing: Browsing) -> None:
    def export(request: Request) -> Reply:
        rows = [f"{r.id},{r.title}" for r in having(genre=request.value("g"))]
        as_file = (("Content-Disposition", 'attachment; filename="x.csv"'),)
        return Reply("\n".join(["id,title", *rows]), 200, "text/csv", as_file)

    with Served({"/": case_pages("download-csv")[0], "/find": export}) as site:
        with browsing.visit(site.url) as visit:
            for value, lines in (("Science fiction", 5), ("Travel", 1), ("Poetry", 3)):
                sent = visit.submit(("g", value))
                assert (sent.outcome, sent.landed) == ("sent", "download")
                assert sent.page is not None
                assert sent.page.content_type == "text/csv"
                assert sent.request is not None
                assert sent.request.download
                assert len(sent.request.body.splitlines()) == lines
        assert len(site.to("/find")) == 3


def test_a_wait_page_is_followed_to_the_answer(browsing: Browsing) -> None:
    def find(request: Request) -> str:
        to = f"/res?k={request.value('g')}"
        return f'<meta http-equiv="refresh" content="2;url={to}"><p>Searching, please wait</p>'

    page = case_pages("wait-page-refresh")[0].split("<!-- /find -->")[0]
    routes: dict[str, Route] = {"/": page, "/find": find, "/res": by("genre", "k")}
    with Served(routes) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("g", "Poetry"))
        assert len(site.to("/res")) == 1
    assert sent.page is not None
    assert found(sent.page.html) == [5, 9]
    assert [e.url for e in sent.page.exchanges] == [site.at("/find?g=po"), site.at("/res?k=po")]


def test_a_slow_answer_fails_and_never_answers_the_next(browsing: Browsing) -> None:
    def find(request: Request) -> Reply:
        genre = request.value("g")
        return Reply(list_page(having(genre=genre)), delay_s=3.0 if genre == "co" else 0.0)

    with (
        Served({"/": case_pages("slow-response")[0], "/find": find}) as site,
        browsing.visit(site.url) as visit,
    ):
        late = visit.submit(("g", "Cookery"), timeout_s=1.5)
        next_one = visit.submit(("g", "History"))
    assert (late.outcome, late.reason, late.page) == ("failed", "timeout", None)
    assert late.duration_s < 6
    assert late.request is not None
    assert late.request.error
    assert next_one.page is not None
    assert found(next_one.page.html) == [2, 6, 8]


def test_redirects_of_an_answer_are_kept(browsing: Browsing) -> None:
    page = f"<form action=/find>{GENRE_SELECT}<button>Find</button></form>"
    routes: dict[str, Route] = {"/": page, "/find": redirect("/item/9")}
    with Served(routes) as site, browsing.visit(site.url) as visit:
        sent = visit.submit(("g", "Poetry"))
        assert sent.page is not None
        assert sent.page.url == site.at("/item/9")
        assert [e.status for e in sent.page.exchanges] == [302, 200]


def test_http_credentials_open_a_guarded_site(browsing: Browsing) -> None:
    page = f"<form action=/find>{GENRE_SELECT}<button>Find</button></form>"

    def guarded(route: Route) -> Route:
        def answer(request: Request) -> str | bytes | Reply:
            if request.header("authorization") != "Basic bGliOnF1aWV0":
                return Reply("no", 401, headers=(("WWW-Authenticate", 'Basic realm="x"'),))
            return route(request) if callable(route) else route

        return answer

    routes: dict[str, Route] = {"/": guarded(page), "/find": guarded(by("genre", "g"))}
    with Served(routes) as site:
        with browsing.visit(
            site.url, http_credentials=("lib", "quiet"), blocked=lambda url: "x" in url
        ) as visit:
            sent = visit.submit(("g", "Poetry"))
        denied = browsing.page(site.url)
    assert sent.page is not None
    assert found(sent.page.html) == [5, 9]
    assert denied.status == 401


def test_a_new_tab_that_stays_empty_is_given_up_in_time(browsing: Browsing) -> None:
    def find(request: Request) -> Reply:
        return Reply(list_page(having(genre=request.value("g"))), delay_s=6.5)

    page = case_pages("target-blank")[0]
    with Served({"/": page, "/find": find}) as site, browsing.visit(site.url) as visit:
        sent = visit.submit(("g", "Poetry"), timeout_s=1.5)
        late = visit.submit(("g", "Poetry"), timeout_s=15.0)
    assert (sent.outcome, sent.reason, sent.page) == ("failed", "timeout", None)
    assert sent.duration_s < 7
    assert late.page is not None
    assert found(late.page.html) == [5, 9]
    assert late.landed == "popup"
