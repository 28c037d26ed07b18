"""A real browser for tests: its loop runs in a thread, tests call it with plain values."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from hiwe.form.find import find_forms
from hiwe.page.browser import Browser
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from hiwe.form.form import Form
    from hiwe.page.browser import Session
    from hiwe.page.page import Page
    from hiwe.submission.submission import Submission

T = TypeVar("T")
TEST_DEADLINE_S = 60.0


class Browsing:
    """One browser for many tests; `session` gives each test cookies of its own."""

    def __init__(self, executable: Path) -> None:
        """Start the loop and the browser."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.browser = self.run(Browser.launch(executable=executable, timeout_s=20.0))

    def run(self, work: Coroutine[Any, Any, T], *, deadline_s: float = TEST_DEADLINE_S) -> T:
        """The result of `work`, run in the browser's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(deadline_s)

    def close(self) -> None:
        """End the browser and the loop."""
        self.run(self.browser.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def session(self, **options: Any) -> Session:
        """A fresh session."""
        return self.run(self.browser.session("test", **options))

    def page(self, url: str, **options: Any) -> Page:
        """The page at `url` in a fresh session."""
        return self.run(self._page(url, options))

    async def _page(self, url: str, options: dict[str, Any]) -> Page:
        session = await self.browser.session("test", **options)
        try:
            tab = await session.open(url)
            return await tab.snapshot()
        finally:
            await session.close()

    def visit(self, url: str, **options: Any) -> Visit:
        """A site with its form, in a fresh session; a context manager."""
        return Visit(self, url, options)


class Visit:
    """A site's first form, and submissions of it one after another in one session."""

    def __init__(self, browsing: Browsing, url: str, options: dict[str, Any]) -> None:
        """Keep what to open; `with` opens it."""
        self._browsing = browsing
        self._options = options
        self.url = url

    def __enter__(self) -> Visit:
        """Open the page and find its forms."""
        self.session = self._browsing.session(**self._options)
        self.page = self._browsing.run(self._open())
        self.forms = find_forms(self.page)
        return self

    def __exit__(self, *_: object) -> None:
        """Forget the session."""
        self._browsing.run(self.session.close())

    @property
    def form(self) -> Form:
        """The first form that can be searched."""
        return next(f for f in self.forms if f.searchable)

    def tabs(self) -> int:
        """How many tabs of the session are open."""
        return self.session.open_tabs

    async def _open(self) -> Page:
        tab = await self.session.open(self.url)
        try:
            return await tab.snapshot()
        finally:
            await tab.close()

    def submit(
        self, *pairs: tuple[str, str], timeout_s: float = 10.0, form: Form | None = None
    ) -> Submission:
        """Carry values to the site: pairs of an element's name, id or label, and a value."""
        return self._browsing.run(self._submit(form or self.form, pairs, timeout_s, None))

    def submit_then(
        self, then: Callable[[Any, Submission], Coroutine[Any, Any, T]], *pairs: tuple[str, str]
    ) -> T:
        """Submit, and go on in the tab where the answer landed."""
        found: list[T] = []

        async def go_on(tab: Any, sent: Submission) -> None:
            found.append(await then(tab, sent))

        self._browsing.run(self._submit(self.form, pairs, 10.0, go_on))
        return found[0]

    async def _submit(
        self,
        form: Form,
        pairs: tuple[tuple[str, str], ...],
        timeout_s: float,
        then: Callable[[Any, Submission], Coroutine[Any, Any, None]] | None,
    ) -> Submission:
        tab = await self.session.open(self.url)
        try:
            sent = await submit(tab, form, assignment(form, *pairs), timeout_s=timeout_s)
            if then is not None:
                await then(tab, sent)
            return sent
        finally:
            await tab.close()


def assignment(form: Form, *pairs: tuple[str, str]) -> ValueAssignment:
    """Bindings for pairs of an element's name, id or label, and an option's label or a text."""
    return ValueAssignment(tuple(_binding(form, *pair) for pair in pairs), 1.0)


def _binding(form: Form, who: str, value: str) -> Binding:
    for place, element in enumerate(form.elements):
        if who in (element.name, element.id, element.label):
            labels = [o.label for o in element.options]
            option = labels.index(value) if value in labels else None
            return Binding(place, value, 1.0, option=option)
    raise AssertionError(f"no element {who!r} in {form.elements}")
