"""Turning result pages in the live page: each step continues the submission it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from hiwe.errors import PageTimeout
from hiwe.submission.follow import follow
from tests.catalogue import RECORDS, hits, list_page
from tests.served import Reply, Served, case_pages, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.page.page import Page
    from hiwe.submission.submission import Submission
    from tests.browsing import Browsing
    from tests.served import Request

pytestmark = pytest.mark.browser

ALL = (
    "<form action=/find><label>Genre <select name=g><option value=all>All genres</option>"
    "</select></label><button>Find</button></form>"
)


@dataclass(frozen=True)
class Step:
    """A pager step as the response analysis hands it over."""

    how: str
    url: str = ""
    index: int = -1


def clickable(page: Page, text: str) -> int:
    """The place of the link or button that says `text` among the page's clickables."""
    marked = re.search(rf'hiwe-click="(\d+)"[^>]*>{re.escape(text)}<', page.html)
    assert marked is not None, page.html
    return int(marked.group(1))


def seen(page: Page) -> list[int]:
    """The numbers of the records on a page."""
    return [r.id for r in RECORDS if f'/item/{r.id}"' in page.html]


def pages_of(
    browsing: Browsing, site: Served, steps: Callable[[Page], Step | None], most: int = 9
) -> list[Page]:
    """The answer's first page and those that `steps` leads to."""

    async def turn(tab: Any, sent: Submission) -> list[Page]:
        assert sent.page is not None
        pages = [sent.page]
        while len(pages) < most and (step := steps(pages[-1])) is not None:
            page = await follow(tab, step, timeout_s=10.0)
            if page is None:
                break
            pages.append(page)
        return pages

    with browsing.visit(site.url) as visit:
        return visit.submit_then(turn, ("Genre", "All genres"))


def test_a_button_adds_hits_until_it_goes_away(browsing: Browsing) -> None:
    first = case_pages("load-more")[0].split("<!-- result -->")
    result = first[1].replace("<!-- 5 hits -->", hits(RECORDS[:5]))

    def more(request: Request) -> str:
        start = int(request.value("from"))
        return hits(RECORDS[start : start + 5])

    def step(page: Page) -> Step | None:
        there = "Show more<" in page.html
        return Step("more", index=clickable(page, "Show more")) if there else None

    with Served({"/": first[0], "/find": result, "/more": more}) as site:
        pages = pages_of(browsing, site, step)
        assert [r.target for r in site.to("/more")] == ["/more?from=5", "/more?from=10"]
        assert len(site.to("/find")) == 1
    assert [len(seen(page)) for page in pages] == [5, 10, 12]


def test_scrolling_brings_hits_until_none_come(browsing: Browsing) -> None:
    first = case_pages("infinite-scroll")[0].split("<!-- result -->")
    result = first[1].replace("<!-- 4 hits -->", hits(RECORDS[:4]))

    def more(request: Request) -> str:
        start = int(request.value("from"))
        end = "<p>End of list</p>" if start >= 8 else ""
        return hits(RECORDS[start : start + 4]) + end

    with Served({"/": first[0], "/find": result, "/more": more}) as site:
        pages = pages_of(browsing, site, lambda page: Step("scroll"))
        assert [r.query for r in site.to("/more")] == ["g=all&from=4", "g=all&from=8"]
    assert [len(seen(page)) for page in pages] == [4, 8, 12]


def test_a_link_leads_to_the_next_page(browsing: Browsing) -> None:
    def find(request: Request) -> str:
        number = int(request.value("p") or 1)
        link = f'<a href="/find?g=all&p={number + 1}">Next</a>' if number < 3 else ""
        return list_page(RECORDS[5 * number - 5 : 5 * number]) + link

    def step(page: Page) -> Step | None:
        link = next((x for x in page.links if x.text == "Next"), None)
        return Step("link", link.url, clickable(page, "Next")) if link else None

    with Served({"/": ALL, "/find": find}) as site:
        pages = pages_of(browsing, site, step)
        assert [r.query for r in site.to("/find")] == ["g=all", "g=all&p=2", "g=all&p=3"]
        assert site.to("/find")[1].header("referer") == site.at("/find?g=all")
    assert [len(seen(page)) for page in pages] == [5, 5, 2]


