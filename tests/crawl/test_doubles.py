"""Doubles: one page under several addresses is visited once, or as often as it takes to see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.page.answer import page_from_html
from hiwe.page.head import leads_of
from hiwe_fixtures.garden import prose
from tests.plainly import crawl_plainly
from tests.served import Served, redirect

NAMES = ("ash", "elm", "oak", "yew", "fir")


def page(seed, *links):
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return f"<title>{seed}</title><p>{prose(seed)}</p>{anchors}"


def visited(tmp_path, routes, **settings):
    """Paths and queries of the pages asked for, in order."""
    with Served(routes) as site:
        result = crawl_plainly(tmp_path, site.url, **settings)
        assert result.status == "finished"
        return [request.target for request in site.log if request.target != "/robots.txt"]


def by_any_end(request):
    return page(request.path.rstrip("/").removesuffix("/index.html"))


@pytest.mark.parametrize("end", ["/", "/index.html"])
def test_an_end_that_made_no_difference_once_makes_none_for_the_host(tmp_path, end):
    links = [f"/{name}{e}" for name in NAMES for e in ("", end)]
    routes = {"/": page("start", *links), **{f"/{name}*": by_any_end for name in NAMES}}
    asked = visited(tmp_path, routes)
    assert len(asked) == 1 + len(NAMES) + 1  # of one name both, of the others one


def test_a_slash_that_the_server_adds_by_redirect_is_evidence_too(tmp_path):
    routes = {"/": page("start", *(f"/{name}" for name in NAMES))}
    for name in NAMES:
        routes[f"/{name}"] = redirect(f"/{name}/", 301)
        routes[f"/{name}/"] = page(name, *(f"/{other}/" for other in NAMES))
    asked = visited(tmp_path, routes)
    assert sorted(asked) == sorted(["/", *(f"/{n}{e}" for n in NAMES for e in ("", "/"))])


def test_where_a_slash_makes_a_difference_both_pages_are_seen(tmp_path):
    links = [f"/{name}{end}" for name in NAMES for end in ("", "/")]
    asked = visited(tmp_path, {"/": page("start", *links), **{link: page(link) for link in links}})
    assert sorted(asked) == sorted(["/", *links])


def test_links_of_a_mirrored_page_are_followed_once(tmp_path):
    house = page("house", "kitchen", "cellar")
    routes = {
        "/": page("start", "/one/house", "/two/house"),
        **{f"/{side}/house": house for side in ("one", "two")},
        **{f"/{side}/{room}": page(f"{side}{room}") for side in ("one", "two")
           for room in ("kitchen", "cellar")},
    }  # fmt: skip
    assert len(visited(tmp_path, routes)) == 1 + 2 + 2


def test_a_page_too_short_to_be_compared_is_known_by_its_digest(tmp_path):
    routes = {"/": page("start", "/one/a", "/two/a")}
    routes |= {f"/{side}/a": '<a href="b">Next</a>' for side in ("one", "two")}
    routes |= {f"/{side}/b": page(side) for side in ("one", "two")}
    assert len(visited(tmp_path, routes)) == 1 + 2 + 1


def test_a_page_that_calls_another_one_its_own_address_is_taken_for_it(tmp_path):
    other = '<link rel="canonical" href="/film"><p>Print version.</p>'
    routes = {
        "/": page("start", "/film", "/film-print"),
        "/film": page("film"),
        "/film-print": page("film", "/only-here") + other + f"<p>{prose('print')[:90]}</p>",
        "/only-here": page("only"),
    }
    assert "/only-here" not in visited(tmp_path, routes)


def test_what_redirects_lead_to_is_not_asked_for_again(tmp_path):
    routes = {
        "/": page("start", "/go?to=film", "/film", "/go?to=cast"),
        "/go": lambda request: redirect(f"/{request.value('to')}"),
        "/film": page("film"),
        "/cast": page("cast", "/film"),
    }
    asked = visited(tmp_path, routes)
    assert asked.count("/film") <= 2  # by the redirect, and by itself if that came first
    assert asked.count("/cast") == 1


@pytest.mark.parametrize(
    ("html", "rendered", "expected"),
    [
        ('<meta http-equiv="refresh" content="30; url=/later">', False, ["/later"]),
        ("<meta http-equiv=Refresh content=\"30;URL='/later'\">", False, ["/later"]),
        ('<meta http-equiv="refresh" content="30">', False, []),
        ('<base href="/deep/"><meta http-equiv="refresh" content="9; later">', False,
         ["/deep/later"]),
        ('<frameset><frame src="/menu"><frame src="/main"></frameset>', True, ["/menu"]),
        ('<iframe src="/menu"></iframe><iframe src="about:blank"></iframe>', True, ["/menu"]),
        ('<meta http-equiv="refresh" content="9; /seen"><a href="/seen">S</a>', False, []),
    ],
)  # fmt: skip
def test_where_a_page_leads_by_itself(html, rendered, expected):
    found = page_from_html("http://h.org/", html, 200)
    if rendered:
        found = replace(found, frames=("http://h.org/", "http://h.org/main"))
    assert [link.url for link in leads_of(found)] == [f"http://h.org{path}" for path in expected]
