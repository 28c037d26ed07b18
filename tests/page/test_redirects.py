"""Redirects that go round, and those that only look so."""

from __future__ import annotations

import pytest

from hiwe.page.redirects import goes_round
from tests.served import Served, redirect

H = "http://h.org"


@pytest.mark.parametrize(
    ("chain", "round_"),
    [
        (["/a"], False),
        (["/a", "/a/", "/a/en/"], False),
        (["/a", "/cookie?to=/a", "/a"], False),
        (["/a", "/a?set=1", "/a"], False),
        (["/a", "/a?set=1", "/a", "/a?set=1", "/a"], True),
        (["/a", "/b", "/a", "/b", "/a"], True),
        (["/loop", "/loop?n=1", "/loop?n=2"], False),
        (["/loop", "/loop?n=1", "/loop?n=2", "/loop?n=3"], True),
        (["/r/1", "/r/2", "/r/3", "/r/4"], True),
        (["/s/a1b2c3d4e5/x", "/s/b2c3d4e5f6/x", "/s/c3d4e5f6a7/x", "/s/d4e5f6a7b8/x"], True),
        (["/login", "/sso", "/sso/check", "/back", "/home"], False),
    ],
)
def test_a_chain_that_comes_to_one_place_too_often_goes_round(chain, round_):
    assert goes_round([H + path for path in chain]) is round_


def test_places_are_of_one_host():
    assert not goes_round([f"http://{name}.org/a" for name in "abcd"])


def counter(request):
    return int(request.value("n") or 0) + 1


@pytest.mark.browser
@pytest.mark.parametrize(
    "answer",
    [
        "<p>Here</p><script>location.reload()</script>",
        lambda r: f"<p>Here</p><script>location.href = '/?n={counter(r)}'</script>",
        lambda r: redirect(f"/?n={counter(r)}"),
    ],
    ids=["reload", "script", "redirect"],
)
def test_a_page_that_opens_itself_again_and_again_is_asked_for_a_few_times(browsing, answer):
    with Served({"/": answer}) as site:
        browsing.page(site.url, blocked=lambda url: False)
        assert 2 <= len(site.to("/")) <= 3


@pytest.mark.browser
def test_a_page_that_loads_itself_anew_once_it_has_its_cookie_is_read(browsing):
    def answer(request):
        if request.cookie("seen") != "2":
            more = "1" if not request.cookie("seen") else "2"
            return f"<script>document.cookie = 'seen={more}'; location.href = '/?n={more}'</script>"
        return "<p>Welcome</p>"

    with Served({"/": answer}) as site:
        found = browsing.page(site.url, blocked=lambda url: False)
        assert "Welcome" in found.html
