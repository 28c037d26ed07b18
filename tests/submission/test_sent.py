"""Each value of a served case reaches the server as a browser sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.catalogue import RECORDS, having, list_page, titled
from tests.served import Reply, Served, by, by_title, case_pages, refused

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
