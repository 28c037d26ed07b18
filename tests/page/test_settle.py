"""A page is read when it has settled: not before, and not much later."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.served import Reply, Served

if TYPE_CHECKING:
    from hiwe.page.browser import Session
    from tests.browsing import Browsing
    from tests.served import Route

pytestmark = pytest.mark.browser

SETTLING: dict[str, tuple[str, str]] = {
    # what: page, text that shows that it was waited for
    "script that builds the page late": (
        "<div id=o></div><script>setTimeout(() => { o.textContent = 'built'; }, 800)</script>",
        "built"),
    "data that come late": (
        "<div id=o></div><script>fetch('/slow').then(r => r.text()).then(t => {"
        " o.textContent = t; })</script>", "late data"),
    "script from a script": (
        "<div id=o></div><script>const s = document.createElement('script'); s.src = '/late.js';"
        "document.head.append(s)</script>", "from script"),
    "shadow root": (
        "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement {"
        " connectedCallback() { const r = this.attachShadow({mode: 'open'});"
        " setTimeout(() => { r.innerHTML = '<p>in shadow</p>'; }, 400); } })</script>",
        "in shadow"),
    "refresh at once": ("<meta http-equiv=refresh content='0; url=/target'>", "target page"),
    "refresh by script": ("<script>location.href = '/target'</script>", "target page"),
    "page that asks for patience": (
        "<p>Bitte warten …</p><script>let n = 0; const f = async () => { if (++n < 4)"
        " return setTimeout(f, 700); location.href = '/target'; }; f()</script>", "target page"),
    "busy part": (
        "<p>Long text of the page</p><div id=o aria-busy=true>...</div><script>let n = 0; const t ="
        " setInterval(() => { if (++n > 12) { o.textContent = 'done'; o.ariaBusy = 'false';"
        " clearInterval(t); } }, 200)</script>", "done"),
    "frame that fills itself": ("<iframe src=/late-frame></iframe>", "frame text"),
}  # fmt: skip


@pytest.mark.parametrize("what", SETTLING)
def test_a_page_is_read_when_it_has_settled(what: str, browsing: Browsing) -> None:
    html, text = SETTLING[what]
    routes: dict[str, Route] = {
        "/": html,
        "/slow": Reply("late data", delay_s=0.7),
        "/late.js": Reply("o.textContent = 'from script'", 200, "text/javascript", delay_s=0.4),
        "/target": "<p>target page</p>",
        "/late-frame": "<p id=o></p><script>setTimeout(() => { o.textContent = 'frame text'; },"
        " 500)</script>",
    }
    with Served(routes) as site:
        assert text in browsing.page(site.url).html


RESTLESS: dict[str, str] = {
    "clock": "<p id=o></p><script>setInterval(() => { o.textContent = Date.now(); }, 20)</script>",
    "animation": "<p id=o></p><script>setInterval(() => { o.style.left = Math.random() + 'px'; },"
    " 16)</script>",
    "long poll": "<p>x</p><script>(async function poll() { await fetch('/poll'); poll(); })()"
    "</script>",
    "endless timers": "<p>x</p><script>(function tick() { setTimeout(tick, 100); })()</script>",
    "script that never comes": "<p>x</p><script async src=/hang.js></script>",
}


@pytest.mark.parametrize("what", RESTLESS)
def test_a_page_that_never_rests_is_read_all_the_same(what: str, browsing: Browsing) -> None:
    late = Reply("", delay_s=9.0)
    routes: dict[str, Route] = {"/": RESTLESS[what], "/poll": late, "/hang.js": late}
    with Served(routes) as site:
        began = time.monotonic()
        page = browsing.page(site.url)
    assert page.status == 200
    assert time.monotonic() - began < 8.5


def test_timers_that_bring_nothing_are_not_waited_for_again(browsing: Browsing) -> None:
    html = "<p>x</p><script>setTimeout(() => {}, 1200)</script>"

    async def known(session: Session, site: Served) -> list[int]:
        counts = [len(session.idle_timers)]
        for query in "abc":
            await visit(session, site.at(f"/?{query}"))
            counts.append(len(session.idle_timers))
        return counts

    with Served({"/": html}) as site:
        session = browsing.session()
        counts = browsing.run(known(session, site))
        browsing.run(session.close())
    assert (counts[0], counts[-1], max(counts)) == (0, 1, 1)  # a busy machine may need two looks


async def visit(session: Session, url: str) -> None:
    """Open `url` and give the tab back."""
    tab = await session.open(url)
    await tab.close()
