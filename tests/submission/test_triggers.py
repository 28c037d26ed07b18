"""A form is sent as a person would send it, whatever there is to press, and read where it lands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.served import Reply, Served

if TYPE_CHECKING:
    from tests.browsing import Browsing
    from tests.served import Request, Route

pytestmark = pytest.mark.browser

TWO = "<label>Title <input name=t></label><label>Author <input name=a></label>"
SEND = "<input type=submit value=Search>"
BOTH = "t=Salt&a="


def answer(request: Request) -> str:
    """A page that names what arrived."""
    return f"<h1>Results</h1><p>for {request.query}</p>"


TRIGGERS: dict[str, tuple[str, str, str]] = {
    # what: page below its heading, query that arrives, where the answer lands
    "link that runs a script": (
        f"<form action=/find name=f>{TWO}<a href='javascript:document.f.submit()'>Search</a>"
        "</form>", BOTH, "page"),
    "link with a handler": (
        f"<form action=/find name=f>{TWO}<a href=# onclick='document.f.submit();return false'>"
        "Search</a></form>", BOTH, "page"),
    "element that acts as a button": (
        f"<form action=/find name=f>{TWO}<span id=s role=button tabindex=0>Find</span></form>"
        "<script>s.addEventListener('click', () => f.submit())</script>", BOTH, "page"),
    "nothing to press": (f"<form action=/find>{TWO}</form>", BOTH, "page"),
    "Enter alone": (
        "<label>Title <input type=search name=t onkeydown=\"if (event.key == 'Enter')"
        " location = '/find?t=' + this.value\"></label>", "t=Salt", "page"),
    "button that is no submit button": (
        f"<form action=/nowhere>{TWO}<button type=button onclick=\"fetch('/find?t=' +"
        " form.t.value).then(r => r.text()).then(x => { o.innerHTML = x; })\">Search</button>"
        "</form><div id=o></div>", "t=Salt", "same_page"),
    "button that wakes up at typing": (
        "<form action=/find><label>Title <input name=t oninput='b.disabled = !this.value'></label>"
        "<button id=b disabled>Search</button></form>", "t=Salt", "page"),
    "question before sending": (
        f"<form action=/find onsubmit=\"return confirm('Really?')\">{TWO}{SEND}</form>",
        BOTH, "page"),
    "frame that is the target": (
        f"<form action=/find target=res>{TWO}{SEND}</form><iframe name=res src=/empty></iframe>",
        BOTH, "frame"),
    "window that is the target": (
        f"<form action=/find target=results>{TWO}{SEND}</form>", BOTH, "popup"),
    "window that a script opens": (
        "<form onsubmit=\"window.open('/find?t=' + this.t.value, 'w', 'width=300');return false\">"
        f"{TWO}{SEND}</form>", "t=Salt", "popup"),
    "search while typing": (
        "<label>Search the titles <input type=search id=t></label><div id=o></div><script>"
        "t.oninput = async () => { o.innerHTML = await (await fetch('/find?t=' + t.value)).text();"
        " }</script>", "t=Salt", "same_page"),
    "search a little after typing": (
        "<label>Search the titles <input type=search id=t></label><div id=o></div><script>let h;"
        "t.oninput = () => { clearTimeout(h); h = setTimeout(async () => { o.innerHTML ="
        " await (await fetch('/find?t=' + t.value)).text(); }, 400); }</script>",
        "t=Salt", "same_page"),
    "address changed by a script": (
        f"<form>{TWO}{SEND}</form><div id=o></div><script>document.forms[0].onsubmit = e => {{"
        "e.preventDefault(); const v = e.target.t.value; history.pushState(0, '', '/at?' + v);"
        "fetch('/find?t=' + v).then(r => r.text()).then(x => { o.innerHTML = x; }) }</script>",
        "t=Salt", "same_page"),
    "overlay that comes late": (
        f"<form action=/find>{TWO}{SEND}</form><script>setTimeout(() => {{ const d ="
        " document.createElement('div'); d.style.cssText = 'position:fixed;inset:0';"
        " d.innerHTML = 'Newsletter! <button onclick=\"this.parentNode.remove()\">Close</button>"
        "'; document.body.append(d); }, 300)</script>", BOTH, "page"),
    "header that covers the top": (
        "<div style='position:fixed;top:0;left:0;right:0;height:120px;background:#eee'>Menu</div>"
        f"<div style='height:30px'></div><form action=/find>{TWO}{SEND}</form>"
        "<div style='height:3000px'></div>", BOTH, "page"),
    "button far below": (
        f"<div style='height:4000px'></div><form action=/find>{TWO}{SEND}</form>", BOTH, "page"),
}  # fmt: skip


@pytest.mark.parametrize("what", TRIGGERS)
def test_the_form_is_sent_once_and_its_answer_read(what: str, browsing: Browsing) -> None:
    below, query, landed = TRIGGERS[what]
    page = f"<!doctype html><h1>Search the catalogue</h1>{below}"
    with Served({"/": page, "/find": answer, "/empty": "<p>nothing yet</p>"}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("t", "Salt"))
        assert [r.query for r in site.to("/find")] == [query]
    assert (sent.outcome, sent.reason, sent.landed) == ("sent", "", landed)
    assert sent.page is not None
    assert f"for {query.replace('&', '&amp;')}" in sent.page.html
    assert sent.request is not None
    assert sent.request.url == site_target(sent.request.url, query)


def site_target(url: str, query: str) -> str:
    """The address `/find` of the same site with `query`."""
    return f"{url.split('/find')[0]}/find?{query}"


def test_forms_in_a_frameset_answer_in_the_other_frame(browsing: Browsing) -> None:
    routes: dict[str, Route] = {
        "/": '<frameset cols="50%,50%"><frame src=/left><frame src=/right name=right></frameset>',
        "/left": f"<h1>Search</h1><form action=/find target=right>{TWO}{SEND}</form>",
        "/right": "<p>nothing yet</p>",
        "/find": answer,
    }
    with Served(routes) as site, browsing.visit(site.url) as visit:
        sent = visit.submit(("t", "Salt"))
    assert (sent.outcome, sent.landed) == ("sent", "frame")
    assert sent.page is not None
    assert sent.page.url.endswith("/find?t=Salt&a=")


ANSWERS: dict[str, tuple[Reply, str, str, int]] = {
    # what: answer, outcome, media type of the page, status of the request
    "error of the server": (Reply("oops", 500), "sent", "text/html", 500),
    "empty answer": (Reply("", 204), "sent", "text/html", 204),
    "file in a viewer": (
        Reply(b"%PDF-1.4", 200, "application/pdf"), "sent", "application/pdf", 200),
    "data": (Reply('{"a": 1}', 200, "application/json"), "sent", "application/json", 200),
}  # fmt: skip


@pytest.mark.parametrize("what", ANSWERS)
def test_whatever_the_site_answers_was_sent(what: str, browsing: Browsing) -> None:
    reply, outcome, media_type, status = ANSWERS[what]
    page = f"<h1>Search</h1><form action=/find>{TWO}{SEND}</form>"
    with Served({"/": page, "/find": reply}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("t", "Salt"))
        assert len(site.to("/find")) == 1
    assert sent.page is not None
    assert sent.request is not None
    assert (sent.outcome, sent.page.content_type, sent.request.status) == (
        outcome,
        media_type,
        status,
    )


def test_no_connection_is_a_failure_and_no_page(browsing: Browsing, unreachable_url: str) -> None:
    page = f"<h1>Search</h1><form action={unreachable_url}find>{TWO}{SEND}</form>"
    with Served({"/": page}) as site, browsing.visit(site.url) as visit:
        sent = visit.submit(("t", "Salt"))
    assert (sent.outcome, sent.reason, sent.page) == ("failed", "net::ERR_CONNECTION_REFUSED", None)
    assert sent.request is not None
    assert sent.form_page.exchanges[-1] == sent.request


def test_a_page_with_busy_frames_is_sent_and_read_all_the_same(browsing: Browsing) -> None:
    frames = "<iframe src=/slow></iframe><iframe id=ad src=/ad></iframe>"
    turn = "<script>setInterval(() => { ad.src = '/ad?' + Date.now(); }, 300)</script>"
    page = f"<h1>Search</h1><form action=/find>{TWO}{SEND}</form>{frames}{turn}"
    routes: dict[str, Route] = {
        "/": page,
        "/find": lambda request: answer(request) + frames + turn,
        "/slow": Reply("", delay_s=8.0),
        "/ad": "ad",
    }
    with Served(routes) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("t", "Salt"))
        assert len(site.to("/find")) == 1
    assert (sent.outcome, sent.landed) == ("sent", "page")
    assert sent.duration_s < 8
