"""Submissions as a person would make them: the request log of the served page is the oracle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.catalogue import RECORDS, having, list_page, titled
from tests.served import Reply, Served, by, by_title, case_pages, redirect, refused

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def with_view(request: Request) -> str | Reply:
    """A route that insists on the button's own name."""
    return by_author(request) if request.value("view") == "list" else refused(400)


def with_list(request: Request) -> str | Reply:
    """A route that insists on one of two buttons."""
    names = set(request.values)
    return list_page(titled(request.value("t"))) if names == {"t", "list"} else refused(400)


def with_point(request: Request) -> str | Reply:
    """A route that insists on the point where an image was pressed."""
    point = [request.value("go.x"), request.value("go.y")]
    good = all(p.isdigit() for p in point) and "go" not in request.values
    return list_page(titled(request.value("t"))) if good else refused(400)


def without_shelf(request: Request) -> str | bytes | Reply:
    """A route that refuses what the address of a GET form held."""
    return refused(400) if "shelf" in request.values else by_title("t")(request)


def in_1252(request: Request) -> str:
    """A route that reads its query as windows-1252."""
    word = request.query.partition("=")[2].replace("+", " ")
    text = bytes.fromhex(
        "".join(
            word[i + 1 : i + 3] if c == "%" else f"{ord(c):02x}"
            for i, c in enumerate(word)
            if not (i >= 1 and word[i - 1] == "%") and not (i >= 2 and word[i - 2] == "%")
        )
    ).decode("windows-1252")
    return list_page(titled(text))


def added_since(request: Request) -> str | Reply:
    """A route for a native date: records of 1 July of their year, on or after the date."""
    return list_page(r for r in RECORDS if f"{r.year}-07-01" >= request.value("d"))


def multipart(request: Request) -> str | Reply:
    """A route that reads multipart bodies alone."""
    if not request.header("content-type").startswith("multipart/form-data"):
        return refused(415)
    text = request.body.decode()
    assert 'name="a"' in text
    return list_page(r for r in RECORDS if f"\r\n\r\n{r.author}\r\n" in text)


CASES: dict[str, tuple[dict[str, Route], str, Sequence[str], str, int]] = {
    # name: routes, element, values, target of the last value's request, records in all
    "button-outside-form": (
        {"/find": with_view}, "a", ["Ida Fenwick", "Omar Velt"],
        "/find?a=Omar+Velt&view=list", 5),
    "multi-submit": (
        {"/find": with_list}, "t", ["Glass", "Salt"], "/find?t=Salt&list=Find+titles", 2),
    "get-action-query": ({"/find": without_shelf}, "t", ["Glass"], "/find?t=Glass", 1),
    "accept-charset-1252": ({"/find": in_1252}, "t", ["Ponts", "Café"], "/find?t=Caf%E9", 1),
    "datalist": (
        {"/find": lambda r: list_page(
            x for x in RECORDS if {"sf": "Science fiction", "hi": "History"}.get(x.genre)
            == r.value("g"))},
        "g", ["Science fiction", "History"], "/find?g=History", 7),
    "date-native": (
        {"/find": added_since}, "d", ["2010-12-31", "2016-01-01"], "/find?d=2016-01-01", 6),
    "aria-combobox": (
        {"/find": by("genre", "g")}, "Genre", ["Science fiction", "Poetry"], "/find?g=po", 6),
    "honeypot-stylesheet": (
        {"/find": by_title("t"), "/s.css": Reply(".extra{display:none}", 200, "text/css")},
        "t", ["Glass", "Brass"], "/find?t=Brass&url=", 2),
    "typed-fields": (
        {"/find": by_year}, "y", ["1994", "2011"], "/find?y=2011&mail=&tel=", 2),
    "alert-on-submit": (
        {"/find": lambda r: list_page(having(genre=r.value("g")))
         + "<script>alert('Welcome')</script>"},
        "g", ["Science fiction", "Poetry"], "/find?g=po", 6),
    "target-blank": (
        {"/find": by("genre", "g")}, "g", ["Science fiction", "History"], "/find?g=hi", 7),
    "get-select-onchange": (
        {"/shelf": by("genre", "g")}, "g", ["Science fiction", "History"], "/shelf?g=hi", 7),
    "no-form-controls": (
        {"/find": lambda r: list_page(
            x for x in RECORDS if r.value("q").lower() in x.title.lower())},
        "tw", ["Glass", "Brass"], "/find?q=Brass", 2),
    "table-form-early-close": (
        {"/find": lambda r: list_page(titled(r.value("t")))}, "t", ["Glass"],
        "/find?t=Glass&y=", 1),
    "dup-ids": (
        {"/find": lambda r: list_page(having(author=r.value("b")))}, "b", ["Omar Velt"],
        "/find?a=&b=Omar+Velt", 2),
    "dup-mobile-desktop": (
        {"/find": by("genre", "g")}, "g", ["Science fiction", "Poetry"], "/find?g=po", 6),
    "shadow-open-form": (
        {"/find": by_author}, "a", ["Ida Fenwick", "Lena Storm"], "/find?a=Lena+Storm", 4),
    "radio-legend": (
        {"/find": by("format", "fmt")}, "fmt", ["Paper", "E-book", "Audio"], "/find?fmt=a", 12),
    "optgroup": ({"/find": by("genre", "g")}, "g", ["Poetry", "Cookery"], "/find?g=co", 5),
    "image-submit": ({"/find": with_point}, "t", ["Glass", "Salt"], "", 2),
    "method-dialog": ({"/find": by_title("t")}, "t", ["Glass"], "/find?t=Glass", 1),
    "wrong-first-form": ({"/find": by("genre", "g")}, "g", ["Poetry"], "/find?g=po", 2),
    "disabled-until-script": (
        {"/find": lambda r: refused(400) if "promo" in r.values else by("genre", "g")(r)},
        "g", ["Science fiction", "Poetry"], "/find?g=po", 6),
    "beforeunload": (
        {"/find": lambda r: list_page(having(genre=r.value("g")))
         + "<script>onbeforeunload=e=>{e.preventDefault();e.returnValue='x'}</script>"},
        "g", ["Science fiction", "Poetry"], "/find?g=po", 6),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_value_reaches_the_server_as_a_browser_sends_it(name: str, browsing: Browsing) -> None:
    routes, element, values, last, records = CASES[name]
    seen: set[int] = set()
    with Served({"/": case_pages(name)[0], **routes}) as site:
        with browsing.visit(site.url) as visit:
            for value in values:
                sent = visit.submit((element, value))
                assert (sent.outcome, sent.reason) == ("sent", "")
                assert sent.page is not None
                assert sent.page.status == 200
                assert all(fill.ok for fill in sent.fills)
                seen |= set(found(sent.page.html))
        path = next(k for k in routes if k in ("/find", "/shelf"))
        assert len(site.to(path)) == len(values)
        if last:
            assert site.to(path)[-1].target == last
            assert sent.request is not None
            assert sent.request.url == site.at(last)
    assert len(seen) == records


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