def test_small_forms_are_pressed_with_their_newest_ticket(browsing: Browsing) -> None:
    tickets = iter(f"t{n}" for n in range(1, 99))
    good: set[str] = set()

    def shown(number: int) -> str:
        ticket = next(tickets)
        good.clear()
        good.add(ticket)
        forms = "".join(
            f'<form action="/page" method="post"><input type="hidden" name="ticket" '
            f'value="{ticket}"><input type="hidden" name="p" value="{n}"><button>{n}</button>'
            "</form>"
            for n in (1, 2, 3)
            if n != number
        )
        return list_page(RECORDS[5 * number - 5 : 5 * number]) + forms

    def turned(request: Request) -> str | Reply:
        return shown(int(request.value("p"))) if request.value("ticket") in good else refused(400)

    wanted = iter(("2", "3"))

    def step(page: Page) -> Step | None:
        number = next(wanted, None)
        return Step("form", index=clickable(page, number)) if number else None

    page = ALL.replace("<form", "<form method=post")
    with Served({"/": page, "POST /find": lambda _: shown(1), "POST /page": turned}) as site:
        pages = pages_of(browsing, site, step)
        assert [p.status for p in pages] == [200, 200, 200]
        posts = [e for p in pages for e in p.exchanges if e.method == "POST"]
        assert [e.request_body for e in posts] == [r.body for r in site.log if r.method == "POST"]
    assert [len(seen(page)) for page in pages] == [5, 5, 2]


def test_a_script_posts_the_pages_own_state(browsing: Browsing) -> None:
    head, script = case_pages("viewstate-pager")[0].split("<!-- after a search: list, then -->")
    _, _, tail = script.partition("</a>")
    states: list[str] = ["s1"]

    def listed(request: Request) -> str:
        if request.value("__VIEWSTATE") != states[-1]:
            return "<p>The state is not valid</p>"
        states.append(f"s{len(states) + 1}")
        number = int((request.value("__EVENTARGUMENT") or "Page$1").split("$")[1])
        links = "".join(
            f"<a href=\"javascript:__doPostBack('grid','Page${n}')\">{n}</a> "
            for n in (1, 2, 3)
            if n != number
        )
        page = head.replace('value="s1"', f'value="{states[-1]}"')
        return page + list_page(RECORDS[5 * number - 5 : 5 * number]) + links + tail

    wanted = iter(("2", "3"))

    def step(page: Page) -> Step | None:
        number = next(wanted, None)
        return Step("click", index=clickable(page, number)) if number else None

    with Served({"/": head + tail, "POST /list.aspx": listed}) as site:
        pages = pages_of(browsing, site, step)
    assert [len(seen(page)) for page in pages] == [5, 5, 2]
    assert not any("not valid" in page.html for page in pages)


def test_a_step_to_nowhere_is_no_page(browsing: Browsing) -> None:
    with Served({"/": ALL, "/find": list_page(RECORDS) + "<button>2</button>"}) as site:
        pages = pages_of(browsing, site, lambda page: Step("click", index=clickable(page, "2")))
    assert len(pages) == 1


def test_pages_are_turned_in_the_frame_where_the_answer_landed(browsing: Browsing) -> None:
    def find(request: Request) -> str:
        number = int(request.value("p") or 1)
        link = '<a href="/find?g=all&p=2">Next</a>' if number == 1 else ""
        return list_page(RECORDS[6 * number - 6 : 6 * number]) + link

    def step(page: Page) -> Step | None:
        return Step("link", index=clickable(page, "Next")) if "Next<" in page.html else None

    with Served({"/": "<iframe src=/pane></iframe>", "/pane": ALL, "/find": find}) as site:
        pages = pages_of(browsing, site, step)
    assert [page.url.split("?")[1] for page in pages] == ["g=all", "g=all&p=2"]


def test_a_page_that_does_not_come_is_given_up_in_time(browsing: Browsing) -> None:
    def find(request: Request) -> Reply:
        link = '<a href="/find?g=all&p=2">Next</a>'
        return Reply(list_page(RECORDS[:5]) + link, delay_s=5.0 if request.value("p") else 0.0)

    async def turn(tab: Any, sent: Submission) -> bool:
        assert sent.page is not None
        with pytest.raises(PageTimeout):
            await follow(tab, Step("link", index=clickable(sent.page, "Next")), timeout_s=1.0)
        return bool(tab.spent)

    with Served({"/": ALL, "/find": find}) as site, browsing.visit(site.url) as visit:
        assert visit.submit_then(turn, ("Genre", "All genres"))


def test_a_page_that_rules_forbid_is_not_asked_for(browsing: Browsing) -> None:
    def find(_: Request) -> str:
        return list_page(RECORDS[:5]) + '<a href="/more?p=2">Next</a>'

    async def turn(tab: Any, sent: Submission) -> Page | None:
        assert sent.page is not None
        link = next(x for x in sent.page.links if x.text == "Next")
        step = Step("link", link.url, clickable(sent.page, "Next"))
        return await follow(tab, step, timeout_s=5.0)

    with Served({"/": ALL, "/find": find}) as site:
        with browsing.visit(site.url, blocked=lambda url: "/more" in url) as visit:
            assert visit.submit_then(turn, ("Genre", "All genres")) is None
        assert site.to("/more") == []
