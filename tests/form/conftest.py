"""Inline HTML shown in the tests' one browser: `show(html)` gives the Page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.served import Served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiwe.page.page import Page


@pytest.fixture(scope="session")
def show(browsing) -> Iterator[Callable[..., Page]]:
    """Return a function from HTML to what the browser shows; `further` are other addresses."""
    routes: dict[str, str] = {}
    with Served(routes) as site:
        session = browsing.session()

        def shown(html: str, *, with_html: bool = False, **further: str) -> Page:
            routes.clear()
            routes.update({"/": f"<!doctype html><meta charset=utf-8>{html}"})
            routes.update({f"/{name}": text for name, text in further.items()})
            tab = browsing.run(session.open(site.at("/")))
            page: Page = browsing.run(tab.snapshot(html=with_html))
            browsing.run(tab.close())
            return page

        yield shown
        browsing.run(session.close())
