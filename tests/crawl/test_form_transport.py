"""Forms by plain HTTP: recorded, checked against the browser, checked again, turned back."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from hiwe.crawl.reanalyse import reanalyse
from tests.crawl.test_pager_transport import is_plain
from tests.crawling import crawl
from tests.served import Reply, Request, Served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.browsing import Browsing
    from tests.served import Answer

pytestmark = pytest.mark.browser

WORDS = [f"word{number:02}" for number in range(34)]
FORM = """<title>Shelf</title><h1>Search our shelf</h1><form action=/find{more}>{hidden}
<label>Title <input name=t></label><button name=go value=1>Search</button></form>"""


def form(hidden: str = "", more: str = "") -> str:
    """A page with a search form."""
    return FORM.format(hidden=hidden, more=more)


def books(request: Request, name: str = "t") -> str:
    """Two books of the title that was asked for."""
    word = request.value(name)
    items = "".join(
        f"<li><a href='/book/{word}/{i}'>The {word} of part {i}</a><p>Printed in {1900 + i}</p>"
        for i in range(2)
    )
    return f"<title>Books</title><h1>Books found</h1><ol class=results>{items}</ol>"


def table(count: int) -> dict[str, list[str]]:
    """A value set of so many titles."""
    return {"Title": WORDS[:count]}


def sent_to(site: Served, path: str) -> list[tuple[str, bool]]:
    """The titles asked for and whether by plain HTTP, in order."""
    return [(r.value("t"), is_plain(r)) for r in site.to(path)]


def test_after_three_checks_plain_http_and_one_in_25_again(
    browsing: Browsing, tmp_path: Path
) -> None:
    with Served({"/": form(), "/find": books}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(32), transport="adaptive")
        ways = "".join("p" if plain else "b" for _, plain in sent_to(site, "/find"))
        targets = {r.target.replace(r.value("t"), "") for r in site.to("/find")}
    assert ways == "bp" * 3 + "p" * 24 + "bp" + "p" * 4
    assert targets == {"/find?t=&go=1"}
    assert len(result.sent) == 32
    assert {s.transport for s in result.sent} == {"browser", "http"}
    assert len(result.records) == 64
    assert sum(event.startswith("check: ") for event in result.events) == 4
    assert result.forms[0].transport == "http"
    again = {one.key: one for one in reanalyse(result.out / "warc")}
    for sent in result.sent:
        assert sent.judgement is not None
        assert again[sent.key].judgement.verdict is sent.judgement.verdict
        assert len(again[sent.key].records) == sent.records == 2


def test_tokens_are_fresh_and_cookies_kept(browsing: Browsing, tmp_path: Path) -> None:
    unused: set[str] = set()
    refused: list[str] = []

    def page(request: Request) -> Answer:
        visitor = request.cookie("visitor") or "v1"
        token = f"{visitor}-{len(unused)}-{len(site.log)}-a8f3"
        unused.add(token)
        hidden = f"<input type=hidden name=token value={token}>"
        cookie = (("Set-Cookie", f"visitor={visitor}; Path=/; HttpOnly"),)
        return Reply(form(hidden, " method=post"), headers=cookie)

    def find(request: Request) -> Answer:
        token = request.value("token")
        if token not in unused or request.cookie("visitor") != "v1":
            refused.append(token)
            return Reply("<p>The form has expired.</p>", 403)
        unused.discard(token)
        return books(request)

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(6), transport="adaptive")
        ways = "".join("p" if plain else "b" for _, plain in sent_to(site, "/find"))
        plain = [r for r in site.to("/find") if is_plain(r)]
    assert refused == []
    assert ways == "bp" * 3 + "p" * 3
    assert len(result.records) == 12
    assert {r.header("origin") for r in plain} == {site.url.rstrip("/")}
    assert {r.header("referer") for r in plain} == {site.url}


def test_what_differs_once_goes_back_for_good(browsing: Browsing, tmp_path: Path) -> None:
    def picky(request: Request) -> Answer:
        many = sum(is_plain(r) for r in site.to("/find")) > 4
        return (
            Reply("<p>Robots are asked to leave.</p>", 403)
            if many and is_plain(request)
            else (books(request))
        )

    with Served({"/": form(), "/find": picky}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(9), transport="adaptive")
        ways = "".join("p" if plain else "b" for _, plain in sent_to(site, "/find"))
    assert ways == "bp" * 3 + "p" + "pbp" + "b" * 4  # refused; the browser is not, nor again
    assert len(result.records) == 18
    assert any("form back in the browser" in event for event in result.events)
    assert result.forms[0].transport == "browser"
    assert len(result.sent) == 9


def test_a_check_that_is_throttled_tells_nothing(browsing: Browsing, tmp_path: Path) -> None:
    def busy(request: Request) -> Answer:
        first = sum(is_plain(r) for r in site.to("/find")) == 1
        return Reply("Too many requests", 429) if first and is_plain(request) else books(request)

    with Served({"/": form(), "/find": busy}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(6), transport="adaptive")
        ways = "".join("p" if plain else "b" for _, plain in sent_to(site, "/find"))
    assert ways == "bp" * 4 + "p" * 2
    assert not [event for event in result.events if event.startswith("transport")]


def scripted(request: Request) -> str:
    """Results that a script writes into the page."""
    hits = json.dumps(books(request))
    return f"<title>Books</title><div id=hits></div><script>hits.innerHTML = {hits}</script>"


def token_by_script(request: Request) -> str:
    """A form whose script adds a field when it is sent."""
    return form() + (
        "<script>document.forms[0].onsubmit = (e) => { const i = document.createElement('input');"
        "i.type = 'hidden'; i.name = 'at'; i.value = Date.now(); e.target.append(i); }</script>"
    )


@pytest.mark.parametrize(
    ("page", "find", "checks", "why"),
    [
        (lambda r: form(), scripted, 1, "the browser shows results"),
        (token_by_script, books, 0, "the browser asked for GET"),
    ],
    ids=["records by script", "fields by script"],
)
def test_what_needs_scripts_stays_in_the_browser(
    browsing: Browsing,
    tmp_path: Path,
    page: Callable[[Request], str],
    find: Callable[[Request], str],
    checks: int,
    why: str,
) -> None:
    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(5), transport="adaptive")
        assert sum(is_plain(r) for r in site.to("/find")) == checks
    assert len(result.records) == 10
    assert any("form back in the browser" in e and why in e for e in result.events)


SCRIPT_PAGE = """<title>Shelf</title><h1>Search our shelf</h1>
<div id=panel><label for=t>Title</label> <input id=t><button id=go type=button>Search</button></div>
<p id=tally></p><ol id=hits class=results></ol><div id=more></div><script>
let asked, drawn = 0;
const ask = async (offset) => {
  const answer = await (await fetch('/api/books', { method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: asked, offset }) })).json();
  for (const book of answer.items) {
    const item = document.createElement('li');
    item.innerHTML = `<b>${book.name}</b> <i>${book.author}</i> <span>${book.year}</span>`;
    hits.append(item);
  }
  drawn += answer.items.length;
  tally.textContent = `${answer.total} books found`;
  more.innerHTML = drawn < answer.total ? '<button type=button>Load more</button>' : '';
  if (more.firstChild) more.firstChild.onclick = () => ask(drawn);
};
go.onclick = () => { asked = t.value; drawn = 0; hits.innerHTML = ''; ask(0); };
</script>"""


def as_data(request: Request) -> Reply:
    """Five books of the title that was asked for, two at a time."""
    asked = json.loads(request.body)
    items = [
        {"name": f"The {asked['title']} of part {i}", "author": f"Author {i}", "year": 1900 + i}
        for i in range(asked["offset"], min(asked["offset"] + 2, 5))
    ]
    body = json.dumps({"total": 5, "items": items})
    return Reply(body, content_type="application/json")


def test_the_request_of_a_pages_script_is_made_without_the_page(
    browsing: Browsing, tmp_path: Path
) -> None:
    with Served({"/": SCRIPT_PAGE, "POST /api/books": as_data}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(6), transport="adaptive")
        asked = [(json.loads(r.body), is_plain(r), r) for r in site.to("/api/books")]
    later = [(a["title"], a["offset"]) for a, plain, _ in asked if plain][3:]
    assert later == [(word, part) for word in WORDS[3:6] for part in (0, 2, 4)]
    assert {r.header("content-type") for _, plain, r in asked if plain} == {"application/json"}
    assert {s.transport for s in result.sent[3:]} == {"http"}
    assert [s.records for s in result.sent] == [5] * 6
    assert not any(s.judgement.truncated for s in result.sent if s.judgement)
    assert len(result.records) == 30
    again = {one.key: one for one in reanalyse(result.out / "warc")}
    assert all(len(again[sent.key].records) == 5 for sent in result.sent)


def test_transport_http_sends_a_static_form_without_the_browser(
    browsing: Browsing, tmp_path: Path
) -> None:
    with Served({"/": form("<input type=hidden name=list value=all>"), "/find": books}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table(4), transport="http")
        assert all(is_plain(r) for r in site.to("/find"))
        assert len(site.to("/")) == 1
        assert {r.value("list") + r.value("go") for r in site.to("/find")} == {"all1"}
    assert len(result.records) == 8
    assert {s.transport for s in result.sent} == {"http"}
    assert result.forms[0].transport == "http"


def test_a_later_process_goes_on_as_it_was_found_out(browsing: Browsing, tmp_path: Path) -> None:
    with Served({"/": form(), "/find": books}) as site:
        budget = {"submissions_per_form": 4}
        crawl(browsing, tmp_path, site.url, table=table(7), transport="adaptive", budget=budget)
        before = len(site.to("/find"))
        budget = {"submissions_per_form": 7}
        result = crawl(
            browsing, tmp_path, site.url, table=table(7), transport="adaptive", budget=budget
        )
        later = site.to("/find")[before:]
    assert before == 3 * 2 + 1
    assert all(is_plain(r) for r in later)
    assert {r.value("t") for r in later} >= set(WORDS[4:7])
    assert len(result.records) == 14


def test_checks_and_plain_submissions_keep_pace(browsing: Browsing, tmp_path: Path) -> None:
    pace = {"delay_s": 0.25}
    page = form("<input type=hidden name=token value=a1b2c3d4e5f6a7b8>")
    with Served({"/": page, "/find": books}) as site:
        crawl(browsing, tmp_path, site.url, table=table(5), transport="adaptive", politeness=pace)
        at = [r.at for r in site.log]
    assert min(b - a for a, b in pairwise(at)) >= 0.24
