"""The browser: whatever an address answers becomes a Page with its exchanges, in time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest

from hiwe.errors import BrowserMissing, PageTimeout, SiteUnreachable
from hiwe.page.browser import Browser
from tests.served import Reply, Request, Served, redirect

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from hiwe.page.browser import Session, Tab
    from tests.browsing import Browsing

pytestmark = pytest.mark.browser

CSV = Reply(
    "a,b\n1,2\n", 200, "text/csv", (("Content-Disposition", 'attachment; filename="x.csv"'),)
)
FILES: dict[str, tuple[Reply, str, str, int]] = {
    # what: answer, media type, text that the page holds, status
    "json": (Reply('{"a": 1}', 200, "application/json"), "application/json", "1}", 200),
    "text": (Reply("plain é", 200, "text/plain; charset=utf-8"), "text/plain", "plain é", 200),
    "xml": (Reply("<a><b>x</b></a>", 200, "application/xml"), "application/xml", "&lt;b&gt;x", 200),
    "pdf": (Reply(b"%PDF-1.4\n%\xe2\xe3", 200, "application/pdf"), "application/pdf", "", 200),
    "image": (Reply(b"\x89PNG\r\n\x00", 200, "image/png"), "image/png", "", 200),
    "saved file": (CSV, "text/csv", "1,2", 200),
    "nothing": (Reply("", 204), "text/html", "", 204),
    "page of an error": (Reply("<p>gone</p>", 410), "text/html", "gone", 410),
}


@pytest.mark.parametrize("what", FILES)
def test_an_answer_of_any_kind_is_a_page(what: str, browsing: Browsing) -> None:
    reply, media_type, text, status = FILES[what]
    with Served({"/x": reply}) as site:
        page = browsing.page(site.at("/x"))
    assert (page.status, page.content_type, page.url) == (status, media_type, site.at("/x"))
    assert text in page.html
    assert bool(page.html) == bool(text)
    sent = reply.body if isinstance(reply.body, bytes) else reply.body.encode()
    assert [(e.method, e.status, e.body) for e in page.exchanges] == [("GET", status, sent)]


def test_a_forbidden_address_is_a_value_and_never_asked_for(browsing: Browsing) -> None:
    html = (
        "<iframe src=/secret/frame></iframe><script>fetch('/secret/data').catch(() => 0);"
        "fetch('/open');</script>"
    )
    with Served({"/": html, "/open": "x", "/go": redirect("/secret/target")}) as site:
        rules: dict[str, Any] = {"blocked": lambda url: "/secret" in url}
        page = browsing.page(site.url, **rules)
        target = browsing.page(site.at("/go"), **rules)
        direct = browsing.page(site.at("/secret/x"), **rules)
        assert not [r for r in site.log if r.path.startswith("/secret")]
    refused = [e for e in page.exchanges if e.error.startswith("blocked")]
    assert sorted(e.url for e in refused) == [site.at("/secret/data"), site.at("/secret/frame")]
    assert (target.status, target.html) == (0, "")
    assert [e.status for e in target.exchanges] == [302, 0]
    assert (direct.status, direct.url) == (0, site.at("/secret/x"))


def test_a_site_that_cannot_be_reached_is_named(browsing: Browsing, unreachable_url: str) -> None:
    with pytest.raises(SiteUnreachable, match="cannot be reached"):
        browsing.page(unreachable_url)


def test_a_page_that_does_not_answer_is_given_up_in_time(browsing: Browsing) -> None:
    async def open_slow(session: Session, url: str) -> None:
        tab = await session.blank()
        try:
            await tab.goto(url, timeout_s=1.0)
        finally:
            await tab.close()

    with Served({"/": Reply("late", delay_s=4.0), "/next": "<p>next</p>"}) as site:
        session = browsing.session()
        began = time.monotonic()
        with pytest.raises(PageTimeout, match="no answer within 1 s"):
            browsing.run(open_slow(session, site.url))
        assert time.monotonic() - began < 6
        assert "next" in browsing.run(read(session, site.at("/next"))).html
        browsing.run(session.close())


async def read(session: Session, url: str, **options: Any) -> Any:
    """The page at `url`, its tab given back."""
    tab = await session.open(url, **options)
    try:
        return await tab.snapshot()
    finally:
        await tab.close()


def with_tab(browsing: Browsing, url: str, work: Any) -> Any:
    """What `work` returns for a tab at `url`."""

    async def run() -> Any:
        session = await browsing.browser.session("test")
        try:
            return await work(await session.open(url))
        finally:
            await session.close()

    return browsing.run(run())


def test_a_session_keeps_cookies_until_it_is_cleared(browsing: Browsing) -> None:
    def page(request: Request) -> Reply:
        return Reply("<p>x</p>", headers=(("Set-Cookie", "seen=1; Path=/"),))

    async def visits(session: Session, url: str) -> None:
        await read(session, url)
        await read(session, url)
        await session.clear()
        await read(session, url)

    with Served({"/": page}) as site:
        session = browsing.session()
        browsing.run(visits(session, site.url))
        browsing.run(session.close())
        assert [r.cookie("seen") for r in site.log] == ["", "1", ""]


def test_a_tab_that_is_used_again_remembers_nothing_of_its_own(browsing: Browsing) -> None:
    html = (
        "<p id=o></p><script>o.textContent = 'seen ' + sessionStorage.n + ' ' + window.name;"
        "sessionStorage.n = 1; window.name = 'x'</script>"
    )

    async def visits(session: Session, url: str) -> list[str]:
        return [(await read(session, url)).html for _ in range(2)]

    with Served({"/": html}) as site:
        session = browsing.session()
        pages = browsing.run(visits(session, site.url))
        browsing.run(session.close())
    assert all("seen undefined " in html and "undefined x" not in html for html in pages)


def test_a_tab_that_is_gone_is_not_used_again(browsing: Browsing) -> None:
    async def visits(session: Session, site: Served) -> int:
        tab = await session.open(site.url)
        await tab.close()
        await tab.end()
        page = await read(session, site.url)
        return int(page.status)

    with Served({"/": "<p>x</p>"}) as site:
        session = browsing.session()
        assert browsing.run(visits(session, site)) == 200
        browsing.run(session.close())


def test_a_dialog_does_not_hold_anything_up(browsing: Browsing) -> None:
    html = (
        "<script>alert('one'); o = confirm('two?')</script><p id=p></p><script>p.append(o)</script>"
    )
    with Served({"/": html}) as site:
        page = browsing.page(site.url)
    assert page.dialogs == ("one", "two?")
    assert ">true<" in page.html


def test_the_referer_and_the_pace_are_kept(browsing: Browsing) -> None:
    paced: list[float] = []

    async def pace() -> None:
        paced.append(time.monotonic())

    with Served({"/": "<p>x</p>"}) as site:
        session = browsing.session()
        browsing.run(read(session, site.url, referer=site.at("/from"), pace=pace))
        browsing.run(session.close())
        assert site.log[0].header("referer") == site.at("/from")
        assert site.log[0].at > paced[0]


def test_a_layer_is_closed_by_refusing(browsing: Browsing) -> None:
    async def close(tab: Tab) -> tuple[str, Any]:
        return await tab.close_overlay(), await tab.call("() => window.said || ''")

    for refuse, accept in (("Nur notwendige", "Alle akzeptieren"), ("Rifiuta tutto", "Accetta"),
                           ("Отклонить все", "Принять"), ("No, thanks", "Sure")):  # fmt: skip
        html = (
            "<p>Text</p><div style='position:fixed;left:0;right:0;bottom:0;height:90px'>"
            f"Cookies <a href=/policy>Policy</a> <button onclick=\"said='a'\">{accept}</button>"
            f"<button onclick=\"said='r'; this.parentNode.remove()\">{refuse}</button></div>"
        )
        with Served({"/": html}) as site:
            assert with_tab(browsing, site.url, close) == ("refuse", "r")


def test_a_fixed_menu_is_no_layer(browsing: Browsing) -> None:
    html = (
        "<nav style='position:fixed;top:0;left:0;right:0;height:60px'><button onclick=\"said='x'\">"
        "Close</button> Menu</nav><p style='margin-top:80px'>Text</p>"
    )

    async def close(tab: Tab) -> tuple[str, Any]:
        return await tab.close_overlay(), await tab.call("() => window.said || ''")

    with Served({"/": html}) as site:
        assert with_tab(browsing, site.url, close) == ("", "")


def test_our_name_stands_in_the_user_agent(chromium: Path) -> None:
    async def visit(url: str) -> None:
        browser = await Browser.launch(
            executable=chromium, user_agent="hiwe/1 (+mailto:a@b.example)"
        )
        session = await browser.session("x")
        tab = await session.open(url)
        await tab.close()
        await browser.close()

    with Served({"/": "<p>x</p>"}) as site:
        asyncio.run(within(30, visit(site.url)))
        agent = site.log[0].header("user-agent")
    assert agent.startswith("Mozilla/5.0 ")
    assert "Headless" not in agent
    assert agent.endswith(" hiwe/1 (+mailto:a@b.example)")


async def within(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Run `work` with a deadline."""
    async with asyncio.timeout(seconds):
        await work


