"""The request of a recipe equals Chromium's, byte for byte, for forms that hypothesis makes up.

Many forms stand on each page, every one with a frame for its answer. All are sent in the browser,
then all by plain HTTP; the server's log is compared. `HYPOTHESIS_PROFILE=explore` makes more.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from hiwe.form.find import understand
from hiwe.page.http import HttpSession
from hiwe.submission.recipe import ODD_QUERY, Recipe, recipe_of, request_of
from tests.served import Reply, Request, Served
from tests.submission.odd_forms import CHARSETS, OddForm, odd_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.page.page import Page
    from hiwe.page.session import Session
    from hiwe.page.tab import Tab
    from tests.browsing import Browsing

pytestmark = pytest.mark.browser

FORMS_A_PAGE = 36
PAGES = 58 if os.environ.get("HYPOTHESIS_PROFILE") != "explore" else 1000
ARRIVED_S = 20.0
SHOW_JS = "(html) => { document.getElementById('forms').innerHTML = html; }"
SEND_JS = """(pairs) => {
  const { controls } = window[Symbol.for('hiwe')];
  const send = HTMLFormElement.prototype.requestSubmit;
  for (const [place, submitter] of pairs) {
    const form = document.forms[place], pressed = controls[submitter];
    const sends = pressed && ['submit', 'image'].includes(pressed.type);
    if (sends) send.call(form, pressed); else send.call(form);
  }
}"""


class Laboratory:
    """A page for each charset with frames for the answers; its forms are made anew each time."""

    def __init__(self, browsing: Browsing, site: Served, session: Session) -> None:
        """`site` answers with nothing, so that frames stay as they are."""
        self.browsing, self.site, self.session = browsing, site, session
        self.http = HttpSession()
        self.tabs: dict[str, Tab] = {}

    def run(self, forms: list[OddForm], charset: str) -> list[tuple[OddForm, Any, Any]]:
        """Each form with what arrived of it from the browser and by plain HTTP."""
        html = "".join(form.html(number) for number, form in enumerate(forms))
        recipes = self.browsing.run(self._send(charset, html))
        shown = self._arrived(len(recipes))
        for recipe in recipes.values():
            self.http.send(request_of(recipe), ARRIVED_S)
        plain = self._arrived(len(recipes))
        return [(forms[n], shown.get(n), plain.get(n)) for n in sorted(recipes)]

    async def _send(self, charset: str, html: str) -> dict[int, Recipe]:
        tab = self.tabs.get(charset)
        if tab is None:
            tab = self.tabs[charset] = await self.session.open(self.site.at(f"/{charset}"))
        await tab.call(SHOW_JS, html)
        page = await tab.snapshot(html=False)
        found = recipes_of(page)
        count = len(found)
        self.site.log.clear()
        await tab.call(SEND_JS, [[n, _control(recipe)] for n, recipe in found.items()])
        until = time.monotonic() + ARRIVED_S
        while len(self.site.log) < count and time.monotonic() < until:
            await tab.traffic.wait(0.01)
        return found

    def _arrived(self, count: int) -> dict[int, Any]:
        """What the site was sent since the last call, by the number of the form."""
        assert len(self.site.log) == count
        arrived = {int(r.path.rpartition("/")[2]): essence(r) for r in self.site.log}
        self.site.log.clear()
        return arrived


def recipes_of(page: Page) -> dict[int, Recipe]:
    """The recipes of a page's forms, by their place in the document."""
    found = {}
    for form in understand(page).forms:
        if form.dom_form is not None and form.frame == 0:
            recipe = recipe_of(page, form)
            if recipe != ODD_QUERY:
                assert isinstance(recipe, Recipe), recipe
                found[form.dom_form] = recipe
    return found


def _control(recipe: Recipe) -> int:
    return -1 if recipe.submitter is None else recipe.fields[recipe.submitter].control


def essence(request: Request) -> tuple[str, str, str, bytes]:
    """Method, target, content type and body, the boundary of a multipart body left out."""
    kind, body = request.header("content-type"), request.body
    boundary = re.search(r"boundary=(.*)", kind)
    if boundary:
        body = body.replace(boundary.group(1).encode(), b"")
        kind = kind[: boundary.start()]
    return request.method, request.target, kind, body


@pytest.fixture(scope="module")
def laboratory(browsing: Browsing) -> Iterator[Laboratory]:
    """Yield the site and the session, for all examples."""
    frames = "".join(f"<iframe name=frame{n}></iframe>" for n in range(FORMS_A_PAGE))
    page = f"<!doctype html><title>Forms</title><div id=forms></div>{frames}"
    routes = {f"/{c}": Reply(page, content_type=f"text/html; charset={c}") for c in CHARSETS}
    with Served(routes, any_path=Reply(status=204)) as site:
        session = browsing.session()
        yield Laboratory(browsing, site, session)
        browsing.run(session.close())


ODD = OddForm("post", "", "multipart/form-data", "", "<input name='a\"&#10;b' value='&#13;'>", "")


@given(
    forms=st.lists(odd_forms(), min_size=FORMS_A_PAGE, max_size=FORMS_A_PAGE),
    charset=st.sampled_from(CHARSETS),
)
@example(forms=[ODD], charset="gbk")
@settings(max_examples=PAGES, phases=(Phase.explicit, Phase.generate))
def test_plain_http_sends_what_chromium_sends(
    laboratory: Laboratory, forms: list[OddForm], charset: str
) -> None:
    for form, shown, plain in laboratory.run(forms, charset):
        assert plain == shown, form
