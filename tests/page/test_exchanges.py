"""Exchanges are what went over the wire, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.served import Reply, Served, redirect

if TYPE_CHECKING:
    from tests.browsing import Browsing
    from tests.served import Route

pytestmark = pytest.mark.browser


def test_an_exchange_is_what_went_over_the_wire(browsing: Browsing) -> None:
    headers = (("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Odd", "two  spaces"))
    with Served({"/": Reply("<p>x</p>", headers=headers), "/go": redirect("/", 307)}) as site:
        page = browsing.page(site.at("/go"))
        logged = [r.headers for r in site.log]
    first, second = page.exchanges
    assert (first.status, first.url, second.status) == (307, site.at("/go"), 200)
    assert first.header("location") == "/"
    assert [pair for pair in second.response_headers if pair in headers] == list(headers)
    assert sorted(first.request_headers) == sorted(logged[0])
    assert sorted(second.request_headers) == sorted(logged[1])
    assert 0 < second.duration_s < 10


@pytest.mark.parametrize(
    ("declared", "charset"),
    [
        ("windows-1252", "windows-1252"),
        ("iso-8859-1", "windows-1252"),
        ("koi8-r", "koi8-r"),
        ("shift_jis", "shift_jis"),
        ("utf-8", "utf-8"),
    ],
)
def test_a_body_is_kept_byte_for_byte(declared: str, charset: str, browsing: Browsing) -> None:
    words = {"koi8-r": "Тихий", "shift_jis": "日本"}.get(charset, "Café")
    body = f"<html><head><title>x</title></head><body>{words}".encode(charset)
    with Served({"/": Reply(body, content_type=f"text/html; charset={declared}")}) as site:
        page = browsing.page(site.url)
    assert page.exchanges[0].body == body
    assert words in page.html


def test_a_charset_that_the_page_itself_names_keeps_its_bytes(browsing: Browsing) -> None:
    body = '<meta charset="windows-1252"><p>Café € 5'.encode("windows-1252")
    with Served({"/": Reply(body, content_type="text/html")}) as site:
        page = browsing.page(site.url)
    assert "Café € 5" in page.html
    assert page.exchanges[0].body == body


def test_what_scripts_ask_for_is_recorded_with_its_body(browsing: Browsing) -> None:
    script = (
        "<link rel=stylesheet href=/s.css><script src=/s.js></script><div id=o></div><script>"
        "fetch('/api', {method: 'POST', body: JSON.stringify({q: 'é'})}).then(r => r.text())"
        ".then(t => { o.textContent = t; const x = new XMLHttpRequest();"
        " x.open('GET', '/x?1'); x.onload = () => { o.textContent += x.responseText; };"
        " x.send(); });</script>"
    )
    routes: dict[str, Route] = {
        "/": script, "POST /api": Reply("one ", delay_s=0.2), "/x": Reply("two", delay_s=0.2),
        "/s.css": Reply("p{}", 200, "text/css"), "/s.js": Reply("1;", 200, "text/javascript"),
    }  # fmt: skip
    with Served(routes) as site:
        page = browsing.page(site.url)
    assert "one two" in page.html
    kinds = {e.url.rsplit("/", 1)[1]: (e.kind, e.body) for e in page.exchanges}
    assert kinds["api"] == ("fetch", b"one ")
    assert kinds["x?1"] == ("xhr", b"two")
    assert kinds["s.css"] == ("stylesheet", b"p{}")
    assert kinds["s.js"] == ("script", b"1;")
    assert next(e for e in page.exchanges if e.kind == "fetch").request_body == '{"q":"é"}'.encode()


def test_images_and_fonts_are_not_loaded(browsing: Browsing) -> None:
    html = (
        "<style>@font-face{font-family:f;src:url(/f.woff2)} p{font-family:f;"
        "background:url(/b.png)}</style><p>text<img src=/i.png><video src=/v.mp4></video>"
    )
    with Served({"/": html}) as site:
        browsing.page(site.url)
        assert [r.path for r in site.log] == ["/"]