def test_a_browser_that_does_not_start_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(BrowserMissing, match="does not start"):
        asyncio.run(within(30, launch(broken)))


async def launch(executable: Path) -> None:
    """Start and end a browser."""
    browser = await Browser.launch(executable=executable, timeout_s=10.0)
    await browser.close()


def test_closing_never_hangs(chromium: Path) -> None:
    html = (
        "<script>onbeforeunload = e => { e.preventDefault(); return 'x'; };"
        "setTimeout(() => { for (;;) {} }, 300)</script><p>x</p>"
    )

    async def visit(url: str) -> float:
        browser = await Browser.launch(executable=chromium, timeout_s=5.0)
        session = await browser.session("x")
        tab = await session.blank()
        with contextlib.suppress(PageTimeout):
            await tab.goto(url, timeout_s=1.0)
        began = time.monotonic()
        await tab.close()
        await browser.close()
        return time.monotonic() - began

    with Served({"/": html}) as site:
        assert asyncio.run(visit(site.url)) < 20


def test_a_window_holds_nothing_but_the_sites_page(browsing):
    """Pages of the browser's own (`browser_ui`) cost as much as the site's."""

    async def kinds(url):
        session = await browsing.browser.session("alone")
        tab = await session.open(url)
        protocol = await browsing.browser._browser.new_browser_cdp_session()
        told = await protocol.send("Target.getTargets", {"filter": [{}]})
        await protocol.detach()
        await tab.close()
        await session.close()
        return {target["type"] for target in told["targetInfos"]}

    with Served({"/": "<p>x"}) as site:
        found = browsing.run(kinds(site.url))
    assert "page" in found
    assert "browser_ui" not in found
