"""The snapshot: what a person sees, as plain values; the page itself stays as it was."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from hiwe.page.snapshot import page_from_html
from tests.served import Served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def show(browsing) -> Iterator:
    routes: dict[str, str] = {}
    with Served(routes) as site:
        session = browsing.session()

        def shown(html: str, *, script: str = "", **further: str):
            routes.clear()
            routes["/"] = f"<!doctype html><meta charset=utf-8>{html}"
            routes.update({f"/{name}": text for name, text in further.items()})
            tab = browsing.run(session.open(site.at("/")))
            page = browsing.run(tab.snapshot(html=True))
            said = browsing.run(tab.call(script)) if script else None
            browsing.run(tab.close())
            return (page, said) if script else page

        yield shown
        browsing.run(session.close())


def texts(page):
    return [t.text for t in page.texts if t.visible]


@pytest.mark.browser
def test_adjacent_inline_text_is_one_run(show):
    html = "<p>One <b>two</b> three<br>four</p><div>five<input>six</div><label>a</label><label>b"
    assert texts(show(html)) == ["One two three", "four", "five", "six", "a", "b"]


@pytest.mark.browser
def test_hidden_text_is_no_text_or_not_visible(show):
    html = """<p style="display:none">gone</p><p style="visibility:hidden">blank</p>
    <p style="text-indent:-9999px">away</p><div style="height:0;overflow:hidden">cut</div><p>seen"""
    page = show(html)
    assert texts(page) == ["seen"]
    assert "gone" not in [t.text for t in page.texts]


@pytest.mark.browser
def test_cells_have_grid_places_across_spans(show):
    html = """<table><tr><td rowspan=2>a<td colspan=2>b</tr><tr><td>c<td>d</tr></table>"""
    cells = {t.text: t.cell[1:] for t in show(html).texts}
    assert cells == {"a": (0, 0, 2, 1), "b": (0, 1, 1, 2), "c": (1, 1, 1, 1), "d": (1, 2, 1, 1)}


@pytest.mark.browser
def test_frames_are_placed_on_the_page(show):
    html = "<div style='height:300px'></div><iframe src=/pane style='margin-left:200px'></iframe>"
    page = show(html, pane="<body style='margin:0'><input name=a>")
    control = page.controls[0]
    assert (control.frame, page.frames[1].endswith("/pane")) == (1, True)
    assert control.box.x >= 200
    assert control.box.y >= 300


@pytest.mark.browser
def test_live_elements_have_the_numbers_of_the_snapshot(show):
    script = """() => { const k = window[Symbol.for('hiwe')];
      return [k.controls.map(c => c.name), k.clickables.map(c => c.textContent || c.value),
              Object.keys(window).filter(x => /hiwe/i.test(x)).length]; }"""
    html = """<form><input name=a><select name=b></select><input type=hidden name=c></form>
    <a href=/x>next</a><span onclick="1">more</span><input type=submit name=d value=go>"""
    page, (names, clicks, leaked) = show(html, script=script)
    assert names == [c.name for c in page.controls] == ["a", "b", "c", "d"]
    assert clicks == ["next", "more", "go"]
    assert page.tree.xpath("//*[@hiwe-click='0']")[0].text == "next"
    assert page.tree.xpath("//*[@hiwe-click='2']")[0].get("value") == "go"
    assert leaked == 0


@pytest.mark.browser
def test_html_is_what_stands_there_now_and_the_page_is_untouched(show):
    html = """<p id=p style="display:none">gone</p><x-y></x-y>
    <iframe srcdoc="<b>framed</b>"></iframe>
    <input id=i><input type=checkbox id=c><select id=s><option>1<option>2</select>
    <script>window.made = 0; customElements.define('x-y', class extends HTMLElement {
      constructor() { super(); window.made++;
        this.attachShadow({mode: 'open'}).innerHTML = '<i>shade</i>'; }});
    i.value = 'typed'; c.checked = true; s.value = '2';</script>"""
    script = "() => [window.made, document.documentElement.outerHTML.includes('hiwe-')]"
    page, (made, marked) = show(html, script=script)
    tree = page.tree
    assert tree.xpath("//*[@id='p']")[0].get("hiwe-hidden") is not None
    assert tree.xpath("//x-y/i")[0].text == "shade"
    assert tree.xpath("//div[@hiwe-frame]/b")[0].text == "framed"
    assert tree.xpath("//*[@id='i']")[0].get("value") == "typed"
    assert tree.xpath("//*[@id='c']")[0].get("checked") is not None
    assert tree.xpath("//option[@selected]")[0].text == "2"
    assert (made, marked) == (1, False)


@pytest.mark.browser
def test_a_combobox_has_the_choices_of_its_list(show):
    html = """<form><div role=combobox aria-controls=l aria-label=Genre>choose</div></form>
    <div id=l role=listbox hidden><div role=option data-v=d>Drama</div>
    <div role=option>Crime</div></div>"""
    page = show(html)
    (box,) = [c for c in page.controls if c.kind == "combobox"]
    assert [o.label for o in box.options] == ["Drama", "Crime"]
    assert not [c for c in page.controls if c.kind == "listbox"]


@pytest.mark.browser
def test_a_page_can_be_pickled(show):
    page = show("<form><input name=a></form>")
    assert pickle.loads(pickle.dumps(page)) == page


def test_an_http_answer_has_links_resolved_with_the_base_address():
    html = """<html lang=it><head><base href="/deep/"><title> A  page </title></head>
    <a href="x?p=2" rel="next nofollow">2</a><a href="//other.test/"><img alt=Home></a>
    <a>no</a></html>"""
    page = page_from_html("http://site.test/a/b", html, 200, {"Content-Type": "text/html"})
    assert (page.title, page.language, page.base_url) == ("A page", "it", "http://site.test/deep/")
    assert [(link.url, link.text, link.rel) for link in page.links] == [
        ("http://site.test/deep/x?p=2", "2", ("next", "nofollow")),
        ("http://other.test/", "Home", ()),
    ]


@pytest.mark.parametrize(
    "html", ["", "   ", "<!-- nothing -->", "<?xml version='1.0' encoding='utf-8'?>"]
)
def test_an_empty_answer_is_a_page_without_links(html):
    page = page_from_html("http://site.test/", html, 200)
    assert page.links == ()
