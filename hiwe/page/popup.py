"""Requests of a new tab that left before we could listen to it.

The first request of a tab that a page opens is on its way before its events can be subscribed.
The driver knows it all the same; here it becomes a hop like the others.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from hiwe.page.network import Hop

if TYPE_CHECKING:
    from playwright.async_api import Page as PlaywrightPage
    from playwright.async_api import Request, Response

    from hiwe.page.traffic import Traffic


def belongs_to(request: Request, page: PlaywrightPage) -> bool:
    """Whether a document request was made by `page`."""
    try:
        return request.is_navigation_request() and request.frame.page == page
    except PlaywrightError:
        return False  # its page does not exist yet, or any more


async def add_early(traffic: Traffic, request: Request) -> None:
    """Put a request that was missed in front of a tab's hops, its answer when it comes."""
    hop = Hop(
        request_id="",
        loader="",
        frame="",
        kind="document",
        method=request.method,
        url=request.url,
        asked_headers=request.headers,
        body=request.post_data_buffer or b"",
        started_at=datetime.now(UTC),
        began=0.0,
        wire=False,
    )
    place = sum(h.request_id == "" for h in traffic.recorder.hops)
    traffic.recorder.hops.insert(place, hop)
    try:
        response = await request.response()
        hop.asked_headers = dict(await request.all_headers())
        if response is not None:
            await _take_answer(hop, response)
        hop.error = request.failure or ""
    except PlaywrightError as exc:
        hop.error = str(exc).splitlines()[0]
    hop.ended = max(0.0, request.timing.get("responseEnd", 0.0)) / 1000
    traffic.changed.set()


async def _take_answer(hop: Hop, response: Response) -> None:
    headers: dict[str, str] = {}
    for line in await response.headers_array():
        name, value = line["name"], line["value"]
        headers[name] = f"{headers[name]}\n{value}" if name in headers else value
    hop.response = {
        "status": response.status,
        "statusText": response.status_text,
        "headers": headers,
    }
    hop.redirected = 300 <= response.status < 400
    if not hop.redirected:
        hop.content = await response.body()
