"""Plain HTTP: an answer is an Exchange, and so is none."""

from __future__ import annotations

import gzip
import time

from hiwe.page.http import HttpClient
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
