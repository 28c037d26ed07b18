"""Plain HTTP: an answer is an Exchange, and so is none."""

from __future__ import annotations

import gzip
import time

from hiwe.page.answer import page_of_answer
from hiwe.page.cookies import Cookie
from hiwe.page.http import HttpClient, HttpSession
from hiwe.page.network import BLOCKED
from hiwe.page.request import Request
from tests.served import Reply, Served, redirect


def test_an_answer_is_an_exchange() -> None:
    headers = (("X-Odd", "one"), ("X-Odd", "two"))
    with Served({"/robots.txt": Reply("User-agent: *", 200, "text/plain", headers)}) as site:
        client = HttpClient("hiwe/1 (+mailto:a@b.example)")
        got = client.get(site.at("/robots.txt"), 5.0)
        client.close()
        assert site.log[0].header("user-agent") == "hiwe/1 (+mailto:a@b.example)"
    assert (got.status, got.body, got.content_type, got.error) == (
        200,
        b"User-agent: *",
        "text/plain",
        "",
    )
    assert [v for k, v in got.response_headers if k == "X-Odd"] == ["one", "two"]


def test_redirects_are_followed_and_bodies_unpacked() -> None:
    packed = Reply(gzip.compress(b"<urlset/>"), 200, "text/xml", (("Content-Encoding", "gzip"),))
    with Served({"/a": redirect("/b", 301), "/b": packed}) as site:
        client = HttpClient("x")
        got = client.get(site.at("/a"), 5.0)
        client.close()
        assert got.url == site.at("/b")
    assert got.body == b"<urlset/>"


def test_an_error_of_the_site_is_no_failure() -> None:
    with Served({}) as site:
        client = HttpClient("x")
        assert client.get(site.at("/robots.txt"), 5.0).status == 404
        client.close()


def test_no_answer_has_status_0_and_says_why(unreachable_url: str) -> None:
    client = HttpClient("x")
    for url in (unreachable_url, "http://no-such-host.invalid/", "nonsense"):
        got = client.get(url, 5.0)
        assert (got.status, got.body) == (0, b"")
        assert got.error
    client.close()


def test_a_site_that_does_not_answer_is_given_up_in_time() -> None:
    with Served({"/": Reply("x", delay_s=3.0)}) as site:
        client = HttpClient("x")
        began = time.monotonic()
        got = client.get(site.url, 0.5)
        client.close()
        assert time.monotonic() - began < 2.5
    assert got.status == 0


def test_credentials_are_sent_by_basic_authentication() -> None:
    with Served({"/": "x"}) as site:
        client = HttpClient("x", credentials=("lib", "quiet"))
        client.get(site.url, 5.0)
        client.close()
        assert site.log[0].header("authorization") == "Basic bGliOnF1aWV0"


def test_a_session_sends_requests_as_they_are_and_keeps_each_hop() -> None:
    moved = Reply("", 302, headers=(("Location", "/c?q=%E9"), ("Set-Cookie", "n=1; Path=/")))
    with Served({"POST /a": moved, "/c": "<p>Here"}) as site:
        session = HttpSession()
        request = Request("POST", site.at("/a?~=%7E"), (("X-Odd", "1"),), b"q=1")
        hops = session.send(request, 5.0)
        assert [(r.method, r.target) for r in site.log] == [
            ("POST", "/a?~=%7E"),
            ("GET", "/c?q=%E9"),
        ]
        assert site.log[1].cookie("n") == "1"
        assert site.log[0].header("x-odd") == "1"
        session.close()
    assert [(hop.method, hop.status) for hop in hops] == [("POST", 302), ("GET", 200)]
    assert [(c.name, c.value, c.domain) for c in session.cookies()] == [("n", "1", "127.0.0.1")]


def test_a_redirect_to_a_forbidden_place_is_not_followed() -> None:
    with Served({"/a": redirect("/private")}) as site:
        session = HttpSession()
        hops = session.send(Request("GET", site.at("/a")), 5.0, forbids=lambda u: "private" in u)
        assert [r.target for r in site.log] == ["/a"]
        session.close()
    assert [(hop.status, hop.error) for hop in hops] == [(302, ""), (0, BLOCKED)]


def test_cookies_of_the_browser_are_sent() -> None:
    with Served({"/": "x"}) as site:
        session = HttpSession()
        session.take_cookies([Cookie("a", "1", "127.0.0.1"), Cookie("b", "2", "other.example")])
        session.send(Request("GET", site.url), 5.0)
        session.close()
        assert site.log[0].header("cookie") == "a=1"


def test_an_answer_becomes_the_page_that_a_browser_builds() -> None:
    body = "<meta charset=gbk><title>片</title><table><tr><td>片名</table>".encode("gbk")
    with Served({"/": Reply(body, content_type="text/html")}) as site:
        session = HttpSession()
        page = page_of_answer(session.send(Request("GET", site.url), 5.0))
        session.close()
    assert "<tbody><tr><td>片名</td></tr></tbody>" in page.html
    assert (page.title, page.status, len(page.exchanges)) == ("片", 200, 1)
