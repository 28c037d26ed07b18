"""Scope: hosts, paths, depth, kinds of file."""

from __future__ import annotations

import pytest

from hiwe.crawl.scope import Scope, names_no_page

START = "http://www.example.org:8701/search"


@pytest.mark.parametrize(
    ("hosts", "url", "reason"),
    [
        ("same", "http://www.example.org:8701/x", None),
        ("same", "http://example.org:8701/x", None),
        ("same", "http://www.example.org/x", "host"),
        ("same", "http://films.example.org:8701/x", "host"),
        ("same", "http://notexample.org:8701/x", "host"),
        ("domain", "http://films.example.org/x", None),
        ("domain", "http://example.net/x", "host"),
        (("films.example.net",), "http://films.example.net/x", None),
        (("films.example.net",), "http://films.example.net:81/x", None),
        (("films.example.net:81",), "http://films.example.net/x", "host"),
        (("*.example.net",), "http://a.b.example.net/x", None),
        (("*.example.net",), "http://badexample.net/x", "host"),
        (("films.example.net",), "http://www.example.org:8701/x", None),
    ],
)
def test_hosts(hosts, url, reason):
    assert Scope(START, hosts).refusal(url) == reason


def test_two_ports_of_one_machine_are_two_hosts():
    assert Scope("http://127.0.0.1:8701/", "domain").refusal("http://127.0.0.1:8702/") == "host"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://h.org/catalog/a", None),
        ("http://h.org/help", "path"),
        ("http://h.org/start", None),
    ],
)
def test_paths(url, reason):
    assert Scope("http://h.org/start", paths=("/catalog/",)).refusal(url) == reason


def test_depth():
    scope = Scope(START, depth=2)
    assert scope.refusal(START, 2) is None
    assert scope.refusal(START, 3) == "depth"


@pytest.mark.parametrize(
    ("path", "no_page"),
    [
        ("/a.pdf", True),
        ("/a.PDF?download=1", True),
        ("/a.tar.gz", True),
        ("/%61.zip", True),
        ("/a.html", False),
        ("/a.php", False),
        ("/v1.2", False),
        ("/.zip", False),
        ("/a.zip/", False),
        ("/find?file=a.zip", False),
        ("/", False),
    ],
)
def test_what_holds_no_form_is_told_by_its_ending(path, no_page):
    assert names_no_page(f"http://h.org{path}") is no_page
