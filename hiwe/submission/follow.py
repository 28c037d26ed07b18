"""Turn to the next page of results in the live page: link, button, small form, more, scroll."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from hiwe.errors import PageTimeout
from hiwe.page.channel import Moved

if TYPE_CHECKING:
    from hiwe.page.browser import Tab
    from hiwe.page.page import Page

CLICK_JS = """(index, url) => {
  const live = (window[Symbol.for('hiwe')] || { clickables: [] }).clickables;
  let el = live[index];
  if ((!el || !el.isConnected) && url) {
    el = Array.from(document.links).find((a) => a.href === url);
  }
  if (!el || !el.isConnected) return JSON.stringify({ gone: true });
  el.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (el.target && el.localName === 'a') el.target = '_self';
  el.click();
  return JSON.stringify({ gone: false });
}"""
SCROLL_JS = """async () => {
  const boxes = [document.scrollingElement, ...document.querySelectorAll('*')].filter((e) => e
    && e.scrollHeight > e.clientHeight + 40 && (e === document.scrollingElement
    || (/auto|scroll/.test(getComputedStyle(e).overflowY) && e.clientHeight > 150)));
  const before = boxes.map((b) => b.scrollHeight).join();
  for (const b of boxes) {
    b.scrollTop = Math.max(0, b.scrollHeight - b.clientHeight - 200);
    await new Promise((done) => setTimeout(done, 30));
    b.scrollTop = b.scrollHeight;
    b.dispatchEvent(new Event('scroll'));
  }
  await new Promise((done) => setTimeout(done, 60));
  return before;
}"""


class Step(Protocol):
    """The way to the next page, as the response analysis names it (`PagerStep`)."""

    @property
    def how(self) -> str:
        """link, click, form, more, scroll or json."""
        ...

    @property
    def url(self) -> str:
        """The address of a link, '' when there is none."""
        ...

    @property
    def index(self) -> int:
        """The place among the live page's clickables, -1 for none."""
        ...


async def follow(tab: Tab, step: Step, *, timeout_s: float) -> Page | None:
    """The page after `step`, settled; None when the step leads nowhere, or where we must not go.

    The step is taken where the last answer landed. PageTimeout when no answer comes in time; the
    tab is spent then.
    """
    answer = tab.answer
    if step.how == "link" and step.url and tab.forbids(step.url):
        return None
    before = await answer.mark()
    if step.how == "link" and step.url and step.index < 0:
        await answer.goto(step.url, referer=answer.url, timeout_s=timeout_s)
        return await answer.snapshot()
    try:
        if step.how == "scroll":
            await answer.call(SCROLL_JS)
        elif json.loads(await answer.call(CLICK_JS, step.index, step.url))["gone"]:
            return None
    except Moved:
        pass  # the click already led on
    if not await answer.settle(before, timeout_s=timeout_s):
        tab.spent = answer.spent = True
        raise PageTimeout(answer.url, f"no further page within {timeout_s:.0f} s")
    landed = await answer.landing(before)
    return None if landed == "none" else await answer.answer_page(landed)
