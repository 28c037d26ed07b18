"""Submissions as a person would make them: the request log of the served page is the oracle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.catalogue import RECORDS, having, list_page
from tests.served import Reply, Served, by, by_title, case_pages, refused

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


def by_author(request: Request) -> str:
    """The list page by author."""
    return list_page(having(author=request.value("a")) if request.value("a") else [])


def by_year(request: Request) -> str:
    """The list page by year."""
    return list_page(having(year=request.value("y")))


def multipart(request: Request) -> str | Reply:
    """A route that reads multipart bodies alone."""
    if not request.header("content-type").startswith("multipart/form-data"):
        return refused(415)
    text = request.body.decode()
    assert 'name="a"' in text
    return list_page(r for r in RECORDS if f"\r\n\r\n{r.author}\r\n" in text)


def test_two_values_of_one_list_are_sent_together_and_alone(browsing: Browsing) -> None:
    def any_of(request: Request) -> str | Reply:
        wanted = request.values.get("g", [])
        return list_page(r for r in RECORDS if r.genre in wanted) if wanted else refused(400)

    with Served({"/": case_pages("multi-select")[0], "/find": any_of}) as site:
        with browsing.visit(site.url) as visit:
            visit.submit(("g", "Science fiction"), ("g", "Poetry"))
            visit.submit(("g", "Cookery"))
        assert [r.target for r in site.to("/find")] == ["/find?g=sf&g=po", "/find?g=co"]


def test_a_button_names_another_target_than_its_form(browsing: Browsing) -> None:
    routes: dict[str, Route] = {"POST /list": by_title("t"), "/old": refused(410)}
    with Served({"/": case_pages("formaction-override")[0], **routes}) as site:
        with browsing.visit(site.url) as visit:
            assert visit.form.submitters[0].action == site.at("/list")
            sent = visit.submit(("t", "Glass"))
        assert [(r.method, r.body) for r in site.to("/list")] == [("POST", b"t=Glass")]
        assert site.to("/old") == []
    assert sent.request is not None
    assert sent.request.request_body == b"t=Glass"


def test_a_multipart_form_is_sent_in_parts(browsing: Browsing) -> None:
    with Served({"/": case_pages("enctype-multipart")[0], "POST /find": multipart}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("a", "Omar Velt"))
        body = site.to("/find")[0].body
    assert b'name="go"' in body
    assert sent.page is not None
    assert found(sent.page.html) == [2, 6]
    assert sent.request is not None
    assert sent.request.request_body == body


def test_hidden_and_preset_values_are_sent_as_they_are(browsing: Browsing) -> None:
    with Served({"/": case_pages("hidden-defaults-verbatim")[0], "POST /find": by_author}) as site:
        with browsing.visit(site.url) as visit:
            visit.submit(("a", "Omar Velt"))
        assert site.to("/find")[0].body == b"k=++a++b+&per=20&a=Omar+Velt"


def test_the_base_address_counts(browsing: Browsing) -> None:
    with Served({"/docs/search": case_pages("base-href")[0], "/lib/find": by_title("t")}) as site:
        with browsing.visit(site.at("/docs/search")) as visit:
            assert visit.form.action == site.at("/lib/find")
            visit.submit(("t", "Glass"))
        assert [r.target for r in site.log if "find" in r.path] == ["/lib/find?t=Glass"]


def test_fields_without_names_are_sent_by_the_pages_own_script(browsing: Browsing) -> None:
    def api(request: Request) -> str:
        return list_page(having(author=json.loads(request.body)["author"]))

    seen = []
    with Served({"/": case_pages("unnamed-inputs-js")[0], "POST /api": api}) as site:
        with browsing.visit(site.url) as visit:
            for author in ("Omar Velt", "Ida Fenwick"):
                sent = visit.submit(("au", author))
                assert sent.landed == "same_page"
                assert sent.page is not None
                assert sent.request is not None
                assert sent.request.kind == "fetch"
                seen.append(found(sent.page.html))
        assert [r.body for r in site.to("/api")] == [
            b'{"author":"Omar Velt"}',
            b'{"author":"Ida Fenwick"}',
        ]
    assert seen == [[2, 6], [1, 3, 10]]


def test_a_suggestion_is_chosen_where_one_must_be(browsing: Browsing) -> None:
    authors = {"1": "Ida Fenwick", "2": "Omar Velt", "3": "Claire Aubry"}

    def find(request: Request) -> str:
        author = authors.get(request.value("aid"))
        return list_page(having(author=author)) if author else "<p>Pick an author of the list.</p>"

    with Served({"/": case_pages("autocomplete-must-pick")[0], "/find": find}) as site:
        with browsing.visit(site.url) as visit:
            for author in authors.values():
                assert visit.submit(("q", author)).outcome == "sent"
            missing = visit.submit(("q", "Lena Storm"))
        assert [r.target for r in site.to("/find")] == [f"/find?aid={n}" for n in "123"]
    assert (missing.outcome, missing.reason) == ("not_sent", "not_offered: Lena Storm")


DEPENDENT = {"sf": ["Ida Fenwick", "Kai Morrow"], "hi": ["Omar Velt", "Lena Storm"]}


def test_a_child_is_set_once_its_parent_filled_it(browsing: Browsing) -> None:
    def authors(request: Request) -> Reply:
        names = json.dumps(DEPENDENT.get(request.value("g"), []))
        return Reply(names, content_type="application/json", delay_s=0.3)

    def find(request: Request) -> str | Reply:
        genre, author = request.value("g"), request.value("a")
        good = author in DEPENDENT.get(genre, [])
        return list_page(having(genre=genre, author=author)) if good else refused(400)

    routes: dict[str, Route] = {
        "/": case_pages("dependent-selects")[0],
        "/authors": authors,
        "/find": find,
    }
    with Served(routes) as site:
        with browsing.visit(site.url) as visit:
            one = visit.submit(("g", "Science fiction"), ("a", "Kai Morrow"))
            two = visit.submit(("g", "History"), ("a", "Omar Velt"))
            crossed = visit.submit(("g", "History"), ("a", "Kai Morrow"))
        assert [r.target for r in site.to("/find")] == [
            "/find?g=sf&a=Kai+Morrow",
            "/find?g=hi&a=Omar+Velt",
        ]
    assert one.outcome == two.outcome == "sent"
    assert dict(one.domains)[1][1].label == "Kai Morrow"
    assert (crossed.outcome, crossed.reason) == ("not_sent", "no_option: Kai Morrow")


def test_text_longer_than_its_box_is_not_sent(browsing: Browsing) -> None:
    with Served({"/": case_pages("maxlength-pattern")[0], "/find": by_title("t")}) as site:
        with browsing.visit(site.url) as visit:
            cut = visit.submit(("t", "Orchard"))
            bad = visit.submit(("t", "Salt"), ("code", "abc"))
            good = visit.submit(("t", "Glass"))
        assert [r.target for r in site.to("/find")] == ["/find?t=Glass&code="]
    assert (cut.outcome, cut.reason) == ("not_sent", "too_long: Orchard")
    assert bad.outcome == "not_sent"
    assert bad.reason.startswith("refused: code")
    assert good.outcome == "sent"


def test_a_number_out_of_range_is_refused_by_the_browser(browsing: Browsing) -> None:
    with Served({"/": case_pages("typed-fields")[0], "/find": by_year}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("y", "1700"))
        assert site.to("/find") == []
    assert sent.outcome == "not_sent"
    assert sent.reason.startswith("refused: y")


def test_a_calendar_over_the_button_is_closed_first(browsing: Browsing) -> None:
    def find(request: Request) -> str:
        day, month, year = ([*request.value("d").split("/"), "", ""])[:3]
        since = f"{year}-{month}-{day}"
        return list_page(r for r in RECORDS if f"{r.year}-07-01" >= since)

    with Served({"/": case_pages("date-popup-text")[0], "/find": find}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("d", "31/12/2010"))
        assert [r.target for r in site.to("/find")] == ["/find?d=31%2F12%2F2010"]
    assert sent.page is not None
    assert len(found(sent.page.html)) == 6
    assert sent.duration_s < 8


def test_a_cookie_layer_is_refused_once_a_session(browsing: Browsing) -> None:
    choices = "<script>const keep = ok; ok = v => { fetch('/choice?' + v); keep(v); };</script>"
    page = case_pages("cookie-overlay")[0] + choices
    with Served({"/": page, "/find": by("genre", "g"), "/choice": "ok"}) as site:
        with browsing.visit(site.url) as visit:
            for value in ("Science fiction", "Poetry"):
                assert visit.submit(("g", value)).outcome == "sent"
        assert [r.query for r in site.to("/choice")] == ["min"]
        assert [r.target for r in site.to("/find")] == ["/find?g=sf", "/find?g=po"]


def test_a_remembered_search_does_not_mix_with_the_next(browsing: Browsing) -> None:
    last: dict[str, str] = {}

    def page(_: Request) -> str:
        html = case_pages("sticky-search-state")[0]
        for value in last.values():
            html = html.replace(f'value="{value}"', f'value="{value}" selected') if value else html
        return html

    def find(request: Request) -> str:
        last.update({k: v[0] for k, v in request.values.items()})
        return list_page(having(genre=last.get("g", ""), language=last.get("l", "")))

    with Served({"/": page, "/find": find}) as site, browsing.visit(site.url) as visit:
        one = visit.submit(("g", "Science fiction"))
        two = visit.submit(("l", "French"))
    assert one.page is not None
    assert two.page is not None
    assert (len(found(one.page.html)), len(found(two.page.html))) == (4, 3)


def test_an_address_that_rules_forbid_is_never_asked_for(browsing: Browsing) -> None:
    page = f"<form action=/find>{GENRE_SELECT}<button>Find</button></form>"
    with Served({"/": page, "/find": by("genre", "g")}) as site:
        with browsing.visit(site.url, blocked=lambda url: "/find" in url) as visit:
            sent = visit.submit(("g", "Poetry"))
        assert site.to("/find") == []
    assert (sent.outcome, sent.reason) == ("not_sent", "robots")
