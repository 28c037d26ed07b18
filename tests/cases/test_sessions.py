"""Whole crawls of sites with a memory: tokens, sessions, log-ins, limits, robots.txt."""

from __future__ import annotations

import base64
import re
from itertools import count, pairwise

import pytest

from tests.cases.kit import (
    genre_form,
    genre_options,
    ids,
    of_genre,
    of_year,
    only_form,
    queries,
    strict,
    verdict_of,
    year_form,
)
from tests.catalogue import RECORDS, having, hits, list_page
from tests.crawling import crawl
from tests.served import Reply, Served, redirect, refused

pytestmark = pytest.mark.browser

SIX = [1, 3, 5, 9, 10, 12]  # science fiction and poetry
NEWS = "".join(f'<li><a href="/news/{n}">Notice number {n}</a></li>' for n in range(10))
LOGIN = f"""<form action="/login" method="post"><label>User <input name="u"></label>
  <label>Password <input name="p" type="password"></label><button>Log in</button></form>
  <ul class="news">{NEWS}</ul>"""


def stateful_list(states):
    """A form whose page state is good for one post; its pager posts the form by script."""

    def page(listed=""):
        state = f"s{len(states)}"
        states.append(state)
        return f"""<form id="f" action="/list.aspx" method="post">
          <input type="hidden" name="__EVENTTARGET" id="et">
          <input type="hidden" name="__EVENTARGUMENT" id="ea">
          <input type="hidden" name="__VIEWSTATE" value="{state}">
          <input type="hidden" name="__EVENTVALIDATION" value="v{state}">
          <label>Genre <select name="g"><option value="*">All genres</option>
          <option value="sf">Science fiction</option></select></label>
          <input type="submit" name="btn" value="Search">{listed}</form>
          <script>function __doPostBack(t, a) {{ et.value = t; ea.value = a; f.submit(); }}
          </script>"""

    def post(request):
        if request.value("__VIEWSTATE") != states[-1]:
            return "<p>The state is not valid</p>"
        code = request.value("g")
        found = having(genre="" if code == "*" else code)
        number = int(request.value("__EVENTARGUMENT").partition("$")[2] or 1)
        shown = found[5 * (number - 1) : 5 * number]
        links = "".join(
            f"""<a href="javascript:__doPostBack('grid','Page${n}')">{n}</a> """
            if n != number
            else f"<b>{n}</b> "
            for n in range(1, -(-len(found) // 5) + 1)
        )
        chosen_all = page(
            f'<h1>Results</h1><p>{len(found)} records found</p><ol class="hits">{hits(shown)}</ol>'
            f"<p>{links if len(found) > 5 else ''}</p>"
        )
        return chosen_all.replace(f'value="{code}"', f'value="{code}" selected')

    return {"/": lambda request: page(), "POST /list.aspx": post}


def test_a_pager_that_posts_the_page_state_is_followed_with_the_newest_state(browsing, tmp_path):
    states = []
    routes = stateful_list(states)
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        posts = site.to("/list.aspx")
    searches = [r for r in posts if not r.value("__EVENTTARGET")]
    turns = [r.value("__EVENTARGUMENT") for r in posts if r.value("__EVENTTARGET")]
    assert sorted(r.value("g") for r in searches) == ["*", "sf"]
    assert turns == ["Page$2", "Page$3"]
    assert [e.name for e in only_form(result).elements] == ["g"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == list(range(1, 13))


def test_a_token_that_has_expired_is_fetched_anew_and_the_assignment_sent_again(browsing, tmp_path):
    numbers, good = count(), set()

    def page(request):
        number = next(numbers)
        if number != 1:  # the second form page is stale when it comes
            good.add(f"t{number}")
        token = f'<input type="hidden" name="_token" value="t{number}">'
        return genre_form("sf", "hi", "co", "po", attributes='action="/find" method="post"',
                          inside=token)  # fmt: skip

    def find(request):
        if request.value("_token") not in good:
            return Reply("<h1>Page expired</h1>", 419)
        good.discard(request.value("_token"))
        return of_genre(request)

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) == 5
    assert result.verdicts == ["results"] * 4
    assert len(result.submissions) == 4
    assert len(ids(result)) == 12


def test_being_sent_to_the_log_in_stops_the_site_and_leaves_the_rest_open(browsing, tmp_path):
    asked = count()

    def find(request):
        return of_year(request) if next(asked) < 3 else redirect("/login?next=" + request.target)

    with Served({"/": year_form(), "/find": find, "/login": LOGIN}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert all(r.method == "GET" for r in site.to("/login"))
        assert 4 <= len(site.to("/find")) <= 3 + 5
    assert result.verdicts.count("results") == 3
    assert "no_results" not in result.verdicts
    assert len(ids(result)) == 3
    assert result.sites[site.url]
    assert any("login" in text or "log-in" in text for text in result.events)


def test_a_search_that_the_server_remembers_does_not_spoil_the_next_one(browsing, tmp_path):
    kept = {}

    def state(request):
        return kept.setdefault(request.cookie("sid"), {"genre": "", "language": ""})

    def page(request):
        if not request.cookie("sid"):
            return Reply(shown(state(request)), headers=(("Set-Cookie", f"sid=s{len(kept)}"),))
        return shown(state(request))

    def shown(known):
        text = f"""<form action="/find"><label>Genre <select name="g"><option value="">any</option>
          {genre_options("sf", "co")}</select></label><label>Language <select name="l">
          <option value="">any</option><option value="en">English</option>
          <option value="fr">French</option></select></label><button>Find</button></form>
          <a href="/reset">New search</a>"""
        for code in known.values():
            text = text.replace(f'value="{code}"', f'value="{code}" selected') if code else text
        return text

    def find(request):
        known = state(request)
        for name, field in (("g", "genre"), ("l", "language")):
            if name in request.values:
                known[field] = request.value(name)
        return list_page(having(**known))

    def reset(request):
        state(request).update(genre="", language="")
        return redirect("/")

    with Served({"/": page, "/find": find, "/reset": reset}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert all(set(r.values) == {"g", "l"} for r in site.to("/find"))
    found = {tuple(b.value for b in s.assignment.bindings): s.records for s in result.sent}
    assert (found[("Science fiction",)], found[("Cookery",)]) == (4, 3)
    assert (found[("English",)], found[("French",)]) == (6, 3)


def test_a_session_number_in_addresses_makes_nothing_new(browsing, tmp_path):
    numbers = count(0x8F3C21AA, 7919)

    def with_session(body):
        return lambda request: body(request).replace("SID", f"{next(numbers):08x}")

    def page(request):
        hidden = '<input type="hidden" name="sid" value="SID">'
        return genre_form("sf", "po", inside=hidden) + (
            '<a href="/about?sid=SID">About</a> <a href="/?sid=SID">Start</a>'
        )

    def find(request):
        found = re.sub(r'(/item/\d+)"', r'\1?sid=SID"', of_genre(request))
        return found + '<a href="/about?sid=SID">About</a>'

    def about(request):
        return '<h1>About</h1><a href="/?sid=SID">Start</a> <a href="/about?sid=SID">About</a>'

    routes = {"/": with_session(page), "/find": with_session(find), "/about": with_session(about)}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert sorted(r.value("g") for r in site.to("/find")) == ["po", "sf"]
        assert all(len(r.value("sid")) == 8 for r in site.to("/find"))
        assert len(site.to("/about")) == 1
    assert len(result.forms) == 1
    assert len(result.sent) == 2
    assert len(result.records) == 6


def test_a_form_whose_address_robots_forbid_is_listed_and_not_sent(browsing, tmp_path):
    page = genre_form("sf") + genre_form("po", "co", attributes='action="/browse"')
    robots = Reply("User-agent: *\nDisallow: /find\n", content_type="text/plain")
    routes = {"/": page, "/robots.txt": robots, "/find": of_genre, "/browse": of_genre}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert site.to("/find") == []
        assert queries(site.to("/browse")) == ["g=co", "g=po"]
    reasons = {f.form.action.rpartition("/")[2]: (f.decision, f.reason) for f in result.forms}
    assert reasons["find"] == ("skipped", "robots")
    assert reasons["browse"][0] == "chosen"
    assert (result.verdicts, strict(result)) == (["results"] * 2, 1.0)
    assert len(ids(result)) == 5


def test_after_a_429_the_host_rests_and_the_same_assignment_follows(browsing, tmp_path):
    answered, refusals = [], []

    def find(request):
        since = refusals[-1].at if refusals else 0.0
        if len([r for r in answered if r.at > since]) >= 2 or request.at < since + 4:
            refusals.append(request)
            return Reply("<p>Too many requests.</p>", 429, headers=(("Retry-After", "4"),))
        answered.append(request)
        return of_genre(request)

    with Served({"/": genre_form("sf", "hi", "co", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        log = list(site.log)
    assert 1 <= len(refusals) <= 2
    for refusal, after in pairwise(log):
        if refusal in refusals:
            assert after.at - refusal.at >= 4
    again = next(r for r in log if r.path == "/find" and r.at > refusals[0].at)
    assert again.query == refusals[0].query
    assert result.verdicts == ["results"] * 4
    assert len(result.submissions) == 4
    assert len(ids(result)) == 12


def guarded(form):
    """A site that answers nothing without user and password."""
    wanted = "Basic " + base64.b64encode(b"lib:quiet").decode()

    def guard(answer):
        def route(request):
            if request.header("authorization") != wanted:
                ask = (("WWW-Authenticate", 'Basic realm="Library"'),)
                return Reply("<p>Log in, please.</p>", 401, headers=ask)
            return answer(request) if callable(answer) else answer

        return route

    missing = refused(404)
    return {"/": guard(form), "/find": guard(of_genre), "/robots.txt": guard(missing)}


def test_a_guarded_site_is_crawled_with_its_log_in(browsing, tmp_path):
    with Served(guarded(genre_form("sf", "po"))) as site:
        result = crawl(
            browsing, tmp_path, site.url, credentials={"user": "lib", "password": "quiet"}
        )
    assert result.status == "finished"
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX


def test_a_guarded_site_is_left_without_a_log_in(browsing, tmp_path):
    with Served(guarded(genre_form("sf", "po"))) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/")) <= 2
        assert site.to("/find") == []
    assert result.status == "failed"
    assert "log" in result.sites[site.url].lower()
    assert result.sent == []


def test_an_answer_that_comes_too_late_is_an_error_and_no_other_ones_answer(browsing, tmp_path):
    def find(request):
        delay_s = 24.0 if request.value("g") == "co" else 0.0
        return Reply(of_genre(request), delay_s=delay_s)

    with Served({"/": genre_form("sf", "hi", "co", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, browser={"timeout_s": 8})
        assert [r.query for r in site.to("/find")].count("g=co") == 2
        assert len(site.to("/find")) == 5
    told = verdict_of(result)
    assert told[("Cookery",)][0] == "error"
    assert "time" in told[("Cookery",)][1]
    assert [told[(g,)][0] for g in ("Science fiction", "History", "Poetry")] == ["results"] * 3
    assert ids(result) == [r.id for r in RECORDS if r.genre != "co"]
    assert strict(result) == 0.75
