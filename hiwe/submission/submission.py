"""Submission: what came back when one value assignment was carried to the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiwe.page.exchange import Exchange
    from hiwe.page.page import Option, Page

Outcome = Literal["sent", "not_sent", "failed"]


@dataclass(frozen=True, slots=True)
class Fill:
    """How one element took its value: what was asked, what the control held afterwards."""

    element: int
    wanted: str
    held: str
    ok: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """One assignment carried out in the browser.

    `outcome` is 'sent' when a request left (or the form's script answered in the page),
    'not_sent' when a value did not take or the browser itself refused (`reason` says
    which), 'failed' when a request left and no answer came (time-out, connection).
    `landed` is where the answer appeared: page, same_page, frame, popup, download, none.
    `request` is the exchange that carried the values, None if none was seen.
    `domains` are the choices of dependent elements after their parent was set: position in
    `Form.elements`, options.
    `form_page` is the page as it was before filling, with all exchanges before the answer; `page`
    the settled answer.
    """

    outcome: Outcome
    reason: str
    landed: str
    fills: tuple[Fill, ...]
    form_page: Page
    page: Page | None
    request: Exchange | None
    duration_s: float = 0.0
    steps: int = 1
    domains: tuple[tuple[int, tuple[Option, ...]], ...] = ()
