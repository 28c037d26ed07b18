"""The picture of a page: boxes in the colour of the label's source, the row beside the element."""

from __future__ import annotations

import base64
import struct

import pytest

from hiwe.commands.lvs import table_of
from hiwe.form.find import find_forms
from hiwe.picture import COLOURS, drawing, picture
from tests.served import Served

STRIP_PX = 34
FORM = """<!doctype html><meta charset=utf-8><title>Films</title>
<body style="font:16px sans-serif;margin:20px;transform:translateX(6px)">
<form action=/find><p>Directed by <input name=who size=30></p>
<p><label for=t>Title</label> <input id=t name=t size=30></p>
<p><label>Country <input name=c size=30></label></p>
<div style="height:100vh"></div>
<p>Language <select name=l><option>English<option>French</select> <button>Search</button></p>
</form></body>"""
TABLE = """
- label: Director
  aliases: [Directed by]
  values: {Steven Spielberg: 1.0}
"""
PIXELS_JS = """async (png, points) => {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  const blob = new Blob([bytes], { type: 'image/png' });
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  canvas.drawImage(bitmap, 0, 0);
  return points.map(([x, y]) => '#' + Array.from(canvas.getImageData(x, y, 1, 1).data.slice(0, 3),
    (n) => n.toString(16).padStart(2, '0')).join(''));
}"""


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "lvs.yaml"
    file.write_text(TABLE, encoding="utf-8")
    return table_of(file)


async def _pictured(session, url):
    tab = await session.open(url)
    page = await tab.snapshot(html=False)
    size = await tab.call(
        "() => [innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]"
    )
    return page, size, await picture(tab, page)


async def _pixels(session, url, png, points):
    tab = await session.open(url)
    return await tab.call(PIXELS_JS, base64.b64encode(png).decode(), points)


@pytest.mark.browser
def test_elements_are_framed_in_the_colour_of_their_source(browsing):
    with Served({"/": FORM, "/blank": "<title>none</title>"}) as site:
        session = browsing.session()
        page, (width, height), png = browsing.run(_pictured(session, site.at("/")))
        elements = find_forms(page)[0].elements
        points = [[round(e.box.x), round(e.box.y + e.box.h / 2)] for e in elements]
        found = browsing.run(_pixels(session, site.at("/blank"), png, points))
        browsing.run(session.close())
    assert struct.unpack(">II", png[16:24]) == (width, height + STRIP_PX)
    assert [e.label_source for e in elements] == ["layout", "for", "wrap", "layout"]
    assert found == [COLOURS[e.label_source] for e in elements]


@pytest.mark.browser
def test_matched_row_stands_beside_its_element(browsing, table):
    with Served({"/": FORM}) as site:
        page = browsing.page(site.at("/"))
    tags = [mark["text"] for mark in drawing(page, table)["marks"]]
    assert tags[0] == "Directed by → Director (1.00)"
    assert tags[1] == "Title → no row"
    assert "sends" in tags


@pytest.mark.browser
def test_label_box_holds_the_words_and_not_the_field(browsing):
    with Served({"/": FORM}) as site:
        page = browsing.page(site.at("/"))
    for mark in drawing(page)["marks"][:4]:
        (lx, ly, lw, lh), (x, y, _, h) = mark["label"], mark["box"]
        assert lx + lw <= x + 1, mark["text"]  # left of its field, and on the same line
        assert y <= ly + lh / 2 <= y + h, mark["text"]


def test_every_source_of_a_label_has_a_colour():
    from hiwe.form.evidence import SOURCES

    others = {"legend", "header", "layout", "option", "placeholder", "title", "name", "none"}
    assert set(COLOURS) == set(SOURCES.values()) | others
    assert len(set(COLOURS.values())) == len(COLOURS)
