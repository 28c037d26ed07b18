"""Drop-downs whose choices exist only while they are open."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms
from hiwe.page.lists import open_lists
from tests.served import Served

pytestmark = pytest.mark.browser

OPENER = """<form action="/find"><label id="lb">Genre</label>{button}<ul id="ls" role="listbox"
  hidden></ul><input type="hidden" name="g" id="g"><button>Find</button></form><script>
  cb.onclick = () => {{ {toggle} ls.innerHTML = ''; for (const t of ['History', 'Poetry']) {{
  const o = document.createElement('li'); o.role = 'option'; o.textContent = t;
  o.onclick = () => {{ g.value = t; ls.hidden = true; }}; ls.append(o); }}
  ls.hidden = false; cb.setAttribute('aria-expanded', 'true'); }};
  cb.onkeydown = e => {{ if (e.key === 'Escape') {{ ls.hidden = true; ls.innerHTML = ''; }} }};
  </script>"""
BUTTON = '<button type="button" id="cb" aria-haspopup="listbox" aria-labelledby="lb">Any</button>'
DIV = '<div role="combobox" tabindex="0" id="cb" aria-labelledby="lb">Any</div>'


def looked_at(browsing, html):
    """How many lists were opened, and the page after that."""

    async def look(url):
        session = await browsing.browser.session("test")
        try:
            tab = await session.open(url)
            return await open_lists(tab.call), await tab.snapshot()
        finally:
            await session.close()

    with Served({"/": html}) as site:
        found = browsing.run(look(site.url))
        assert [r.path for r in site.log if r.path not in ("/", "/favicon.ico")] == []
    return found


@pytest.mark.parametrize("button", [BUTTON, DIV], ids=["button", "div"])
@pytest.mark.parametrize("toggle", ["", "if (!ls.hidden) {{ ls.hidden = true; return; }}"])
def test_what_a_list_offers_while_open_becomes_its_domain(browsing, button, toggle):
    html = OPENER.format(button=button, toggle=toggle.replace("{{", "{").replace("}}", "}"))
    opened, page = looked_at(browsing, html)
    assert opened == 1
    (form,) = find_forms(page)
    (genre,) = [e for e in form.elements if e.visible]
    assert (genre.kind, genre.label) == ("combobox", "Genre")
    assert [o.label for o in genre.options] == ["History", "Poetry"]
    assert "History" not in [text.text for text in page.texts if text.visible]  # closed again


def test_lists_with_choices_and_menus_stay_closed(browsing):
    html = """<nav><button aria-haspopup="listbox" onclick="fetch('/opened')">Menu</button></nav>
      <div role="combobox" aria-controls="ls" onclick="fetch('/opened')">choose</div>
      <div id="ls" role="listbox" hidden><div role="option">One</div></div>"""
    assert looked_at(browsing, html)[0] == 0


def test_a_button_that_opens_nothing_stays_a_button(browsing):
    html = '<form><input name="q"><button type="button" aria-haspopup="listbox">x</button></form>'
    opened, page = looked_at(browsing, html)
    assert opened == 1
    assert [c.kind for c in page.controls] == ["text", "button"]
